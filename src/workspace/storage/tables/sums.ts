/** The tables of sums by time, harness, tier and model: the one source of what was spent. See `rules/sums/sum-levels.ts`. */
import type { SumGroup, SumQuestion, SumRow } from "../../contract/reports.ts";
import type { RollupRow } from "../../rules/sums/rollup.ts";
import {
  type LevelSpan,
  levelLength,
  type SumLevel,
  type SumMarks,
} from "../../rules/sums/sum-levels.ts";
import { isLong, shortened } from "../../rules/sums/histogram.ts";
import { readMeta, writeMeta } from "./meta.ts";
import { sqlOfMembers } from "../sql/one-text.ts";
import { sliceRows } from "../sql/slices.ts";

/** The columns that are added up. */
const amounts = [
  "requests",
  "errors",
  "input",
  "cached",
  "cache_write",
  "output",
  "reasoning",
  "cost",
  "blocked",
  "fallbacks",
];
/** Histograms are added up by joining their texts. */
const summedTimes = "group_concat(first_bytes, '')";
/** `SUM(requests), SUM(errors) …` */
export const summedColumns = [...amounts.map((name) => `SUM(${name})`), summedTimes].join(", ");
/** What an INSERT does where the row is there already. */
export const onConflictAdd = `ON CONFLICT (bucket, harness, tier, model) DO UPDATE SET ${amounts
  .map((name) => `${name} = ${name} + excluded.${name}`)
  .join(", ")}, first_bytes = first_bytes || excluded.first_bytes`;
/** All columns, in the order of the tables. */
export const sumColumns = `bucket, harness, tier, model, ${amounts.join(", ")}, first_bytes`;

// The runtime finds a statement that it has compiled before by its text.
const addToQuarter = `INSERT INTO quarters (${sumColumns})
  VALUES (${sqlOfMembers("?1", amounts.length + 5).join(", ")}) ${onConflictAdd} RETURNING first_bytes`;

/** Adds the row to what stands in its quarter-hour. */
export function addSums(sql: SqlStorage, row: RollupRow): void {
  const { bucket, harness, tier, model } = row;
  const written = sql.exec(
    addToQuarter,
    JSON.stringify([
      bucket,
      harness,
      tier,
      model,
      row.requests,
      row.errors,
      row.input,
      row.cached,
      row.cacheWrite,
      row.output,
      row.reasoning,
      row.cost,
      row.blocked,
      row.fallbacks,
      row.firstBytes,
    ]),
  );
  const { first_bytes: times } = written.one();
  if (isLong(String(times))) shorten(sql, "quarters", { bucket, harness, tier, model, times });
}

/** Writes the bucket's long histograms in fewer characters: each such row holds hundreds of requests. */
export function shortenTimes(sql: SqlStorage, level: "hours" | "days", bucket: number): void {
  const rows = sql
    .exec(`SELECT harness, tier, model, first_bytes FROM ${level} WHERE bucket = ?`, bucket)
    .toArray();
  for (const { harness, tier, model, first_bytes: times } of rows)
    shorten(sql, level, { bucket, harness, tier, model, times });
}

/** Names a row of sums, and its histogram. */
type StoredTimes = Readonly<
  Record<"bucket" | "harness" | "tier" | "model" | "times", SqlStorageValue | undefined>
>;

function shorten(
  sql: SqlStorage,
  level: "quarters" | "hours" | "days",
  { times, ...row }: StoredTimes,
): void {
  const text = String(times);
  if (!isLong(text)) return;
  sql.exec(
    `UPDATE ${level} SET first_bytes = ? WHERE bucket = ? AND harness = ? AND tier = ? AND model = ?`,
    shortened(text),
    ...[row.bucket, row.harness, row.tier, row.model].map((value) => value ?? null),
  );
}

/** Leaves out the sums of persons, which are part of the harnesses'. */
export const ofHarnesses = "instr(harness, ':') = 0";

/** Undefined in a workspace without sums. */
export function readMarks(sql: SqlStorage): SumMarks | undefined {
  // Written by writeMarks alone.
  return readMeta(sql, "marks") as SumMarks | undefined;
}

/** Replaces the marks. */
export function writeMarks(sql: SqlStorage, marks: SumMarks): void {
  writeMeta(sql, "marks", marks);
}

/** The first bucket of the table that is not before `from`. */
export function firstBucket(sql: SqlStorage, level: SumLevel, from: number): number | undefined {
  const query = `SELECT bucket FROM ${level} WHERE bucket >= ? ORDER BY bucket LIMIT 1`;
  const [row] = sql.exec(query, from).toArray();
  return row === undefined ? undefined : Number(row["bucket"]);
}

/** End of the buckets from `from` on that one slice may take: whole buckets, at least one. */
export function sliceEnd(sql: SqlStorage, { level, from, to }: LevelSpan): number {
  const [row] = sql
    .exec(
      `SELECT bucket FROM ${level} WHERE bucket >= ? AND bucket < ? ORDER BY bucket LIMIT 1 OFFSET ?`,
      from,
      to,
      sliceRows,
    )
    .toArray();
  if (row === undefined) return to;
  return Math.max(Number(row["bucket"]), from + 1);
}

/** How sums are read in slices. */
export interface SumWalk {
  readonly spans: readonly LevelSpan[];
  /** Rows that one slice is meant to scan. */
  readonly sliceRows: number;
  /** Between two slices: lets others run. */
  readonly pause: () => Promise<void>;
  /** Where the slice that begins here must end; missing: anywhere. */
  readonly endOf?: (bucket: number) => number;
  /** Whether the walk ends before the bucket; missing: it does not. */
  readonly endsBefore?: (bucket: number) => boolean;
  /** Reads one slice; how many rows it scanned. */
  readonly read: (slice: LevelSpan) => number;
}

/** How far a span was read. */
interface SpanCursor extends LevelSpan {
  /** The first bucket that was not read. */
  at: number;
  /** Milliseconds of the next slice. */
  length: number;
}

/**
 * Reads the spans slice by slice, the oldest buckets first, and lets others run between two. The bucket before which the
 * walk ended; undefined at the end of all spans.
 */
export async function walkSums(
  sql: SqlStorage,
  { spans, pause, endOf, endsBefore, read, ...walk }: SumWalk,
): Promise<number | undefined> {
  const cursors = spans.map(({ level, from, to }): SpanCursor => {
    const at = firstBucket(sql, level, from) ?? to;
    return { level, from, to, at, length: levelLength[level] };
  });
  let scanned = 0;
  for (let next = oldest(cursors); next !== undefined; next = oldest(cursors)) {
    const { level, at } = next;
    if (endsBefore?.(at) === true) return at;
    if (scanned >= walk.sliceRows) {
      scanned = 0;
      await pause();
    }
    const end = Math.min(next.to, at + next.length, endOf?.(at) ?? next.to);
    const rows = read({ level, from: at, to: end });
    scanned += rows;
    next.length = fittingLength(next, walk.sliceRows / Math.max(1, rows));
    next.at = firstBucket(sql, level, end) ?? next.to;
  }
  return undefined;
}

function oldest(cursors: readonly SpanCursor[]): SpanCursor | undefined {
  let found: SpanCursor | undefined;
  for (const cursor of cursors)
    if (cursor.at < cursor.to && (found === undefined || cursor.at < found.at)) found = cursor;
  return found;
}

/** Twice as long a slice at most: the next hours may be busier than these. */
function fittingLength({ level, length }: SpanCursor, times: number): number {
  const fitting = Math.min(2, times) * length;
  return Math.max(1, Math.floor(fitting / levelLength[level])) * levelLength[level];
}

const groupColumns: Readonly<Record<SumGroup, string>> = {
  model: "model",
  harness: "harness",
  tier: "tier",
  choice: "harness || char(9) || tier || char(9) || model",
  provider:
    "CASE WHEN instr(model, '/') > 0 THEN substr(model, 1, instr(model, '/') - 1) ELSE model END",
};

/** Which sums of a span are read. */
interface SumSelection extends Pick<SumQuestion, "group" | "holder" | "times"> {
  /** That all of them count for. */
  bucket: number;
}

/** Sums of the span by group, all of them for `bucket`, and how many rows were scanned for them. */
export function readSums(
  sql: SqlStorage,
  { level, from, to }: LevelSpan,
  { group, bucket, holder, times }: SumSelection,
): { rows: SumRow[]; scanned: number } {
  const cursor = sql.exec(
    `SELECT ${groupColumns[group]} AS name, SUM(requests) AS requests, SUM(errors) AS errors,
       SUM(input) AS input, SUM(cached) AS cached, SUM(output) AS output, SUM(cost) AS cost,
       SUM(blocked) AS blocked, SUM(fallbacks) AS fallbacks${times === true ? `, ${summedTimes} AS times` : ""}
     FROM ${level} WHERE bucket >= ? AND bucket < ? AND ${holder === undefined ? ofHarnesses : "harness = ?"}
     GROUP BY name`,
    from,
    to,
    ...(holder === undefined ? [] : [holder]),
  );
  const rows = Array.from(cursor, (row) => ({
    bucket,
    group: String(row["name"]),
    requests: Number(row["requests"]),
    errors: Number(row["errors"]),
    input_tokens: Number(row["input"]),
    cached_tokens: Number(row["cached"]),
    output_tokens: Number(row["output"]),
    cost: Number(row["cost"]),
    blocked: Number(row["blocked"]),
    fallbacks: Number(row["fallbacks"]),
    ...(times === true && { first_bytes: String(row["times"]) }),
  }));
  return { rows, scanned: cursor.rowsRead };
}
