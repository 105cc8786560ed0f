/** The table of conversations: one row each, however many names it has. */
import type { SessionState } from "../../contract/session-state.ts";

/** Conversations that are kept on the disk. */
const keptConversations = 2000;

/** A conversation with all its names, each a `conversationKey`; the first names its row. */
export interface SavedConversation {
  names: readonly string[];
  state: SessionState;
}

/** Oldest use first. */
export function readConversations(sql: SqlStorage): SavedConversation[] {
  const rows = sql.exec(
    "SELECT name, value FROM conversations ORDER BY used DESC LIMIT ?",
    keptConversations,
  );
  // Written by writeConversation, or copied from the version before, which had a row for each name.
  return Array.from(rows, (row) => {
    const { also = [], ...state } = JSON.parse(String(row["value"])) as SessionState & {
      also?: string[];
    };
    return { names: [String(row["name"]), ...also], state };
  }).reverse();
}

/** Writes one conversation. */
export function writeConversation(
  sql: SqlStorage,
  { names: [name = "", ...also], state }: SavedConversation,
): void {
  sql.exec(
    "INSERT OR REPLACE INTO conversations (name, used, value) VALUES (?, ?, ?)",
    name,
    state.lastUsed,
    JSON.stringify(also.length === 0 ? state : { ...state, also }),
  );
}

/** Keeps the newest conversations only. Scans them all: to be called seldom. */
export function trimConversations(sql: SqlStorage): void {
  sql.exec(
    `DELETE FROM conversations
     WHERE used < (SELECT used FROM conversations ORDER BY used DESC LIMIT 1 OFFSET ?)`,
    keptConversations,
  );
}
