/** The table of access tokens of the admin API: of one workspace, with a role and an end, kept as a hash only. */
import { lesserRole, type MemberRole } from "../../../store/roles.ts";
import { roleNamed, roleOf } from "./memberships.ts";
import type { TokenScope } from "./scope.ts";
import { personOf, readUser } from "./users.ts";

/** A token as it is listed. Times are epoch ms. */
export interface TokenRecord {
  /** `tok_…`. */
  id: string;
  workspace: string;
  role: MemberRole;
  /** Whose it is; null: nobody's in particular. */
  user: string | null;
  name: string;
  last4: string;
  created: number;
  /** Null: it does not end by itself. */
  expires: number | null;
  used: number | null;
}

/** Which tokens are meant: all of a workspace, or one user's there. */
export interface TokenOwner {
  workspace: string;
  user?: string;
}

const columns = "id, workspace, role, user, name, last4, created, expires, used";
/** The last use is written at most so often, ms. */
const useInterval = 60_000;

/** Tokens that hold: of one person in a workspace, or there of nobody in particular. */
export const mostTokens = 100;

/** Adds a token whose text has this hash. `full`: there are too many. */
export function insertToken(
  sql: SqlStorage,
  { hash, ...token }: Omit<TokenRecord, "used"> & { hash: string },
): "added" | "full" {
  const { id, workspace, role, user, name, last4, created, expires } = token;
  const query =
    "SELECT COUNT(*) AS held FROM access_tokens WHERE workspace = ? AND user IS ? AND (expires IS NULL OR expires > ?)";
  if (Number(sql.exec(query, workspace, user, created).one()["held"]) >= mostTokens) return "full";
  sql.exec(
    `INSERT OR IGNORE INTO access_tokens (id, hash, workspace, role, user, name, last4, created, expires)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    hash,
    workspace,
    role,
    user,
    name,
    last4,
    created,
    expires,
  );
  return "added";
}

/** Oldest first. */
export function readTokens(sql: SqlStorage, { workspace, user }: TokenOwner): TokenRecord[] {
  const query = `SELECT ${columns} FROM access_tokens WHERE workspace = ? AND (? IS NULL OR user = ?) ORDER BY created, id`;
  return sql
    .exec(query, workspace, user ?? null, user ?? null)
    .toArray()
    .map(tokenOf);
}

/** The token that is gone now; undefined when there was none of that id. */
export function removeToken(
  sql: SqlStorage,
  { workspace, user }: TokenOwner,
  id: string,
): TokenRecord | undefined {
  const query = `DELETE FROM access_tokens WHERE workspace = ? AND id = ? AND (? IS NULL OR user = ?) RETURNING ${columns}`;
  const args = [workspace, id, user ?? null, user ?? null];
  return sql
    .exec(query, ...args)
    .toArray()
    .map(tokenOf)[0];
}

/** What the token with this hash reaches now: never more than its person. Notes its use. */
export function tokenScopeOf(sql: SqlStorage, hash: string, now: number): TokenScope | undefined {
  const query = `SELECT ${columns} FROM access_tokens WHERE hash = ?`;
  const [token] = sql.exec(query, hash).toArray().map(tokenOf);
  if (token === undefined || (token.expires !== null && token.expires <= now)) return undefined;
  const scope = scopeOfRecord(sql, token);
  if (scope !== undefined && (token.used ?? 0) < now - useInterval)
    sql.exec("UPDATE access_tokens SET used = ? WHERE id = ?", now, token.id);
  return scope;
}

function scopeOfRecord(
  sql: SqlStorage,
  { id, workspace, role, user }: TokenRecord,
): TokenScope | undefined {
  if (user === null) return { kind: "token", id, workspace, role };
  const current = roleOf(sql, { workspace, user });
  const owner = readUser(sql, user);
  if (current === undefined || owner === undefined) return undefined;
  return {
    kind: "token",
    id,
    workspace,
    role: lesserRole(role, current),
    person: personOf(owner),
  };
}

function tokenOf(row: Record<string, SqlStorageValue>): TokenRecord {
  const { user, expires, used } = row;
  return {
    id: String(row["id"]),
    workspace: String(row["workspace"]),
    role: roleNamed(row["role"]) ?? "viewer",
    user: typeof user === "string" ? user : null,
    name: String(row["name"]),
    last4: String(row["last4"]),
    created: Number(row["created"]),
    expires: typeof expires === "number" ? expires : null,
    used: typeof used === "number" ? used : null,
  };
}
