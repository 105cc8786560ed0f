/** What a finished request changes in memory. It is written with the next batch. */
import { addAnswerLength, pairKey } from "./answer-lengths.ts";
import { maximumOf } from "./budget.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { toDollars } from "./sums/cost.ts";
import { recordAttempt } from "./cooldown.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { leaseTime, type LeaseState, release } from "./lease.ts";
import { bookNode } from "./sums/node-sums.ts";
import { hasOwnSums, nodesOf, personNode, type SpendPath } from "./nodes.ts";
import type { LimitState } from "./budget.ts";
import { amountOf, type RollupRow, rollupsOf, timeOf } from "./sums/rollup.ts";
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

/** A request that was lost, as it is booked and logged. */
export interface LostRequest extends BookedRequest {
  record: RequestRecord;
}

/**
 * Ends a request that will never be settled: its caller is gone. What it was sent, and what was set aside for an
 * answer that nobody saw, may have been billed: both are booked, and a row of the log says so.
 */
export function abandonRequest(state: WorkspaceState, lease: LeaseState, now: number): LostRequest {
  release(state.leases, lease.id);
  const record = lostRecord(lease);
  const rows = rollupsOf(record, now);
  const path = livingPath(state, lease);
  bookRows(state, { rows, path }, { time: lease.started, now });
  return { rows, path, record };
}

/** What was booked for the request of that row. */
export function bookedForLost(state: WorkspaceState, record: RequestRecord): BookedRequest {
  const { harness, key_id: key, person, time } = record;
  return {
    rows: rollupsOf(record, Date.parse(time)),
    path: livingPath(state, { harness, key, person }),
  };
}

/** No status of a provider: the gateway does not know what became of it. */
const lostStatus = 500;
const lostWords =
  "The gateway ended, or lost the request, before it was told how the request ended: its use and cost are what was set aside for it.";

function lostRecord({
  id,
  harness,
  key,
  person,
  format,
  lost,
  ...lease
}: LeaseState): RequestRecord {
  const { model, input, output = 0, cost } = lost;
  return {
    id,
    time: isoTime(lease.started),
    harness,
    ...(key !== undefined && { key_id: key }),
    ...(person !== undefined && { person }),
    format: format ?? "chat",
    requested_model: model,
    tier: null,
    reason: null,
    confidence: null,
    attempts: [],
    model: model === "" ? null : model,
    provider: model === "" ? null : model.slice(0, Math.max(0, model.indexOf("/"))),
    status: lostStatus,
    outcome: "failed",
    stream: false,
    usage: {
      input_tokens: input,
      cached_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: output,
      reasoning_tokens: 0,
      estimated: true,
    },
    cost: toDollars(Math.round(cost)),
    dropped: [],
    first_byte_ms: null,
    // Until it was heard of last.
    total_ms: Math.max(0, lease.expires - leaseTime - lease.started),
    error: lostWords,
    lost: true,
  };
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
