/** Sums the running periods anew from the tables: when the time zone changed, the clock went back, or they were not saved. */
import { periodNames } from "../rules/sums/period.ts";
import { addTo, type Amount, isWithin, spentIn } from "../rules/sums/spend.ts";
import { monthAfter, monthStart, withRequests } from "../rules/month.ts";
import { wholeWorkspace } from "../rules/nodes.ts";
import type { WorkspaceState } from "../rules/state.ts";
import type { LevelSpan, SumMarks } from "../rules/sums/sum-levels.ts";
import { hasOldSums } from "./folding.ts";
import { pauseSumming, sliceRows } from "./sql/slices.ts";
import { ofHarnesses, walkSums } from "./tables/sums.ts";

/** What is summed, and where. */
export interface SpendContext {
  sql: SqlStorage;
  state: WorkspaceState;
  marks: SumMarks;
  now: number;
  /** The requests of the month of UTC as well: they are saved by themselves, and known but where the clock went back. */
  withMonth: boolean;
}

const endless = Number.MAX_SAFE_INTEGER;

/**
 * Everything that was booked must be on the disk, and nothing may be moved between tables meanwhile. What is booked
 * during the reading goes into quarter-hours alone, which are read first and at once; the rest is read in slices.
 */
export async function sumSpend(context: SpendContext): Promise<void> {
  const { sql, state, marks, now, withMonth } = context;
  const { calendar } = state;
  // A week may begin before its month.
  const starts = [calendar.span("month", now).start, calendar.span("week", now).start];
  const from = Math.min(...starts, monthStart(now));
  state.spend.clear();
  if (withMonth) state.month = { start: monthStart(now), requests: 0 };
  addSpan(context, { level: "quarters", from, to: endless });
  const spans: LevelSpan[] = [
    { level: "hours", from: Math.max(from, marks.hoursFrom), to: endless },
    { level: "days", from, to: marks.hoursFrom },
  ];
  if (hasOldSums(sql)) spans.push({ level: "rollups", from, to: endless });
  await walkSums(sql, {
    spans,
    sliceRows,
    pause: pauseSumming,
    read: (span) => addSpan(context, span),
  });
  // In another time zone since, they are summed again.
  state.spendKnown = state.calendar === calendar;
}

/** Limits count what was admitted: what was refused before, such as an unknown model, has no model here. */
const countedRequests = "SUM(CASE WHEN model = '' THEN 0 ELSE requests END)";

/** How many rows were scanned. */
function addSpan(
  { state, sql, now, withMonth }: SpendContext,
  { level, from, to }: LevelSpan,
): number {
  const cursor = sql.exec(
    `SELECT bucket, harness, SUM(cost) AS cost, SUM(input + output) AS tokens, ${countedRequests} AS requests
     FROM ${level} WHERE bucket >= ? AND bucket < ? AND ${ofHarnesses} GROUP BY bucket, harness`,
    from,
    to,
  );
  for (const row of cursor) {
    const time = Number(row["bucket"]);
    const amount = {
      cost: Number(row["cost"]),
      tokens: Number(row["tokens"]),
      requests: Number(row["requests"]),
    };
    addAmount(state, { now, time, harness: String(row["harness"]), amount });
    if (withMonth && time < monthAfter(now))
      state.month = withRequests(state.month, { requests: amount.requests, time, now });
  }
  return cursor.rowsRead;
}

interface Booked {
  now: number;
  time: number;
  harness: string;
  amount: Amount;
}

function addAmount(
  { spend, calendar }: WorkspaceState,
  { now, time, harness, amount }: Booked,
): void {
  for (const name of [harness, wholeWorkspace]) {
    for (const period of periodNames) {
      const running = spentIn(spend, calendar, { harness: name, period, now });
      if (isWithin(time, running)) addTo(running, amount);
    }
  }
}

/** Start of the newest bucket that has sums, epoch ms. */
export function newestBucket(sql: SqlStorage): number {
  const newest = (level: string): string => `COALESCE((SELECT MAX(bucket) FROM ${level}), 0)`;
  const levels = ["quarters", "hours", "days"].map(newest).join(", ");
  return Number(sql.exec(`SELECT MAX(${levels}) AS newest`).one()["newest"]);
}
