/** Adding up the rows that questions about sums are answered with. */
import type { SumRow } from "../../contract/reports.ts";
import { addHistograms } from "./histogram.ts";

/** Adds the part to the sum. Members that are missing come from an earlier version. */
export function addSumRow(sum: SumRow, part: Omit<SumRow, "bucket" | "group">): void {
  sum.requests += part.requests;
  sum.errors += part.errors;
  sum.input_tokens += part.input_tokens;
  sum.cached_tokens += part.cached_tokens;
  sum.output_tokens += part.output_tokens;
  sum.cost += part.cost;
  sum.blocked = (sum.blocked ?? 0) + (part.blocked ?? 0);
  sum.fallbacks = (sum.fallbacks ?? 0) + (part.fallbacks ?? 0);
  if (part.first_bytes !== undefined)
    sum.first_bytes = addHistograms(sum.first_bytes ?? "", part.first_bytes);
}

/** A row of that bucket and group that counts nothing yet. */
export function emptySumRow(bucket: number, group: string): SumRow {
  return {
    bucket,
    group,
    requests: 0,
    errors: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    cost: 0,
    blocked: 0,
    fallbacks: 0,
  };
}

/** Adds the part to the row of that bucket and group, which is made where it is missing. */
export function addToSums(sums: Map<string, SumRow>, row: SumRow): void {
  const key = `${row.bucket} ${row.group}`;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...row });
  else addSumRow(sum, row);
}

/** Oldest first, then by the group's name. */
export function inOrder(a: SumRow, b: SumRow): number {
  if (a.bucket !== b.bucket) return a.bucket - b.bucket;
  return a.group < b.group ? -1 : 1;
}

/** The rows with the groups of the most requests apart, and all others together as `other`. */
export function withOther(rows: readonly SumRow[], most: number): readonly SumRow[] {
  return othersJoined(rows, largestGroups(rows, most));
}

/** The same where it is known which groups stay apart; undefined: all of them. */
export function othersJoined(
  rows: readonly SumRow[],
  named: ReadonlySet<string> | undefined,
): readonly SumRow[] {
  if (named === undefined) return rows;
  const sums = new Map<string, SumRow>();
  for (const row of rows) addToSums(sums, named.has(row.group) ? row : { ...row, group: "other" });
  return [...sums.values()];
}

/** Names of the groups with the most requests, refused ones included; undefined where there are no more than that. */
export function largestGroups(rows: readonly SumRow[], most: number): Set<string> | undefined {
  const requests = new Map<string, number>();
  for (const { group, requests: count, blocked = 0 } of rows)
    requests.set(group, (requests.get(group) ?? 0) + count + blocked);
  return largestOf(requests, most);
}

/** The same of how many requests each group has. */
export function largestOf(
  requests: ReadonlyMap<string, number>,
  most: number,
): Set<string> | undefined {
  if (requests.size <= most) return undefined;
  const sorted = [...requests].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  // `other` itself is one of them.
  return new Set(sorted.slice(0, most - 1).map(([group]) => group));
}
