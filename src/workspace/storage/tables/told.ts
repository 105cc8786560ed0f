/** The table of what was told already, by name: so that an event comes once, across restarts too. */

/** All of it. */
export function readTold(sql: SqlStorage): Map<string, string> {
  const rows = sql.exec("SELECT name, value FROM told");
  return new Map(Array.from(rows, ({ name, value }) => [String(name), String(value)]));
}

/** Notes it; undefined forgets it. */
export function writeTold(sql: SqlStorage, name: string, value: string | undefined): void {
  if (value === undefined) sql.exec("DELETE FROM told WHERE name = ?", name);
  else sql.exec("INSERT OR REPLACE INTO told (name, value) VALUES (?, ?)", name, value);
}
