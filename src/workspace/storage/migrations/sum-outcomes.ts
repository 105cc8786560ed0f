/** Sums of blocks, fallbacks and times until the first byte, beside those of requests. */
import { hasTable } from "../schema-version.ts";

/** Adds them to every table of sums; what was summed before has none of them. */
export function sumOutcomes(sql: SqlStorage): void {
  const levels = ["quarters", "hours", "days", ...(hasTable(sql, "rollups") ? ["rollups"] : [])];
  for (const level of levels) {
    for (const column of ["blocked", "fallbacks"])
      sql.exec(`ALTER TABLE ${level} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
    sql.exec(`ALTER TABLE ${level} ADD COLUMN first_bytes TEXT NOT NULL DEFAULT ''`);
  }
}
