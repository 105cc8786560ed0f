/**
 * Measures how work grows with its size: once on many, against again and again on few that are as many together. Work
 * that grows as its size does takes the same time both ways. Times are compared with each other only, as processor
 * time where the system counts it: machines differ, and are busy.
 */
import { readFileSync } from "node:fs";

/** What some work took, in ms. */
export interface Growth {
  readonly count: number;
  /** At a sixteenth of the count, sixteen times. */
  readonly time: number;
  readonly timeAtOnce: number;
}

/** Four doublings lie between the two sizes. */
const parts = 16;
/**
 * So many times the time of linear work. What no longer fits in the processor's caches costs up to four times as much an
 * element; a second loop costs sixteen times.
 */
const allowed = 6;
/** Small enough to look at every way of every shape. */
const screened = 2_000;
/** Looks steep enough for a closer look. */
const suspicious = 2;
/** Work of this size that takes less holds no second loop, in ms. */
const measurable = 3;
/** Below the members that one object of a request may have: a larger body is refused unparsed. */
const measured = 9_600;
const measurements = 10;
/** Longer than any pause for garbage, in ms. */
const long = 500;

/** Undefined for work that grows as its size does; else the best of all measurements. */
export function steepGrowth(work: (count: number) => void): Growth | undefined {
  return looksSteep(work) ? measuredGrowth(work) : undefined;
}

function looksSteep(work: (count: number) => void): boolean {
  let atOnce = timeAtOnce(work, screened);
  if (atOnce <= measurable) return false;
  const bound = suspicious * timeInParts(work, screened);
  for (let retries = 3; atOnce > bound && retries > 0; retries--)
    atOnce = Math.min(atOnce, timeAtOnce(work, screened));
  return atOnce > bound;
}

function measuredGrowth(work: (count: number) => void): Growth | undefined {
  const best = { count: measured, time: Infinity, timeAtOnce: Infinity };
  for (let round = 0; round < measurements; round++) {
    // Noise only ever adds time, and does not come again each time.
    globalThis.gc?.();
    best.time = Math.min(best.time, timeInParts(work, measured));
    globalThis.gc?.();
    best.timeAtOnce = Math.min(best.timeAtOnce, timeAtOnce(work, measured));
    if (best.timeAtOnce <= allowed * best.time) return undefined;
    // No noise takes so long: quadratic work would be measured for minutes.
    if (best.timeAtOnce > Math.max(long, 2 * allowed * best.time)) break;
  }
  return best;
}

function timeAtOnce(work: (count: number) => void, count: number): number {
  return timeOf(() => work(count));
}

function timeInParts(work: (count: number) => void, count: number): number {
  return timeOf(() => {
    for (let part = 0; part < parts; part++) work(count / parts);
  });
}

function timeOf(work: () => void): number {
  const start = threadTime();
  work();
  return threadTime() - start;
}

/** This thread's processor time in ms; the clock's where the system has no such file. */
const threadTime = ((): (() => number) => {
  const file = "/proc/thread-self/schedstat";
  const read = (): number => Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6;
  try {
    return read() > 0 ? read : () => performance.now();
  } catch {
    return () => performance.now();
  }
})();

/** The function with its results kept: measured work must not make its input again and again. */
export function remembered<T>(make: (count: number) => T): (count: number) => T {
  const made = new Map<number, T>();
  return (count) => {
    const known = made.get(count) ?? make(count);
    made.set(count, known);
    return known;
  };
}
