/** Brings a workspace's state back from the disk, before the first request is admitted. */
import type { Config } from "../../store/config.ts";
import type { Outcomes, SessionState } from "../contract/contract.ts";
import { hold, type LeaseState } from "../rules/lease.ts";
import { spentSince } from "./ledger.ts";
import { periodNames } from "../rules/period.ts";
import { readDocument, readKeys, readMeta, readNamed, writeDocument } from "./registry.ts";
import { addTo, spentIn } from "../rules/spend.ts";
import { newState, type Policy, wholeWorkspace, type WorkspaceState } from "../rules/state.ts";
import { newWindow } from "../rules/window.ts";

export interface LoadContext {
  sql: SqlStorage;
  policy: Policy;
  workspace: string;
  /** The document of a workspace that has none yet. */
  firstDocument: Config;
  now: number;
}

export function load(context: LoadContext): WorkspaceState {
  const { sql, policy, workspace, now } = context;
  let document = readDocument(sql);
  if (document === undefined) {
    document = { config: context.firstDocument, generation: 1 };
    writeDocument(sql, document.config, document.generation);
  }
  const state = newState(policy, { workspace, ...document });
  for (const key of readKeys(sql)) state.keys.set(key.hash, key);
  const quota = readMeta(sql, "quota");
  state.monthlyRequests = typeof quota === "number" ? quota : null;
  loadWindows(state, sql);
  loadSpend(state, sql, now);
  // These tables are written by the batch alone, in these shapes.
  for (const [name, value] of readNamed(sql, "sessions"))
    state.sessions.set(name, value as SessionState);
  for (const [name, value] of readNamed(sql, "answers"))
    state.answers.set(name, { lengths: value as number[] });
  for (const [harness, value] of readNamed(sql, "outcomes"))
    state.outcomes.set(harness, value as Outcomes);
  return state;
}

function loadWindows(state: WorkspaceState, sql: SqlStorage): void {
  // Written by the batch: times in ms, oldest first.
  state.window.times = (readMeta(sql, "window") as number[] | undefined) ?? [];
  const throttles = (readMeta(sql, "throttles") as Record<string, number[]> | undefined) ?? {};
  const { limit, span } = state.policy.throttle;
  for (const [name, times] of Object.entries(throttles))
    state.throttles.set(name, newWindow(limit, span, times));
}

/** Sums the running periods anew from the ledger: at the start, and when the time zone changes. */
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
 * The leases that were saved: those of this boot hold on until they expire, those of another are returned
 * as void, because their connections ended with their process.
 */
export function loadLeases(
  state: WorkspaceState,
  sql: SqlStorage,
  boot: string | null,
): LeaseState[] {
  // Written by the batch.
  const saved = readMeta(sql, "leases") as
    | { boot: string | null; leases: LeaseState[] }
    | undefined;
  if (saved === undefined) return [];
  for (const lease of saved.leases) hold(state.leases, lease);
  return boot !== null && saved.boot !== boot ? saved.leases : [];
}
