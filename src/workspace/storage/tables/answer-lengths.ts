/** The table of the lengths of the last answers, by harness and model. Written seldom: a guess may lack the last few. */
import type { AnswerLengths } from "../../rules/answer-lengths.ts";

/** Pairs that are kept. */
const keptPairs = 2000;

/** All lengths, and when each was saved, epoch ms; both by `pairKey`. */
export function readAnswerLengths(sql: SqlStorage): {
  lengths: AnswerLengths;
  saved: Map<string, number>;
} {
  const rows = sql
    .exec("SELECT name, saved, value FROM answers ORDER BY saved DESC LIMIT ?", keptPairs)
    .toArray()
    .reverse();
  const saved = new Map(rows.map((row) => [String(row["name"]), Number(row["saved"])]));
  // Written by writeAnswerLengths alone.
  const lengths = new Map(
    rows.map((row) => [
      String(row["name"]),
      { lengths: JSON.parse(String(row["value"])) as number[] },
    ]),
  );
  return { lengths, saved };
}

/** Replaces the lengths of one `pairKey`; `saved`: now, epoch ms. */
export function writeAnswerLengths(
  sql: SqlStorage,
  { name, lengths, saved }: { name: string; lengths: readonly number[]; saved: number },
): void {
  sql.exec(
    "INSERT OR REPLACE INTO answers (name, saved, value) VALUES (?, ?, ?)",
    name,
    saved,
    JSON.stringify(lengths),
  );
}

/** Forgets the pairs that were saved longest ago. Scans them all: to be called seldom. */
export function trimAnswerLengths(sql: SqlStorage): void {
  sql.exec(
    "DELETE FROM answers WHERE saved < (SELECT saved FROM answers ORDER BY saved DESC LIMIT 1 OFFSET ?)",
    keptPairs,
  );
}
