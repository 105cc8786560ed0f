/** The table of sign-ins that ended well: each can do so once, whatever an identity provider says of its code. */

/** A sign-in may be under way for ten minutes, ms; what is older is refused before it is looked up. */
const kept = 15 * 60_000;

/** One sign-in. */
export interface Login {
  /** Of the state that the browser brought back. */
  hash: string;
  /** Hash of the id of the session that it opens. */
  session: string;
}

/** False: another session was opened by it. */
export function useLogin(sql: SqlStorage, { hash, session }: Login, now: number): boolean {
  sql.exec("DELETE FROM logins WHERE at < ?", now - kept);
  sql.exec("INSERT OR IGNORE INTO logins (hash, session, at) VALUES (?, ?, ?)", hash, session, now);
  return sql.exec("SELECT session FROM logins WHERE hash = ?", hash).one()["session"] === session;
}
