/** From a request's record to what the ledger adds up: one entry a model that was asked, one request in all. */
import type { BookedUsage, RequestRecord } from "../../contract/request-record.ts";
import { toPico } from "./cost.ts";
import { outcomeOf } from "./logged-outcome.ts";
import { histogramOf, addHistograms } from "./histogram.ts";
import { type Amount, noAmount } from "./spend.ts";

/** A quarter of an hour: every time zone's days begin on one, so that all sums come from one table. */
export const bucketLength = 900_000;

/** Start of the bucket that holds the time, epoch ms. */
export function bucketOf(time: number): number {
  return Math.floor(time / bucketLength) * bucketLength;
}

/** A client that left before the end: not a failure. */
const departed = 499;

/** What one model used for one harness and tier in one bucket. */
export interface RollupRow {
  bucket: number;
  harness: string;
  /** `<connection>/<model>`; empty when none was asked. */
  model: string;
  tier: string;
  requests: number;
  errors: number;
  input: number;
  cached: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** Picodollars. */
  cost: number;
  /** Requests that a limit, window, quota or wall refused; they are not among `requests`. */
  blocked: number;
  /** Requests that a fallback answered. */
  fallbacks: number;
  /** Times until the first byte of answers: see `histogram.ts`. */
  firstBytes: string;
}

/** Rows of the same key are added up. */
export function rowKey(row: RollupRow): string {
  return `${row.bucket} ${row.harness} ${row.tier} ${row.model}`;
}

/** Adds the part to the sum. */
export function addRow(sum: RollupRow, part: RollupRow): void {
  sum.requests += part.requests;
  sum.errors += part.errors;
  sum.input += part.input;
  sum.cached += part.cached;
  sum.cacheWrite += part.cacheWrite;
  sum.output += part.output;
  sum.reasoning += part.reasoning;
  sum.cost += part.cost;
  sum.blocked += part.blocked;
  sum.fallbacks += part.fallbacks;
  sum.firstBytes = addHistograms(sum.firstBytes, part.firstBytes);
}

/** When the request began; `now` when its record does not say. */
export function timeOf(record: RequestRecord, now: number): number {
  const time = Date.parse(record.time);
  return Number.isFinite(time) ? time : now;
}

/** Tokens and money go to the model that used them, the request itself to the one that answered last. A row a model. */
export function rollupsOf(record: RequestRecord, now: number): RollupRow[] {
  const { harness, tier, attempts, usage } = record;
  const bucket = bucketOf(timeOf(record, now));
  const rows: RollupRow[] = [];
  const rowOf = (model: string): RollupRow => {
    const known = rows.find((row) => row.model === model);
    if (known !== undefined) return known;
    const row = emptyRow({ bucket, harness, model, tier: tier ?? "" });
    rows.push(row);
    return row;
  };
  const answering = record.model ?? attempts.at(-1)?.model ?? "";
  for (const attempt of attempts)
    if (attempt.usage !== undefined) addUsed(rowOf(attempt.model), attempt.usage, attempt.cost);
  if (rows.length === 0 && usage !== null) addUsed(rowOf(answering), usage, record.cost);
  addEnd(rowOf(answering), record);
  return rows;
}

function addUsed(row: RollupRow, usage: BookedUsage, cost: number | null | undefined): void {
  row.input += usage.input_tokens;
  row.cached += usage.cached_tokens;
  row.cacheWrite += usage.cache_write_tokens;
  row.output += usage.output_tokens;
  row.reasoning += usage.reasoning_tokens;
  row.cost += pico(cost);
}

/** What the request itself counts for. */
function addEnd(row: RollupRow, record: RequestRecord): void {
  const { status, first_byte_ms: time } = record;
  const outcome = outcomeOf(record);
  if (outcome === "blocked") row.blocked = 1;
  else {
    row.requests = 1;
    if (status >= 400 && status !== departed) row.errors = 1;
  }
  if (outcome === "fallback") row.fallbacks = 1;
  if (status < 400) row.firstBytes = histogramOf(time);
}

/** A row that counts nothing yet. */
export function emptyRow({
  bucket,
  harness,
  model,
  tier,
}: Pick<RollupRow, "bucket" | "harness" | "model" | "tier">): RollupRow {
  return {
    bucket,
    harness,
    model,
    tier,
    requests: 0,
    errors: 0,
    input: 0,
    cached: 0,
    cacheWrite: 0,
    output: 0,
    reasoning: 0,
    cost: 0,
    blocked: 0,
    fallbacks: 0,
    firstBytes: "",
  };
}

/** What limits count for a request: all its attempts together. */
export function amountOf(rows: readonly RollupRow[]): Amount {
  const sum = noAmount();
  for (const row of rows) {
    sum.cost += row.cost;
    sum.tokens += row.input + row.output;
    sum.requests += row.requests;
  }
  return sum;
}

function pico(cost: number | null | undefined): number {
  return cost === null || cost === undefined || !Number.isFinite(cost) ? 0 : toPico(cost);
}
