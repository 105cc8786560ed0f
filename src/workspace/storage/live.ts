/** Request windows and leases: what changes with every request, saved whole. */
import { type LeaseState } from "../rules/lease.ts";
import { wholeWorkspace, type WorkspaceState } from "../rules/state.ts";
import { newWindow } from "../rules/window.ts";
import { readMeta, writeMeta } from "./meta.ts";

/** A window longer than this is not saved whole: only its newest requests. */
const savedTimes = 20_000;

/** Puts the saved windows into the state. */
export function readWindows(sql: SqlStorage, { limits, windows }: WorkspaceState): void {
  const { window } = limits;
  if (window === null) return;
  // Written by writeWindows alone: times in ms, oldest first.
  const saved =
    window.scope === "workspace"
      ? { [wholeWorkspace]: (readMeta(sql, "window") ?? []) as number[] }
      : ((readMeta(sql, "throttles") ?? {}) as Record<string, number[]>);
  for (const [name, times] of Object.entries(saved)) windows.set(name, newWindow(window, times));
}

/** Saves all windows of the state. */
export function writeWindows(sql: SqlStorage, { limits, windows }: WorkspaceState): void {
  if (limits.window === null) return;
  const times = Object.fromEntries(
    Array.from(windows, ([name, window]) => [name, window.times.slice(-savedTimes)]),
  );
  if (limits.window.scope === "harness") writeMeta(sql, "throttles", times);
  else writeMeta(sql, "window", times[wholeWorkspace] ?? []);
}

/** Leases, with the process that their requests ran in: `BOOT_ID`, null where it is not set. */
export interface SavedLeases {
  boot: string | null;
  leases: LeaseState[];
}

/** Undefined where none were ever saved. */
export function readLeases(sql: SqlStorage): SavedLeases | undefined {
  // Written by writeLeases alone.
  return readMeta(sql, "leases") as SavedLeases | undefined;
}

/** Replaces what was saved. */
export function writeLeases(sql: SqlStorage, saved: SavedLeases): void {
  writeMeta(sql, "leases", saved);
}
