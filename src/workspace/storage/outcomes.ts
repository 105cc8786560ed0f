/** The table of how requests ended, by harness. */
import type { Outcomes } from "../contract/outcomes.ts";
import type { OutcomesByHarness } from "../rules/outcomes.ts";

/** All counts. */
export function readOutcomes(sql: SqlStorage): OutcomesByHarness {
  const rows = sql.exec("SELECT name, value FROM outcomes");
  // Written by writeOutcomes alone.
  return new Map(
    Array.from(rows, (row) => [String(row["name"]), JSON.parse(String(row["value"])) as Outcomes]),
  );
}

/** Replaces the counts of one harness. */
export function writeOutcomes(sql: SqlStorage, harness: string, outcomes: Outcomes): void {
  sql.exec(
    "INSERT OR REPLACE INTO outcomes (name, value) VALUES (?, ?)",
    harness,
    JSON.stringify(outcomes),
  );
}

/** Changes nothing when the harness has no counts. */
export function removeOutcomes(sql: SqlStorage, harness: string): void {
  sql.exec("DELETE FROM outcomes WHERE name = ?", harness);
}
