/** The table of sessions of the dashboard: of people, and of those who signed in with an administrator's token. */
import { newId } from "../../../lib/ids.ts";
import { membershipsOf } from "./memberships.ts";
import type { PersonScope, PlainScope, Scope } from "./scope.ts";
import { rotate, type SessionIds } from "./session-ids.ts";
import { scopeOf, type TokenChange, writeToken } from "./tokens.ts";
import { personOf, readUser, seeUser } from "./users.ts";

/** After so long without use a session ends, ms. */
const idleTime = 12 * 3600_000;
/** It ends in any case so long after sign-in, ms. */
const longestTime = 30 * 86_400_000;
/** Sessions of one person, or of the administrator's token; the one unused for the longest time gives way. */
const mostOfOwner = 100;
/** The last use is written at most so often, ms. */
const useInterval = 60_000;

/** The new token takes the place of the old one. Sessions of the old one end, but for `keep`, a handle. */
export function replaceToken(sql: SqlStorage, change: TokenChange & { keep: string | null }): void {
  const { keep } = change;
  writeToken(sql, change);
  if (keep !== null)
    sql.exec("UPDATE sessions SET token = ? WHERE ? IN (id, handle)", change.hash, keep);
  closeSessions(sql, change.scope, keep);
}

/** A session to be opened by an administrator's token. */
export interface NewSession {
  /** Hash of the session's id. */
  id: string;
  /** Hash of the token that opened it. */
  token: string;
  scope: PlainScope;
  /** The browser; the version before does not say. */
  agent?: string;
}

/** Opens a session, and forgets those that ended by themselves. */
export function openSession(sql: SqlStorage, session: NewSession, now: number): void {
  const { id, token, scope, agent = "" } = session;
  insertSession(
    sql,
    { id, token, agent, workspace: workspaceOf(scope), user: null, chosen: null },
    now,
  );
}

/** A session to be opened by a person. */
export interface NewPersonSession {
  /** Hash of the session's id. */
  id: string;
  user: string;
  agent: string;
  /** The workspace that it shows first. */
  chosen: string | null;
}

/** The same for a person. */
export function openPersonSession(sql: SqlStorage, session: NewPersonSession, now: number): void {
  insertSession(sql, { ...session, token: "", workspace: null }, now);
}

interface SessionRow extends Omit<NewPersonSession, "user"> {
  token: string;
  workspace: string | null;
  user: string | null;
}

function insertSession(sql: SqlStorage, row: SessionRow, now: number): void {
  const { id, token, workspace, user, chosen, agent } = row;
  sql.exec("DELETE FROM sessions WHERE used < ? OR created < ?", now - idleTime, now - longestTime);
  sql.exec(
    `INSERT OR REPLACE INTO sessions (id, token, workspace, used, handle, user, chosen, agent, created, changed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    token,
    workspace,
    now,
    newId("ses_"),
    user,
    chosen,
    agent,
    now,
    now,
  );
  sql.exec(
    `DELETE FROM sessions WHERE user IS ?1 AND workspace IS ?2 AND id NOT IN
       (SELECT id FROM sessions WHERE user IS ?1 AND workspace IS ?2
        ORDER BY used DESC, created DESC, id = ?3 DESC LIMIT ?4)`,
    user,
    workspace,
    id,
    mostOfOwner,
  );
}

/** A request of a session, as the version before asks. */
export interface SessionUse {
  id: string;
  setting: string | null;
  /** Whether a person is active: requests that a page sends by itself keep no session alive. */
  active: boolean;
}

/** A request of a session. */
export interface SessionResume extends SessionUse {
  /** Hash of the id that takes the place of the present one when it is old enough. */
  next: string;
  /** The setting `OIDC_ISSUER`: sessions of people of another one end. */
  issuer: string | null;
}

/** A session that holds. */
export interface ResumedSession {
  /** `ses_…`: stays when the id in the cookie changes. */
  handle: string;
  scope: Scope;
  /** Whether the browser is to be given the next id. */
  rotated: boolean;
}

/** The session with that id, while it holds. */
export function resumeSession(
  sql: SqlStorage,
  { id, next, setting, issuer, active }: SessionResume,
  now: number,
): ResumedSession | undefined {
  const row = findSession(sql, id, now);
  if (row === undefined) return undefined;
  const step = rotate(row.ids, { presented: id, next, active }, now);
  const scope = step && sessionScope(sql, row, { setting, issuer });
  if (step === undefined || scope === undefined) return undefined;
  if (step.ids !== row.ids) writeIds(sql, row.handle, step.ids);
  if (active && row.used < now - useInterval) noteUse(sql, row, now);
  return { handle: row.handle, scope, rotated: step.rotated };
}

/** The session's scope, as the version before asks for it: that of an administrator's token, without a change of ids. */
export function useSession(
  sql: SqlStorage,
  { id, setting, active }: SessionUse,
  now: number,
): PlainScope | undefined {
  const row = findSession(sql, id, now);
  if (row === undefined || row.user !== null) return undefined;
  const scope = plainScope(sql, row, setting);
  if (scope !== undefined && active && row.used < now - useInterval) noteUse(sql, row, now);
  return scope;
}

/** Signs out. */
export function closeSession(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM sessions WHERE id = ? OR offered = ? OR replaced = ?", id, id, id);
}

/** Whose sessions are meant: a person's, or those that an administrator's token opened. */
export type SessionOwner = PlainScope | { kind: "person"; person: string };

/** Signs out everywhere: every session of theirs, but for `keep`, a handle. */
export function closeSessions(sql: SqlStorage, owner: SessionOwner, keep: string | null): void {
  const { where, args } = ownedBy(owner);
  sql.exec(
    `DELETE FROM sessions WHERE ${where} AND id IS NOT ? AND handle IS NOT ?`,
    ...args,
    keep,
    keep,
  );
}

/** Ends one of their sessions; false when they have none with that handle. */
export function closeOwnSession(sql: SqlStorage, owner: SessionOwner, handle: string): boolean {
  const { where, args } = ownedBy(owner);
  const query = `DELETE FROM sessions WHERE ${where} AND handle = ?`;
  return sql.exec(query, ...args, handle).rowsWritten > 0;
}

/** A session as it is listed. Times are epoch ms. */
export interface SessionRecord {
  handle: string;
  /** The browser, as it names itself. */
  agent: string;
  created: number;
  used: number;
}

/** Those that hold, newest first. */
export function readSessions(sql: SqlStorage, owner: SessionOwner, now: number): SessionRecord[] {
  const { where, args } = ownedBy(owner);
  const query = `SELECT handle, agent, created, used FROM sessions
    WHERE ${where} AND used >= ? AND created >= ? ORDER BY created DESC, handle`;
  const rows = sql.exec(query, ...args, now - idleTime, now - longestTime);
  return Array.from(rows, (row) => ({
    handle: String(row["handle"]),
    agent: String(row["agent"]),
    created: Number(row["created"]),
    used: Number(row["used"]),
  }));
}

/** The workspace that a person's session shows from now on; false when the person does not belong to it. */
export function chooseWorkspace(sql: SqlStorage, handle: string, workspace: string): boolean {
  const query = `UPDATE sessions SET chosen = ? WHERE handle = ? AND EXISTS
    (SELECT 1 FROM memberships m WHERE m.user = sessions.user AND m.workspace = ?)`;
  return sql.exec(query, workspace, handle, workspace).rowsWritten > 0;
}

/** A person's sessions are meant in all their workspaces, a token's in its own. */
function ownedBy(owner: SessionOwner): { where: string; args: (string | null)[] } {
  return owner.kind === "person"
    ? { where: "user = ?", args: [owner.person] }
    : { where: "user IS NULL AND workspace IS ?", args: [workspaceOf(owner)] };
}

interface FoundSession {
  handle: string;
  token: string;
  workspace: string | null;
  user: string | null;
  chosen: string | null;
  used: number;
  ids: SessionIds;
}

function findSession(sql: SqlStorage, id: string, now: number): FoundSession | undefined {
  const query = `SELECT * FROM sessions WHERE (id = ? OR offered = ? OR replaced = ?) AND used >= ? AND created >= ?`;
  const [row] = sql.exec(query, id, id, id, now - idleTime, now - longestTime).toArray();
  if (row === undefined) return undefined;
  const text = (name: string): string | null => {
    const value = row[name];
    return typeof value === "string" ? value : null;
  };
  const ids = {
    id: String(row["id"]),
    offered: text("offered"),
    replaced: text("replaced"),
    changed: Number(row["changed"]),
  };
  return {
    handle: String(row["handle"]),
    token: String(row["token"]),
    workspace: text("workspace"),
    user: text("user"),
    chosen: text("chosen"),
    used: Number(row["used"]),
    ids,
  };
}

function writeIds(sql: SqlStorage, handle: string, ids: SessionIds): void {
  sql.exec(
    "UPDATE sessions SET id = ?, offered = ?, replaced = ?, changed = ? WHERE handle = ?",
    ids.id,
    ids.offered,
    ids.replaced,
    ids.changed,
    handle,
  );
}

function noteUse(sql: SqlStorage, { handle, user }: FoundSession, now: number): void {
  sql.exec("UPDATE sessions SET used = ? WHERE handle = ?", now, handle);
  if (user !== null) seeUser(sql, user, now);
}

/** What the session reaches: neither a token that has been replaced nor another identity provider opens anything. */
function sessionScope(
  sql: SqlStorage,
  row: FoundSession,
  { setting, issuer }: Pick<SessionResume, "setting" | "issuer">,
): Scope | undefined {
  return row.user === null ? plainScope(sql, row, setting) : personScope(sql, row, issuer);
}

function plainScope(
  sql: SqlStorage,
  { token, workspace }: FoundSession,
  setting: string | null,
): PlainScope | undefined {
  const scope = scopeOf(sql, { given: token, setting });
  return scope !== undefined && workspaceOf(scope) === workspace ? scope : undefined;
}

function personScope(
  sql: SqlStorage,
  { user, chosen }: FoundSession,
  issuer: string | null,
): PersonScope | undefined {
  const found = readUser(sql, user ?? "");
  if (found === undefined || found.issuer !== issuer) return undefined;
  const memberships = membershipsOf(sql, found.id);
  const person = personOf(found);
  return { kind: "person", person, memberships, ...(chosen !== null && { chosen }) };
}

/** Null for the whole deployment. */
function workspaceOf(scope: PlainScope): string | null {
  return scope.kind === "workspace" ? scope.workspace : null;
}
