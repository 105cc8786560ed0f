/** The table of conversations, by `conversationKey`. */
import type { SessionState } from "../contract/session-state.ts";

/** Conversations that are kept on the disk. */
const keptSessions = 2000;

/** Oldest use first. */
export function readSessions(sql: SqlStorage): [string, SessionState][] {
  const rows = sql.exec("SELECT name, value FROM sessions ORDER BY used");
  // Written by writeSession alone.
  return Array.from(rows, (row) => [
    String(row["name"]),
    JSON.parse(String(row["value"])) as SessionState,
  ]);
}

/** Writes one conversation. */
export function writeSession(sql: SqlStorage, name: string, session: SessionState): void {
  sql.exec(
    "INSERT OR REPLACE INTO sessions (name, used, value) VALUES (?, ?, ?)",
    name,
    session.lastUsed,
    JSON.stringify(session),
  );
}

/** Keeps the newest conversations only. */
export function trimSessions(sql: SqlStorage): void {
  sql.exec(
    "DELETE FROM sessions WHERE used < (SELECT used FROM sessions ORDER BY used DESC LIMIT 1 OFFSET ?)",
    keptSessions,
  );
}
