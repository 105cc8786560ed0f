/** Schema 7: sums of blocks, fallbacks and times until the first byte, beside those of requests. */

/** Adds them to every table of sums that there is; what was summed before has none of them. */
export function sumOutcomes(sql: SqlStorage): void {
  const tables = sql.exec(
    "SELECT name FROM sqlite_master WHERE name IN ('quarters', 'hours', 'days', 'rollups')",
  );
  for (const { name } of tables.toArray())
    sql.exec(`
      ALTER TABLE ${String(name)} ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE ${String(name)} ADD COLUMN fallbacks INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE ${String(name)} ADD COLUMN first_bytes TEXT NOT NULL DEFAULT '';`);
}
