/**
 * The decision about one request, in memory and in one go: nothing can come between a check and the count
 * that follows from it. Nothing is counted before every check has passed.
 */
import { problemCodes } from "../../core/problem.ts";
import { fullest } from "../../core/spend.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { Refusal } from "../../policy/refusal.ts";
import { pairKey, usualAnswerLength } from "./answer-lengths.ts";
import { type Expected, type Judgement, judge, type LimitState } from "./budget.ts";
import type {
  AdmitAnswer,
  AdmitGrant,
  AdmitRequest,
  CandidateEstimate,
  ForeseeRequest,
  Foresight,
  RateState,
} from "../contract/admission.ts";
import type { SessionState } from "../contract/session-state.ts";
import { coolingUntil } from "./cooldown.ts";
import { hold, leaseTime, type LeaseState, release } from "./lease.ts";
import { termsOf } from "./key-terms.ts";
import { limitStates } from "./limit-states.ts";
import { monthAt } from "./month.ts";
import { type SpendPath, wholeWorkspace } from "./nodes.ts";
import { secondsUntilSlot } from "./slot-times.ts";
import { spendStates } from "./spend-states.ts";
import { conversationKey, type WorkspaceState } from "./state.ts";
import {
  countRequest,
  isFull,
  newWindow,
  rateState,
  retryAfter,
  slide,
  type Window,
} from "./window.ts";

/** Judges the request, and counts it where it is admitted. */
export function decide(state: WorkspaceState, request: AdmitRequest, now: number): AdmitAnswer {
  const key = state.keys.get(request.keyHash);
  const window = windowOf(state, key?.harness ?? request.harness);
  if (window !== undefined) slide(window, now);
  const admission: Admission = { state, request, window, now };
  const bad = keyRefusal(key, now);
  if (key === undefined || bad !== undefined)
    return refused(admission, bad ?? { code: problemCodes.unknownKey });
  if (isStale(state, request, key))
    return { verdict: "stale", snapshot: state.snapshot, key: termsOf(state, key) };
  const full = windowRefusal(state, window, now);
  if (full !== undefined) return refused(admission, full);
  return request.weight === "light" ? admitCounted(admission) : admitGeneration(admission, key);
}

function isStale(
  state: WorkspaceState,
  request: AdmitRequest,
  { version = 0 }: KeyRecord,
): boolean {
  const { generation, keyVersion = version } = request;
  return generation !== state.snapshot.generation || keyVersion !== version;
}

/** Whose requests those of the key are. */
export function pathOf({ harness, id: key, person }: KeyRecord): SpendPath {
  return person === undefined ? { harness, key } : { harness, key, person };
}

interface Admission {
  state: WorkspaceState;
  request: AdmitRequest;
  window: Window | undefined;
  now: number;
}

function refused({ window, now }: Admission, refusal: Refusal): AdmitAnswer {
  return { verdict: "refused", refusal, rate: rateOf(window, now) };
}

/** A request that only counts in the window: it holds no slot and meets no limit. */
function admitCounted(admission: Admission): AdmitGrant {
  const { window, now, request } = admission;
  if (window !== undefined) countRequest(window, now);
  const affordable = request.candidates.map((candidate) => candidate.id);
  return granted(admission, null, affordable);
}

function admitGeneration(admission: Admission, key: KeyRecord): AdmitAnswer {
  const { state, request, window, now } = admission;
  const path = pathOf(key);
  const busy = slotRefusal(state, request, now) ?? quotaRefusal(state, now);
  if (busy !== undefined) return refused(admission, busy);
  const budget = budgetOf(state, request, { path, now });
  if (!budget.ok) return refused(admission, budget.refusal);
  // A retried call whose first answer was lost is the same request: its slot and its count are already taken.
  const again = release(state.leases, request.requestId) !== undefined;
  if (window !== undefined && !again) countRequest(window, now);
  hold(state.leases, leaseFor(request, { path, budget, now }));
  const grant = granted(admission, { id: request.requestId }, budget.affordable);
  addExpectedLengths(grant, budget.setAside);
  if (budget.most !== undefined) grant.bounds = { reserve: budget.reserve, most: budget.most };
  const spend = fullest(spendStates(state, key, now));
  if (spend !== undefined) grant.spend = spend;
  return grant;
}

/** Tokens that are set aside, by candidate: of its answer, and where there are some of what its provider adds. */
function addExpectedLengths(grant: AdmitGrant, expected: Readonly<Record<string, Expected>>): void {
  const setAside: Record<string, number> = (grant.setAside = {});
  for (const id of grant.affordable) {
    const { output = 0, added = 0 } = expected[id] ?? {};
    setAside[id] = output;
    if (added > 0) (grant.addedInput ??= {})[id] = added;
  }
}

/** Whether the key may call; undefined when it may. */
export function keyRefusal(key: KeyRecord | undefined, now: number): Refusal | undefined {
  if (key === undefined) return { code: problemCodes.unknownKey };
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now)
    return { code: problemCodes.expiredKey };
  return undefined;
}

/** The window that counts requests of this harness; undefined where there is none. */
export function windowOf(state: WorkspaceState, harness: string): Window | undefined {
  const limit = state.limits.window;
  if (limit === null) return undefined;
  const name = limit.scope === "workspace" ? wholeWorkspace : harness;
  let window = state.windows.get(name);
  if (window === undefined) state.windows.set(name, (window = newWindow(limit)));
  return window;
}

/** The window as callers are told of it. */
export function rateOf(window: Window | undefined, now: number): RateState | null {
  return window === undefined ? null : rateState(window, now);
}

/** What a request would meet if it came now. */
export function foresee(state: WorkspaceState, request: ForeseeRequest, now: number): Foresight {
  const budget = budgetOf(state, request, { path: { harness: request.harness }, now });
  return {
    ...healthAndSession(state, request, now),
    affordable: budget.ok ? budget.affordable : [],
  };
}

function sessionOf(state: WorkspaceState, request: ForeseeRequest): SessionState | undefined {
  const { harness, session } = request;
  return session === undefined ? undefined : state.sessions.get(conversationKey(harness, session));
}

/** What admission returns besides the budget. */
function healthAndSession(
  state: WorkspaceState,
  request: ForeseeRequest,
  now: number,
): Pick<Foresight, "session" | "cooling"> {
  const session = sessionOf(state, request);
  const cooling: Record<string, number> = {};
  if (state.limits.coolsDown) {
    for (const { id } of request.candidates) {
      const until = coolingUntil(state.cooling, id, now);
      if (until !== undefined) cooling[id] = until;
    }
  }
  return { session: session ?? null, cooling };
}

function granted(
  { state, request, window, now }: Admission,
  lease: AdmitGrant["lease"],
  affordable: string[],
): AdmitGrant {
  const { session, cooling } = healthAndSession(state, request, now);
  const rate = rateOf(window, now);
  const grant: AdmitGrant = { verdict: "admitted", lease, rate, session, cooling, affordable };
  if (state.harnesses.get(request.harness)?.routing?.learning === true)
    grant.outcomes = state.outcomes.get(request.harness) ?? {};
  return grant;
}

function windowRefusal(
  state: WorkspaceState,
  window: Window | undefined,
  now: number,
): Refusal | undefined {
  if (window === undefined || !isFull(window)) return undefined;
  const code = state.limits.window?.scope === "harness" ? "throttle" : problemCodes.workspaceRate;
  return { code, retryAfter: retryAfter(window, now), limit: window.limit };
}

function slotRefusal(
  { limits, leases, slotTimes }: WorkspaceState,
  { requestId, keyHash: key }: AdmitRequest,
  now: number,
): Refusal | undefined {
  const { slots } = limits;
  const { byId } = leases;
  // A retried call whose first answer was lost has its slot.
  if (slots === null || byId.size < slots || byId.has(requestId)) return undefined;
  const begun = [...byId.values()].map(({ started }) => started);
  const seconds = secondsUntilSlot(slotTimes, { key, begun, slots, now });
  return { code: problemCodes.concurrency, retryAfter: seconds, limit: slots };
}

function quotaRefusal(state: WorkspaceState, now: number): Refusal | undefined {
  const limit = state.monthlyRequests;
  if (limit === null) return undefined;
  const used = usedOfQuota(state, now);
  return used < limit ? undefined : { code: problemCodes.monthlyQuota, limit, used };
}

/** Requests of the running month of UTC, those under way included. */
export function usedOfQuota(state: WorkspaceState, now: number): number {
  return monthAt(state.month, now).requests + state.leases.byId.size;
}

function budgetOf(
  state: WorkspaceState,
  request: ForeseeRequest,
  { path, now }: { path: SpendPath; now: number },
): Judgement {
  const { harness } = path;
  const current = sessionOf(state, request)?.model;
  return judge({
    current,
    candidates: withKnownInput(state, request, harness),
    flexible: request.flexible,
    limits: blockingLimits(state, path, now),
    usual: (model) => usualAnswerLength(state.answers, pairKey(harness, model)),
  });
}

function blockingLimits(state: WorkspaceState, path: SpendPath, now: number): LimitState[] {
  const limits = limitStates(state, path, now);
  return limits.length === 0 ? limits : limits.filter(({ entry }) => entry.action === "block");
}

/** Tokens that the answer before adds to the input of the next request. */
const usualTurn = 4096;

/** If the workspace knows the response that the request continues, its length is what the provider adds. */
function withKnownInput(
  state: WorkspaceState,
  { candidates, continues }: ForeseeRequest,
  harness: string,
): readonly CandidateEstimate[] {
  if (continues === undefined) return candidates;
  const before = state.sessions.get(conversationKey(harness, continues));
  if (before === undefined) return candidates;
  const known = before.inputTokens + usualTurn;
  return candidates.map((candidate) => {
    const { addedInput, most, modelMax = Infinity } = candidate;
    if (addedInput === undefined) return candidate;
    const added = Math.min(addedInput, before.inputTokens + Math.max(usualTurn, modelMax));
    return {
      ...candidate,
      addedInput: Math.min(addedInput, known),
      ...(most !== undefined && { most: { ...most, added } }),
    };
  });
}

function leaseFor(
  request: AdmitRequest,
  given: { path: SpendPath; budget: Extract<Judgement, { ok: true }>; now: number },
): LeaseState {
  const { path, budget, now } = given;
  const first =
    request.candidates.find(({ id }) => id === budget.affordable[0]) ?? request.candidates[0];
  const expected = budget.setAside[first?.id ?? ""];
  const lease: LeaseState = {
    id: request.requestId,
    harness: path.harness,
    reserve: budget.reserve,
    lost: {
      model: first?.id ?? "",
      input: Math.round((first?.input ?? 0) + (expected?.added ?? 0)),
      output: Math.round(expected?.output ?? 0),
      cost: expected?.cost ?? 0,
    },
    started: now,
    expires: now + leaseTime,
  };
  if (path.key !== undefined) lease.key = path.key;
  if (path.person !== undefined) lease.person = path.person;
  return lease;
}
