/** The table of one address's window. Made with the first batch, not at the start: a quiet address has no table. */
import { hasTable, type Migration } from "../storage/schema-version.ts";

/** In order; the next change of the table is the next entry. */
export const addressMigrations: readonly Migration[] = [
  // Leaves a table alone that the versions without numbers made.
  (sql) => sql.exec("CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, times TEXT NOT NULL)"),
];

/** Epoch ms, oldest first. */
export function readTimes(sql: SqlStorage): number[] {
  if (!hasTable(sql, "log")) return [];
  const [row] = sql.exec("SELECT times FROM log WHERE id = 1").toArray();
  // Written by writeTimes alone.
  return row === undefined ? [] : (JSON.parse(String(row["times"])) as number[]);
}

/** Replaces what was saved. */
export function writeTimes(sql: SqlStorage, times: readonly number[]): void {
  sql.exec("INSERT OR REPLACE INTO log (id, times) VALUES (1, ?)", JSON.stringify(times));
}
