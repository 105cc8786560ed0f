/** What the workspace's object holds in memory: everything that admission reads, and nothing that it must wait for. */
import type { HarnessEntry, LimitEntry } from "../../store/config.ts";
import type { Limits } from "../../policy/limits.ts";
import type { KeyRecord, Snapshot } from "../../store/snapshot.ts";
import type { AnswerLengths } from "./answer-lengths.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import type { SessionState } from "../contract/session-state.ts";
import type { Cooling } from "./cooldown.ts";
import { type Leases, noLeases } from "./lease.ts";
import { dropNode, newNodeSums, type NodeSums } from "./sums/node-sums.ts";
import { keyNode } from "./nodes.ts";
import type { OutcomesByHarness } from "./outcomes.ts";
import { calendarOf, type Calendar } from "./sums/period.ts";
import type { MonthCount } from "./month.ts";
import { newSlotTimes, type SlotTimes } from "./slot-times.ts";
import type { Spend } from "./sums/spend.ts";
import { newWindow, type Window } from "./window.ts";

/** A person as admission knows them. */
export interface PersonState {
  limits: readonly LimitEntry[];
  /** They left the workspace: no key can be made for them. */
  left: boolean;
}

/** The workspace's last changes could not be saved. */
export interface FailingStorage {
  /** Whole seconds until it is tried again. */
  retryAfter: number;
  /** So much waits to be saved that nothing may be added. */
  isFull: boolean;
}

/** The workspace in memory. */
export interface WorkspaceState {
  limits: Limits;
  snapshot: Snapshot;
  harnesses: Map<string, HarnessEntry>;
  /** By the hash of the key's text. */
  keys: Map<string, KeyRecord>;
  keysById: Map<string, KeyRecord>;
  /** Names of the last deleted keys by id: their requests may still be running. */
  goneKeys: Map<string, KeyLabel>;
  /** Persons with limits, and those who left; by id. */
  people: Map<string, PersonState>;
  /** Null: no quota. */
  monthlyRequests: number | null;
  month: MonthCount;
  calendar: Calendar;
  /** By the harness, or `wholeWorkspace` where one window counts all of them. */
  windows: Map<string, Window>;
  leases: Leases;
  /** When slots become free, as far as that can be said. */
  slotTimes: SlotTimes;
  /** Of harnesses and of the whole workspace. */
  spend: Spend;
  /** Of keys and persons. */
  nodes: NodeSums;
  /** False while the running periods are still being summed: `spend` then lacks what was booked long ago. */
  spendKnown: boolean;
  answers: AnswerLengths;
  cooling: Cooling;
  sessions: Map<string, SessionState>;
  outcomes: OutcomesByHarness;
  /** Undefined: everything can be saved. */
  storage: FailingStorage | undefined;
}

/** A workspace where nothing has happened yet. */
export function newState(limits: Limits, snapshot: Snapshot): WorkspaceState {
  const state: WorkspaceState = {
    limits,
    snapshot,
    harnesses: new Map(),
    keys: new Map(),
    keysById: new Map(),
    goneKeys: new Map(),
    people: new Map(),
    monthlyRequests: null,
    month: { start: 0, requests: 0 },
    calendar: calendarOf("UTC"),
    windows: new Map(),
    leases: noLeases(),
    slotTimes: newSlotTimes(),
    spend: new Map(),
    nodes: newNodeSums(),
    spendKnown: true,
    answers: new Map(),
    cooling: new Map(),
    sessions: new Map(),
    outcomes: new Map(),
    storage: undefined,
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

/** Adds the key, or puts a changed one in its place. */
export function putKey(state: WorkspaceState, key: KeyRecord): void {
  state.keys.set(key.hash, key);
  state.keysById.set(key.id, key);
}

/** The key is good no longer. */
export function dropKey(state: WorkspaceState, key: KeyRecord): void {
  state.keys.delete(key.hash);
  state.keysById.delete(key.id);
  state.goneKeys.set(key.id, { name: key.name, last4: key.last4 });
  for (const id of state.goneKeys.keys()) {
    if (state.goneKeys.size <= mostGoneKeys) break;
    state.goneKeys.delete(id);
  }
  dropNode(state.nodes, keyNode(key.id));
}

/** By what people tell keys apart. */
export type KeyLabel = Pick<KeyRecord, "name" | "last4">;

const mostGoneKeys = 200;

/** What the key is called, or was a moment ago; undefined for one that is long gone. */
export function keyLabel({ keysById, goneKeys }: WorkspaceState, id: string): KeyLabel | undefined {
  return keysById.get(id) ?? goneKeys.get(id);
}

/** The empty list of limits, shared: most requests have none. */
const none: readonly LimitEntry[] = [];

/** The person's limits: their own, and of those for everybody the ones that their own do not replace. */
export function personLimitsOf(
  { people, snapshot }: WorkspaceState,
  person: string | undefined,
): readonly LimitEntry[] {
  if (person === undefined) return none;
  const own = people.get(person)?.limits ?? none;
  const general = snapshot.config.person_limits ?? none;
  if (general.length === 0) return own;
  const replaced = ({ metric, period }: LimitEntry): boolean =>
    own.some((limit) => limit.metric === metric && limit.period === period);
  return [...own, ...general.filter((limit) => !replaced(limit))];
}

/** Puts other limits in force; windows keep what they counted. */
export function withLimits(state: WorkspaceState, limits: Limits): WorkspaceState {
  const { window } = limits;
  state.limits = limits;
  const before = state.windows;
  state.windows = new Map();
  if (window === null) return state;
  for (const [name, { times }] of before) state.windows.set(name, newWindow(window, times));
  return state;
}

const mostSessions = 5000;

/** Conversations are told apart by harness, so that no caller reads another's. */
export function conversationKey(harness: string, key: string): string {
  return `${harness} ${key}`;
}

/** All keys under which the record's conversation is kept; none where it says nothing of one. */
export function conversationKeys({ harness, session }: RequestRecord): string[] {
  if (session === undefined) return [];
  return [session.key, ...(session.also ?? [])].map((key) => conversationKey(harness, key));
}

/** Conversations by each of their names; the oldest are given first. */
export function conversationStates(
  conversations: readonly { names: readonly string[]; state: SessionState }[],
): Map<string, SessionState> {
  const states = new Map<string, SessionState>();
  for (const { names, state } of conversations)
    for (const name of names) putSession(states, name, state);
  return states;
}

/** What a conversation with a budget has cost, in USD. */
export function conversationSpent(
  { sessions }: WorkspaceState,
  harness: string,
  key: string,
): number {
  return sessions.get(conversationKey(harness, key))?.spent ?? 0;
}

/** Adds to what a conversation with a budget has cost. Returns its state. */
export function addSpent(
  { sessions }: WorkspaceState,
  name: string,
  { cost, now }: { cost: number; now: number },
): SessionState {
  const before = sessions.get(name);
  const state: SessionState = {
    model: "",
    tier: "",
    lastUsed: now,
    cachedTokens: 0,
    inputTokens: 0,
    turns: (before?.turns ?? 0) + 1,
    spent: (before?.spent ?? 0) + cost,
  };
  putSession(sessions, name, state);
  return state;
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
