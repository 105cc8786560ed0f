/** Tables of who administers: replaced admin tokens, sessions of the dashboard, tries to sign in. */
import { sameBytes } from "../../store/keys.ts";

/** After so long without use a session ends, ms. */
export const idleTime = 12 * 3600_000;
/** Tries to sign in from one address, and the ms in which they count. */
export const mostTries = 5;
export const triesTime = 5 * 60_000;
/** The last use is written at most so often, ms. */
const useInterval = 60_000;

/** What a credential reaches: the whole deployment, or one workspace. */
export type Scope = { kind: "deployment" } | { kind: "workspace"; workspace: string };

/** A token as it is compared: by hash, with the hash of the deployment's setting. */
export interface TokenProof {
  /** Of the token that was given. */
  given: string;
  /** Of the setting `ADMIN_TOKEN`; null when there is none. */
  setting: string | null;
}

export function createSignIn(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS admin_token (one INTEGER PRIMARY KEY, hash TEXT NOT NULL, setting TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS sessions (
      id TEXT PRIMARY KEY, token TEXT NOT NULL, workspace TEXT, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tries (bucket TEXT NOT NULL, at INTEGER NOT NULL);`);
}

/** Hash of the token that opens the deployment now. A rotated one holds until the setting itself is changed. */
function deploymentHash(sql: SqlStorage, setting: string | null): string | null {
  const [row] = sql.exec("SELECT hash, setting FROM admin_token WHERE one = 1").toArray();
  if (row === undefined || row["setting"] !== (setting ?? "")) return setting;
  return String(row["hash"]);
}

/** What the token reaches; undefined when it is nobody's. */
export function scopeOf(sql: SqlStorage, { given, setting }: TokenProof): Scope | undefined {
  const right = deploymentHash(sql, setting);
  if (right !== null && sameText(given, right)) return { kind: "deployment" };
  const [row] = sql.exec("SELECT id FROM workspaces WHERE token_hash = ?", given).toArray();
  return row === undefined ? undefined : { kind: "workspace", workspace: String(row["id"]) };
}

/** The new token's hash takes the place of the old one. Sessions of the old token end, but for `keep`. */
export function replaceToken(
  sql: SqlStorage,
  change: { scope: Scope; hash: string; setting: string | null; keep: string | null },
): void {
  const { scope, hash, setting, keep } = change;
  if (scope.kind === "deployment") {
    sql.exec("INSERT OR REPLACE INTO admin_token VALUES (1, ?, ?)", hash, setting ?? "");
  } else {
    sql.exec("UPDATE workspaces SET token_hash = ? WHERE id = ?", hash, scope.workspace);
  }
  if (keep !== null) sql.exec("UPDATE sessions SET token = ? WHERE id = ?", hash, keep);
  closeSessions(sql, scope, keep);
}

export interface NewSession {
  /** Hash of the session's id. */
  id: string;
  /** Hash of the token that opened it. */
  token: string;
  scope: Scope;
}

export function openSession(sql: SqlStorage, { id, token, scope }: NewSession, now: number): void {
  sql.exec("DELETE FROM sessions WHERE used < ?", now - idleTime);
  const workspace = scope.kind === "workspace" ? scope.workspace : null;
  sql.exec("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", id, token, workspace, now);
}

export interface SessionUse {
  id: string;
  setting: string | null;
  /** Whether somebody is there: what a page asks by itself keeps no session alive. */
  active: boolean;
}

/** The session's scope, while it is neither idle for too long nor opened by a token that has been replaced. */
export function useSession(
  sql: SqlStorage,
  { id, setting, active }: SessionUse,
  now: number,
): Scope | undefined {
  const [row] = sql.exec("SELECT token, workspace, used FROM sessions WHERE id = ?", id).toArray();
  if (row === undefined) return undefined;
  const used = Number(row["used"]);
  if (used < now - idleTime) return undefined;
  const scope = scopeOf(sql, { given: String(row["token"]), setting });
  const workspace = scope?.kind === "workspace" ? scope.workspace : null;
  if (scope === undefined || workspace !== row["workspace"]) return undefined;
  if (active && used < now - useInterval)
    sql.exec("UPDATE sessions SET used = ? WHERE id = ?", now, id);
  return scope;
}

export function closeSession(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM sessions WHERE id = ?", id);
}

/** Signs out everywhere: every session of that scope, but for `keep`. */
export function closeSessions(sql: SqlStorage, scope: Scope, keep: string | null): void {
  const workspace = scope.kind === "workspace" ? scope.workspace : null;
  sql.exec("DELETE FROM sessions WHERE workspace IS ? AND id IS NOT ?", workspace, keep);
}

/** Counts a try, before it is judged; milliseconds to wait when there were too many. */
export function countTry(sql: SqlStorage, bucket: string, now: number): number {
  sql.exec("DELETE FROM tries WHERE at <= ?", now - triesTime);
  const rows = sql.exec("SELECT at FROM tries WHERE bucket = ? ORDER BY at", bucket).toArray();
  if (rows.length >= mostTries) return Number(rows[0]?.["at"]) + triesTime - now;
  sql.exec("INSERT INTO tries VALUES (?, ?)", bucket, now);
  return 0;
}

export function forgetTries(sql: SqlStorage, bucket: string): void {
  sql.exec("DELETE FROM tries WHERE bucket = ?", bucket);
}

function sameText(left: string, right: string): boolean {
  const encoder = new TextEncoder();
  return sameBytes(encoder.encode(left), encoder.encode(right));
}
