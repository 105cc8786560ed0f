/** Brings a workspace's state back from the disk, before the first request is admitted. */
import type { Limits } from "../../policy/limits.ts";
import type { Config } from "../../store/config.ts";
import { hold, type LeaseState } from "../rules/lease.ts";
import { periodNames } from "../rules/period.ts";
import { addTo, spentIn } from "../rules/spend.ts";
import { newState, wholeWorkspace, type WorkspaceState } from "../rules/state.ts";
import { readAnswerLengths } from "./answer-lengths.ts";
import {
  readQuota,
  readStoredDocument,
  type StoredDocument,
  writeStoredDocument,
} from "./document.ts";
import { readKeys } from "./keys.ts";
import { readLeases, readWindows } from "./live.ts";
import { readOutcomes } from "./outcomes.ts";
import { readSessions } from "./sessions.ts";
import { spentSince } from "./sums.ts";

/** What a state is made of besides its tables. */
export interface LoadContext {
  sql: SqlStorage;
  limits: Limits;
  workspace: string;
  /** The document of a workspace that has none yet. */
  firstDocument: Config;
  now: number;
}

/** The state as the tables have it; a new workspace gets its first document. */
export function loadState(context: LoadContext): WorkspaceState {
  const { sql, limits, workspace, now } = context;
  const document = readStoredDocument(sql) ?? firstStored(context);
  const state = newState(limits, { workspace, ...document });
  for (const key of readKeys(sql)) state.keys.set(key.hash, key);
  state.monthlyRequests = readQuota(sql);
  readWindows(sql, state);
  loadSpend(state, sql, now);
  for (const [name, session] of readSessions(sql)) state.sessions.set(name, session);
  state.answers = readAnswerLengths(sql);
  state.outcomes = readOutcomes(sql);
  return state;
}

function firstStored({ sql, firstDocument }: LoadContext): StoredDocument {
  const document = { config: firstDocument, generation: 1 };
  writeStoredDocument(sql, document);
  return document;
}

/** Sums the running periods anew: at the start, and when the time zone changes. */
export function loadSpend(state: WorkspaceState, sql: SqlStorage, now: number): void {
  state.spend.clear();
  for (const period of periodNames) {
    const { start } = state.calendar.span(period, now);
    for (const [harness, amount] of spentSince(sql, start)) {
      addTo(spentIn(state.spend, state.calendar, { harness, period, now }), amount);
      addTo(spentIn(state.spend, state.calendar, { harness: wholeWorkspace, period, now }), amount);
    }
  }
}

/**
 * Puts the saved leases into the state: those of this boot hold on until they expire, those of another are
 * returned as void, because their connections ended with their process.
 */
export function loadLeases(
  state: WorkspaceState,
  sql: SqlStorage,
  boot: string | null,
): LeaseState[] {
  const saved = readLeases(sql);
  if (saved === undefined) return [];
  for (const lease of saved.leases) hold(state.leases, lease);
  return boot !== null && saved.boot !== boot ? saved.leases : [];
}
