/** The table of windows that are worth saving. Made with the first of them: quiet addresses have no table. */
import type { Standing } from "../contract/address.ts";
import { hasTable, type Migration } from "../storage/sql/schema-version.ts";

/** In order; the next change of the table is the next entry. */
export const addressMigrations: readonly Migration[] = [
  // Leaves a table alone that the versions without numbers made.
  (sql) => sql.exec("CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, times TEXT NOT NULL)"),
  // One window without a standing: a minute later it is empty in any case.
  (sql) => {
    sql.exec("DROP TABLE log");
    sql.exec("CREATE TABLE windows (one INTEGER PRIMARY KEY CHECK (one = 1), saved TEXT NOT NULL)");
  },
];

/** A window as it is saved. */
export interface SavedWindow {
  readonly address: string;
  readonly standing: Standing;
  /** Pairs of epoch seconds, rounded up, and requests in that second, oldest first. */
  readonly seconds: readonly (readonly [number, number])[];
}

/** The seconds of a window. Rounded up they leave it late, never early. */
export function secondsOf(times: readonly number[]): SavedWindow["seconds"] {
  const counts = new Map<number, number>();
  for (const time of times) {
    const second = Math.ceil(time / 1000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return [...counts];
}

/** The window's requests, epoch ms, oldest first. */
export function timesOf({ seconds }: SavedWindow): number[] {
  return seconds.flatMap(([second, count]) => Array.from({ length: count }, () => second * 1000));
}

/** What was saved; nothing where there is no table. */
export function readSavedWindows(sql: SqlStorage): SavedWindow[] {
  if (!hasTable(sql, "windows")) return [];
  const [row] = sql.exec("SELECT saved FROM windows WHERE one = 1").toArray();
  // Written by saveWindows alone.
  return row === undefined ? [] : (JSON.parse(String(row["saved"])) as SavedWindow[]);
}

/** Replaces what was saved: one row, however many windows. */
export function saveWindows(sql: SqlStorage, windows: readonly SavedWindow[]): void {
  sql.exec("INSERT OR REPLACE INTO windows (one, saved) VALUES (1, ?)", JSON.stringify(windows));
}
