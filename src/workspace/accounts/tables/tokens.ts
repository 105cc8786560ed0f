/** What an administrator's token opens, and the table of the deployment's replaced one. */
import { sameBytes } from "../../../store/keys.ts";
import type { PlainScope } from "./scope.ts";
import { changeTokenHash, workspaceOfToken } from "./workspaces.ts";

/** A token as it is compared: by hash, with the hash of the deployment's setting. */
export interface TokenProof {
  /** Of the token that was given. */
  given: string;
  /** Of the setting `ADMIN_TOKEN`; null when there is none. */
  setting: string | null;
}

/** What the token reaches; undefined when it is nobody's. */
export function scopeOf(sql: SqlStorage, { given, setting }: TokenProof): PlainScope | undefined {
  const right = deploymentHash(sql, setting);
  if (right !== null && sameText(given, right)) return { kind: "deployment" };
  const workspace = workspaceOfToken(sql, given);
  return workspace === undefined ? undefined : { kind: "workspace", workspace };
}

/** A new token for what an old one reached. */
export interface TokenChange {
  scope: PlainScope;
  /** Of the new token. */
  hash: string;
  /** Of the setting `ADMIN_TOKEN`. */
  setting: string | null;
}

/** The new token's hash takes the place of the old one. */
export function writeToken(sql: SqlStorage, { scope, hash, setting }: TokenChange): void {
  if (scope.kind === "workspace") return changeTokenHash(sql, scope.workspace, hash);
  sql.exec(
    "INSERT OR REPLACE INTO admin_token (one, hash, setting) VALUES (1, ?, ?)",
    hash,
    setting ?? "",
  );
}

/** Hash of the token that opens the deployment now. A replaced one holds until the setting itself is changed. */
function deploymentHash(sql: SqlStorage, setting: string | null): string | null {
  const [row] = sql.exec("SELECT hash, setting FROM admin_token WHERE one = 1").toArray();
  if (row === undefined || row["setting"] !== (setting ?? "")) return setting;
  return String(row["hash"]);
}

function sameText(left: string, right: string): boolean {
  const encoder = new TextEncoder();
  return sameBytes(encoder.encode(left), encoder.encode(right));
}
