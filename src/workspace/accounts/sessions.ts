/** The table of sessions of the dashboard. */
import type { PlainScope } from "./scope.ts";
import { scopeOf, type TokenChange, writeToken } from "./tokens.ts";

/** After so long without use a session ends, ms. */
const idleTime = 12 * 3600_000;
/** The last use is written at most so often, ms. */
const useInterval = 60_000;

/** The new token takes the place of the old one. Sessions of the old one end, but for `keep`. */
export function replaceToken(sql: SqlStorage, change: TokenChange & { keep: string | null }): void {
  const { keep } = change;
  writeToken(sql, change);
  if (keep !== null) sql.exec("UPDATE sessions SET token = ? WHERE id = ?", change.hash, keep);
  closeSessions(sql, change.scope, keep);
}

/** A session to be opened. */
export interface NewSession {
  /** Hash of the session's id. */
  id: string;
  /** Hash of the token that opened it. */
  token: string;
  scope: PlainScope;
}

/** Opens a session, and forgets those that ended by themselves. */
export function openSession(sql: SqlStorage, { id, token, scope }: NewSession, now: number): void {
  sql.exec("DELETE FROM sessions WHERE used < ?", now - idleTime);
  sql.exec(
    "INSERT OR REPLACE INTO sessions (id, token, workspace, used) VALUES (?, ?, ?, ?)",
    id,
    token,
    workspaceOf(scope),
    now,
  );
}

/** A request of a session. */
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
): PlainScope | undefined {
  const [row] = sql.exec("SELECT token, workspace, used FROM sessions WHERE id = ?", id).toArray();
  if (row === undefined) return undefined;
  const used = Number(row["used"]);
  if (used < now - idleTime) return undefined;
  const scope = scopeOf(sql, { given: String(row["token"]), setting });
  if (scope === undefined || workspaceOf(scope) !== row["workspace"]) return undefined;
  if (active && used < now - useInterval)
    sql.exec("UPDATE sessions SET used = ? WHERE id = ?", now, id);
  return scope;
}

/** Signs out. */
export function closeSession(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM sessions WHERE id = ?", id);
}

/** Signs out everywhere: every session of that scope, but for `keep`. */
export function closeSessions(sql: SqlStorage, scope: PlainScope, keep: string | null): void {
  sql.exec("DELETE FROM sessions WHERE workspace IS ? AND id IS NOT ?", workspaceOf(scope), keep);
}

/** Null for the whole deployment. */
function workspaceOf(scope: PlainScope): string | null {
  return scope.kind === "workspace" ? scope.workspace : null;
}
