/** The table of kept reasoning, bounded in number, size and age. */

/** For so long a loop of tool calls may rest, in ms. */
export const reasoningLife = 86_400_000;
/** Answers that a workspace keeps. */
const mostKept = 2000;
/** Characters that it keeps of all of them. */
const mostCharacters = 16 * 1024 * 1024;
/** Of what is too much a tenth more is forgotten, so that the table is not scanned for each row. */
const spare = 0.9;

/** The reasoning of one answer, as it is stored. */
export interface StoredReasoning {
  name: string;
  /** Epoch ms. */
  made: number;
  sealed: string;
}

/** The sealed texts of those names that are there and young enough, in one statement. */
export function readStoredReasoning(
  sql: SqlStorage,
  names: readonly string[],
  now: number,
): Map<string, string> {
  const query =
    "SELECT name, sealed FROM reasoning WHERE name IN (SELECT value FROM json_each(?)) AND made > ?";
  const rows = sql.exec(query, JSON.stringify(names), now - reasoningLife);
  const found = new Map<string, string>();
  for (const row of rows) found.set(String(row["name"]), String(row["sealed"]));
  return found;
}

/** Whether there is any: most workspaces keep none. */
export function hasReasoning(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM reasoning LIMIT 1").toArray().length > 0;
}

export function writeStoredReasoning(
  sql: SqlStorage,
  { name, made, sealed }: StoredReasoning,
): void {
  const query = "INSERT OR REPLACE INTO reasoning (name, made, size, sealed) VALUES (?, ?, ?, ?)";
  sql.exec(query, name, made, sealed.length, sealed);
}

/** How many answers there are, and their characters. Scans the table. */
export function measureReasoning(sql: SqlStorage): { count: number; characters: number } {
  const sums = "SELECT COUNT(*) AS count, COALESCE(SUM(size), 0) AS characters FROM reasoning";
  const { count, characters } = sql.exec(sums).one();
  return { count: Number(count), characters: Number(characters) };
}

/** Whether that is more than a workspace keeps. */
export function isTooMuchReasoning(held: { count: number; characters: number }): boolean {
  return held.count > mostKept || held.characters > mostCharacters;
}

/** Forgets what is too old, then the oldest that is too much. Scans the table. */
export function trimReasoning(sql: SqlStorage, now: number): void {
  forgetOldReasoning(sql, now);
  if (!isTooMuchReasoning(measureReasoning(sql))) return;
  let [count, characters] = [0, 0];
  for (const row of sql.exec("SELECT made, size FROM reasoning ORDER BY made DESC").toArray()) {
    count += 1;
    characters += Number(row["size"]);
    if (count <= mostKept * spare && characters <= mostCharacters * spare) continue;
    sql.exec("DELETE FROM reasoning WHERE made <= ?", Number(row["made"]));
    return;
  }
}

/** True where there was some. */
export function forgetOldReasoning(sql: SqlStorage, now: number): boolean {
  const query = "DELETE FROM reasoning WHERE made <= ?";
  return sql.exec(query, now - reasoningLife).rowsWritten > 0;
}

/** Epoch ms when the oldest is too old; undefined where there is none. */
export function nextReasoningEnd(sql: SqlStorage): number | undefined {
  const oldest = sql.exec("SELECT MIN(made) AS made FROM reasoning").one()["made"];
  return oldest === null ? undefined : Number(oldest) + reasoningLife;
}
