/**
 * What changes with every request, saved as one row: request windows, leases, what is spent in the running periods
 * and how requests ended. A request costs one written row for all of them.
 */
import type { Outcomes } from "../../contract/outcomes.ts";
import { type LeaseState } from "../../rules/lease.ts";
import type { MonthCount } from "../../rules/month.ts";
import { type PeriodName } from "../../rules/sums/period.ts";
import type { Running } from "../../rules/sums/spend.ts";
import { type WorkspaceState } from "../../rules/state.ts";
import { newWindow } from "../../rules/window.ts";
import { readMeta, writeMeta } from "./meta.ts";

/** Of all windows together, the newest times that are saved. */
const savedTimes = 20_000;
/** Leases beyond these are in memory alone: only the variant without slots has as many. */
const savedLeases = 1000;

/** The row. */
export interface SavedLive {
  /** By the harness, or `wholeWorkspace`: the first time in epoch ms, and the steps from each to the next. */
  windows: Record<string, number[]>;
  /** `BOOT_ID` of the process in which the requests of the leases run; null where it is not set. */
  boot: string | null;
  leases: LeaseState[];
  /** Missing where the running periods were not summed yet. */
  spend?: SavedSpend;
  /** Missing where nothing was counted yet. */
  month?: MonthCount;
  /** By harness. */
  outcomes: Record<string, Outcomes>;
}

interface SavedSpend {
  timezone: string;
  /** By harness. */
  running: Record<string, Partial<Record<PeriodName, Running>>>;
}

/** Undefined in a new workspace. */
export function readLive(sql: SqlStorage): SavedLive | undefined {
  // Written by writeSavedLive alone.
  return readMeta(sql, "live") as SavedLive | undefined;
}

/** Replaces the row. */
export function writeSavedLive(sql: SqlStorage, saved: SavedLive): void {
  writeMeta(sql, "live", saved);
}

/** Saves what the state has of it. */
export function writeLive(sql: SqlStorage, state: WorkspaceState, boot: string | null): void {
  writeSavedLive(sql, {
    windows: windowsOf(state),
    boot,
    leases: [...state.leases.byId.values()].slice(0, savedLeases),
    ...(state.spendKnown && { spend: spendOf(state) }),
    month: state.month,
    outcomes: Object.fromEntries(state.outcomes),
  });
}

/** Puts the windows, the month, outcomes and, where it was saved for this time zone, the spend into the state. */
export function restoreLive(state: WorkspaceState, saved: SavedLive): void {
  const { window } = state.limits;
  if (window !== null) {
    for (const [name, steps] of Object.entries(saved.windows))
      state.windows.set(name, newWindow(window, timesOf(steps)));
  }
  if (saved.month !== undefined) state.month = saved.month;
  state.outcomes = new Map(Object.entries(saved.outcomes));
  state.spendKnown = saved.spend?.timezone === state.calendar.timezone;
  if (saved.spend === undefined || !state.spendKnown) return;
  for (const [harness, running] of Object.entries(saved.spend.running)) {
    // Its keys are names of periods: written by spendOf.
    const periods = Object.entries(running) as [PeriodName, Running][];
    state.spend.set(harness, new Map(periods));
  }
}

/** The saved form of times, epoch ms, oldest first. */
export function timeSteps(times: readonly number[]): number[] {
  return times.map((time, index) => time - (times[index - 1] ?? 0));
}

function timesOf(steps: readonly number[]): number[] {
  let time = 0;
  return steps.map((step) => (time += step));
}

function windowsOf({ limits, windows }: WorkspaceState): Record<string, number[]> {
  if (limits.window === null) return {};
  const used = [...windows].filter(([, { times }]) => times.length > 0);
  const most = Math.floor(savedTimes / Math.max(1, used.length));
  return Object.fromEntries(used.map(([name, { times }]) => [name, timeSteps(times.slice(-most))]));
}

function spendOf({ spend, calendar }: WorkspaceState): SavedSpend {
  const running = Array.from(spend, ([harness, periods]) => [harness, Object.fromEntries(periods)]);
  return { timezone: calendar.timezone, running: Object.fromEntries(running) };
}
