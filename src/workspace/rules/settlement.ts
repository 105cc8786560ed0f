/** What a finished request changes in memory. It is written with the next batch. */
import { addAnswerLength, pairKey } from "./answer-lengths.ts";
import { limitStates } from "./admission.ts";
import { maximumOf } from "./budget.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { toDollars } from "./cost.ts";
import { recordAttempt } from "./cooldown.ts";
import { type LeaseState, release } from "./lease.ts";
import type { LimitEntry } from "../../store/config.ts";
import { amountOf, emptyRow, bucketOf, type RollupRow, rollupsOf, timeOf } from "./rollup.ts";
import { withRequests } from "./month.ts";
import { book, spentIn } from "./spend.ts";
import { countObserved } from "./outcomes.ts";
import { conversationKeys, putSession, wholeWorkspace, type WorkspaceState } from "./state.ts";

/** Frees the slot and books the request. The rows are what the ledger must add. */
export function settleRequest(
  state: WorkspaceState,
  record: RequestRecord,
  now: number,
): RollupRow[] {
  release(state.leases, record.id);
  const rows = rollupsOf(record, now);
  bookRows(state, rows, { harness: record.harness, time: timeOf(record, now), now });
  for (const attempt of record.attempts) {
    recordAttempt(state.cooling, attempt.model, { ...attempt, now });
    const usage = attempt.usage;
    if (attempt.outcome === "ok" && usage !== undefined && !usage.estimated) {
      addAnswerLength(state.answers, pairKey(record.harness, attempt.model), usage.output_tokens);
    }
  }
  for (const key of conversationKeys(record))
    if (record.session !== undefined) putSession(state.sessions, key, record.session.state);
  // A harness that went meanwhile took its counts with it.
  if (record.observed !== undefined && state.harnesses.has(record.harness))
    countObserved(state.outcomes, record.harness, record.observed);
  return rows;
}

/**
 * Ends a request that will never be settled: its caller is gone. What it was sent, and what was set aside for an
 * answer that nobody saw, may have been billed: both are booked.
 */
export function abandonRequest(state: WorkspaceState, lease: LeaseState, now: number): RollupRow[] {
  release(state.leases, lease.id);
  const { model, input, output = 0, cost } = lease.lost;
  const blank = emptyRow({
    bucket: bucketOf(lease.started),
    harness: lease.harness,
    model,
    tier: "",
  });
  const rows = [{ ...blank, requests: 1, errors: 1, input, output, cost: Math.round(cost) }];
  bookRows(state, rows, { harness: lease.harness, time: lease.started, now });
  return rows;
}

/** Takes back what `abandonRequest` booked: the settlement came after all. Negative rows for the ledger. */
export function reverseAbandoned(
  state: WorkspaceState,
  rows: readonly RollupRow[],
  { record, now }: { record: RequestRecord; now: number },
): RollupRow[] {
  const negative = rows.map((row) => ({
    ...row,
    requests: -row.requests,
    errors: -row.errors,
    input: -row.input,
    output: -row.output,
    cost: -row.cost,
  }));
  const time = rows[0]?.bucket ?? now;
  bookRows(state, negative, {
    harness: record.harness,
    time: Math.max(time, timeOf(record, now)),
    now,
  });
  return negative;
}

function bookRows(
  state: WorkspaceState,
  rows: readonly RollupRow[],
  at: { harness: string; time: number; now: number },
): void {
  const amount = amountOf(rows);
  state.month = withRequests(state.month, { ...at, requests: amount.requests });
  book(state.spend, state.calendar, { ...at, amount });
  book(state.spend, state.calendar, { ...at, harness: wholeWorkspace, amount });
}

/** A limit that was exceeded. */
export interface Crossing {
  entry: LimitEntry;
  /** In the limit's own unit, USD for cost. */
  used: number;
  /** Of the period, epoch ms. */
  start: number;
}

/** The harness's limits that only notify and are exceeded now. */
export function crossed(state: WorkspaceState, harness: string, now: number): Crossing[] {
  return limitStates(state, harness, now)
    .filter(({ entry, spent }) => entry.action === "notify" && spent > maximumOf(entry))
    .map(({ entry, spent }) => ({
      entry,
      used: entry.metric === "cost" ? toDollars(spent) : spent,
      start: spentIn(state.spend, state.calendar, { harness, period: entry.period, now }).start,
    }));
}
