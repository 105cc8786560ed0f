/** What a finished request changes in memory. It is written with the next batch. */
import { addAnswerLength, pairKey } from "./answer-lengths.ts";
import { maximumOf } from "./budget.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { toDollars } from "./sums/cost.ts";
import { recordAttempt } from "./cooldown.ts";
import { type LeaseState, release } from "./lease.ts";
import { bookNode } from "./sums/node-sums.ts";
import { hasOwnSums, nodesOf, personNode, type SpendPath } from "./nodes.ts";
import type { LimitState } from "./budget.ts";
import { amountOf, emptyRow, bucketOf, type RollupRow, rollupsOf, timeOf } from "./sums/rollup.ts";
import { withRequests } from "./month.ts";
import { slotLasted } from "./slot-times.ts";
import { book } from "./sums/spend.ts";
import { countObserved } from "./outcomes.ts";
import {
  addSpent,
  conversationKey,
  conversationKeys,
  putSession,
  type WorkspaceState,
} from "./state.ts";
import type { SessionState } from "../contract/session-state.ts";

/** What was booked for a request: the rows that the ledger must add, and whose request it was. */
export interface BookedRequest {
  rows: readonly RollupRow[];
  path: SpendPath;
}

/** The outcome of a settled request. */
export interface SettledRequest extends BookedRequest {
  /** All names of its conversation. */
  names: readonly string[];
  /** The cost of its conversation, where that has a budget. */
  spent?: { name: string; state: SessionState };
  /** Whose answers' lengths became known, by `pairKey`. */
  measured: readonly string[];
}

/** Frees the slot and books the request. */
export function settleRequest(
  state: WorkspaceState,
  record: RequestRecord,
  now: number,
): SettledRequest {
  const lease = release(state.leases, record.id);
  if (lease !== undefined) slotLasted(state.slotTimes, now - lease.started);
  const path = pathOf(state, record, lease);
  const time = timeOf(record, now);
  const rows = rollupsOf(record, now);
  bookRows(state, { rows, path }, { time, now });
  const measured: string[] = [];
  for (const attempt of record.attempts) {
    const { model, outcome, usage } = attempt;
    // Most succeed, and mostly nothing is remembered that a success would end.
    if (outcome !== "ok" || state.cooling.size > 0)
      recordAttempt(state.cooling, model, { ...attempt, now });
    if (outcome !== "ok" || usage === undefined || usage.estimated) continue;
    const pair = pairKey(record.harness, model);
    addAnswerLength(state.answers, pair, usage.output_tokens);
    measured.push(pair);
  }
  const { session, observed } = record;
  const names = conversationKeys(record);
  if (session !== undefined)
    for (const name of names) putSession(state.sessions, name, session.state);
  // A harness that went meanwhile took its counts with it.
  if (observed !== undefined && state.harnesses.has(record.harness))
    countObserved(state.outcomes, record.harness, observed);
  const { budget, cost } = record;
  if (budget === undefined || cost === null || cost === 0) return { rows, path, names, measured };
  const name = conversationKey(record.harness, budget);
  const spent = { name, state: addSpent(state, name, { cost, now }) };
  return { rows, path, names, measured, spent };
}

/** By the lease; where that was lost, by what the record says. */
function pathOf(
  state: WorkspaceState,
  { harness, key_id, person: named }: RequestRecord,
  lease: LeaseState | undefined,
): SpendPath {
  const key = lease?.key ?? key_id;
  const known = key === undefined ? undefined : state.keysById.get(key)?.person;
  const person = lease?.person ?? named ?? known;
  return livingPath(state, { harness, key, person });
}

/** Sums of a key end with it: one that was revoked meanwhile is left out. */
function livingPath(
  { keysById }: WorkspaceState,
  {
    harness,
    key,
    person,
  }: { harness: string; key?: string | undefined; person?: string | undefined },
): SpendPath {
  return {
    harness,
    ...(key !== undefined && keysById.has(key) && { key }),
    ...(person !== undefined && { person }),
  };
}

/** The rows once more under the person's name, so that what a person used can be asked like what a harness did. */
export function withPerson(
  rows: readonly RollupRow[],
  { person }: SpendPath,
): readonly RollupRow[] {
  if (person === undefined) return rows;
  return [...rows, ...rows.map((row) => ({ ...row, harness: personNode(person) }))];
}

/**
 * Ends a request that will never be settled: its caller is gone. What it was sent, and what was set aside for an
 * answer that nobody saw, may have been billed: both are booked.
 */
export function abandonRequest(
  state: WorkspaceState,
  lease: LeaseState,
  now: number,
): BookedRequest {
  release(state.leases, lease.id);
  const { model, input, output = 0, cost } = lease.lost;
  const blank = emptyRow({
    bucket: bucketOf(lease.started),
    harness: lease.harness,
    model,
    tier: "",
  });
  const rows = [{ ...blank, requests: 1, errors: 1, input, output, cost: Math.round(cost) }];
  const path = livingPath(state, lease);
  bookRows(state, { rows, path }, { time: lease.started, now });
  return { rows, path };
}

/** Takes back what `abandonRequest` booked: the settlement came after all. Negative rows for the ledger. */
export function reverseAbandoned(
  state: WorkspaceState,
  { rows, path }: BookedRequest,
  { record, now }: { record: RequestRecord; now: number },
): BookedRequest {
  const negative = rows.map((row) => ({
    ...row,
    requests: -row.requests,
    errors: -row.errors,
    input: -row.input,
    output: -row.output,
    cost: -row.cost,
  }));
  const time = rows[0]?.bucket ?? now;
  const taken = { rows: negative, path };
  bookRows(state, taken, { time: Math.max(time, timeOf(record, now)), now });
  return taken;
}

function bookRows(
  state: WorkspaceState,
  { rows, path }: BookedRequest,
  at: { time: number; now: number },
): void {
  const { calendar } = state;
  const amount = amountOf(rows);
  state.month = withRequests(state.month, { ...at, requests: amount.requests });
  const booking = { time: at.time, now: at.now, rows, amount, calendar };
  for (const node of nodesOf(path)) {
    if (hasOwnSums(node)) bookNode(state.nodes, node, booking);
    else book(state.spend, node, booking);
  }
}

/** A limit that was exceeded; `used` in its own unit, USD for cost. */
export interface Crossing extends Pick<LimitState, "entry" | "name" | "start"> {
  used: number;
}

/** Those of the limits that only notify and are exceeded. */
export function crossed(limits: readonly LimitState[]): Crossing[] {
  return limits
    .filter(({ entry, spent }) => entry.action === "notify" && spent > maximumOf(entry))
    .map(({ entry, name, start, spent }) => ({
      entry,
      name,
      start,
      used: entry.metric === "cost" ? toDollars(spent) : spent,
    }));
}
