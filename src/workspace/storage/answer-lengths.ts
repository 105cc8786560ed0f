/** The table of the lengths of the last answers, by harness and model. */
import type { AnswerLengths } from "../rules/answer-lengths.ts";

/** All lengths. */
export function readAnswerLengths(sql: SqlStorage): AnswerLengths {
  const rows = sql.exec("SELECT name, value FROM answers");
  // Written by writeAnswerLengths alone.
  return new Map(
    Array.from(rows, (row) => [
      String(row["name"]),
      { lengths: JSON.parse(String(row["value"])) as number[] },
    ]),
  );
}

/** Replaces the lengths of one `pairKey`. */
export function writeAnswerLengths(
  sql: SqlStorage,
  name: string,
  lengths: readonly number[],
): void {
  sql.exec(
    "INSERT OR REPLACE INTO answers (name, value) VALUES (?, ?)",
    name,
    JSON.stringify(lengths),
  );
}
