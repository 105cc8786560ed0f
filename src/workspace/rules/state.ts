/** What the workspace's object holds in memory: everything that admission reads, and nothing that it must wait for. */
import type { HarnessEntry } from "../../store/config.ts";
import type { VariantName } from "../../store/env.ts";
import type { KeyRecord, Snapshot } from "../../store/snapshot.ts";
import type { AnswerLengths } from "./answer-lengths.ts";
import type { RequestRecord, SessionState } from "../contract/contract.ts";
import type { Cooling } from "./cooldown.ts";
import { type Leases, noLeases } from "./lease.ts";
import type { OutcomesByHarness } from "./outcomes.ts";
import { calendarOf, type Calendar } from "./period.ts";
import type { Spend } from "./spend.ts";
import { newWindow, type Window } from "./window.ts";

/** Variant A's limits; constants, not settings. */
export const workspaceLimit = 200;
export const slotLimit = 10;
export const minute = 60_000;

export interface Policy {
  variant: VariantName;
  /** False in the benchmark build. */
  limits: boolean;
  /** Variant B: requests per milliseconds and agent. */
  throttle: { limit: number; span: number };
}

/** Totals of the whole workspace stand under this name, which no harness can have. */
export const wholeWorkspace = "";

export interface WorkspaceState {
  policy: Policy;
  snapshot: Snapshot;
  harnesses: Map<string, HarnessEntry>;
  /** By the hash of the key's text. */
  keys: Map<string, KeyRecord>;
  /** Null: no quota. */
  monthlyRequests: number | null;
  calendar: Calendar;
  /** Variant A: the workspace's window. */
  window: Window;
  /** Variant B: one window an agent. */
  throttles: Map<string, Window>;
  leases: Leases;
  spend: Spend;
  answers: AnswerLengths;
  cooling: Cooling;
  sessions: Map<string, SessionState>;
  outcomes: OutcomesByHarness;
}

export function newState(policy: Policy, snapshot: Snapshot): WorkspaceState {
  const state: WorkspaceState = {
    policy,
    snapshot,
    harnesses: new Map(),
    keys: new Map(),
    monthlyRequests: null,
    calendar: calendarOf("UTC"),
    window: newWindow(workspaceLimit, minute),
    throttles: new Map(),
    leases: noLeases(),
    spend: new Map(),
    answers: new Map(),
    cooling: new Map(),
    sessions: new Map(),
    outcomes: new Map(),
  };
  return withSnapshot(state, snapshot);
}

/** Puts a new document in force. */
export function withSnapshot(state: WorkspaceState, snapshot: Snapshot): WorkspaceState {
  state.snapshot = snapshot;
  state.harnesses = new Map((snapshot.config.harnesses ?? []).map((entry) => [entry.id, entry]));
  const timezone = snapshot.config.timezone ?? "UTC";
  if (state.calendar.timezone !== timezone) state.calendar = calendarOf(timezone);
  return state;
}

const mostSessions = 5000;

/** Conversations are told apart by harness, so that no caller reads another's. */
export function sessionKey(harness: string, key: string): string {
  return `${harness} ${key}`;
}

/** All names under which the record's conversation is kept; none where it says nothing of one. */
export function sessionNames({ harness, session }: RequestRecord): string[] {
  if (session === undefined) return [];
  return [session.key, ...(session.also ?? [])].map((key) => sessionKey(harness, key));
}

/** Keeps the newest conversations. */
export function putSession(
  sessions: Map<string, SessionState>,
  key: string,
  session: SessionState,
): void {
  sessions.delete(key);
  sessions.set(key, session);
  const oldest = sessions.keys().next().value;
  if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
}
