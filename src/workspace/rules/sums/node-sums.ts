/**
 * What keys and persons have spent. A workspace has many of them, so their sums are read one by one at first need, and
 * forgotten when nobody uses them. Days are kept, and weeks and months added up from them: so that nothing is lost
 * where a change of the time zone cuts days elsewhere. Such days count wherever they reach into: a little too much is
 * spent then, and never a second budget.
 */
import type { DayTotal } from "../../contract/reports.ts";
import type { Calendar, PeriodName, PeriodSpan } from "./period.ts";
import type { RollupRow } from "./rollup.ts";
import { addTo, type Amount, noAmount, type Running } from "./spend.ts";

/**
 * Days with use that are kept: the longest period is a month, and a few are cut by a change of the time zone, or from a
 * clock that was ahead. A number, and no time: a clock that is ahead for a moment forgets nothing.
 */
const keptDays = 40;
/** Hours before the last one that are kept, for a clock that is set back. */
const keptHours = 3;

/** The sums of one node as they are saved. */
export interface SavedNodeSum {
  /** The latest that had use. */
  hour: Running;
  /** Hours before it that had use, oldest first; missing where there are none. */
  earlier?: Running[];
  /** Oldest first. */
  days: DayTotal[];
  /** When a key was used last, epoch ms; missing before the first time. */
  used?: number;
}

interface NodeSum extends SavedNodeSum {
  /** Added up from the days when asked for. */
  periods: Map<PeriodName, Running>;
}

/** The sums of keys and persons that are in memory, the one used longest ago first. */
export interface NodeSums {
  readonly known: Map<string, NodeSum>;
  /** Names of those that the disk does not know yet. */
  readonly changed: Set<string>;
  /** When keys were used that were used since the object began, by the node's name; epoch ms. */
  readonly uses: Map<string, number>;
  /** What the disk has; undefined where a node has no sums yet. */
  readonly read: (name: string) => SavedNodeSum | undefined;
}

/** No sums in memory. */
export function newNodeSums(read: NodeSums["read"] = () => undefined): NodeSums {
  return { known: new Map(), changed: new Set(), uses: new Map(), read };
}

/** The node's sums for the disk. */
export function savedNodeSum(sums: NodeSums, name: string): SavedNodeSum {
  const { hour, earlier, days, used } = sumOf(sums, name);
  const last = sums.uses.get(name) ?? used;
  return { hour, ...(earlier && { earlier }), days, ...(last !== undefined && { used: last }) };
}

/** The key is used. Saved with its sums, which the end of its request changes. */
export function noteUse(sums: NodeSums, name: string, now: number): void {
  sums.uses.set(name, Math.max(now, sums.uses.get(name) ?? 0));
}

/** When the key was used last, epoch ms; undefined where its sums do not say. */
export function lastUse(sums: NodeSums, name: string): number | undefined {
  return sums.uses.get(name) ?? (sums.known.get(name) ?? sums.read(name))?.used;
}

/** When something is read or booked. */
export interface NodeTime {
  calendar: Calendar;
  /** Epoch ms. */
  now: number;
}

/** The node's total of the period that runs. */
export function nodeSpent(
  sums: NodeSums,
  name: string,
  { period, calendar, now }: NodeTime & { period: PeriodName },
): Running {
  const sum = sumOf(sums, name);
  const span = calendar.span(period, now);
  if (period === "hour") return hourOf(sum, span, calendar);
  const known = sum.periods.get(period);
  if (known?.start === span.start && known.end === span.end) return known;
  const total = noAmount();
  for (const day of sum.days) if (meets(day, span)) addTo(total, amountOfDay(day));
  const running = { ...total, start: span.start, end: span.end };
  sum.periods.set(period, running);
  return running;
}

/** Books what a request used that began at `time`. */
export function bookNode(
  sums: NodeSums,
  name: string,
  { rows, amount, time, calendar, now }: NodeTime & Booking,
): void {
  const sum = sumOf(sums, name);
  hourOf(sum, calendar.span("hour", now), calendar);
  if (time >= sum.hour.start) addTo(sum.hour, amount);
  else addToEarlier(sum, calendar.span("hour", time), amount);
  const day = dayAt(sum, { calendar, now, time });
  for (const row of rows) addRowToDay(day, row);
  for (const running of sum.periods.values()) if (meets(day, running)) addTo(running, amount);
  sums.changed.add(name);
}

interface Booking {
  rows: readonly RollupRow[];
  /** What limits count for the rows. */
  amount: Amount;
  /** Epoch ms. */
  time: number;
}

/** The node's days, oldest first. */
export function daysOf(sums: NodeSums, name: string): readonly DayTotal[] {
  return sumOf(sums, name).days;
}

/** Forgets sums that are on disk and not in use, least recently used first, until so many are left. */
export function forgetIdle(
  sums: NodeSums,
  { most, isHeld }: { most: number; isHeld: (name: string) => boolean },
): void {
  for (const name of sums.known.keys()) {
    if (sums.known.size <= most) return;
    if (!sums.changed.has(name) && !isHeld(name)) sums.known.delete(name);
  }
}

/** The node is gone. */
export function dropNode(sums: NodeSums, name: string): void {
  sums.known.delete(name);
  sums.changed.delete(name);
  sums.uses.delete(name);
}

function sumOf(sums: NodeSums, name: string): NodeSum {
  let sum = sums.known.get(name);
  if (sum === undefined) {
    const saved = sums.read(name);
    const hour = saved?.hour ?? { ...noAmount(), start: 0, end: 0 };
    sum = { hour, days: saved?.days ?? [], periods: new Map() };
    if (saved?.earlier !== undefined) sum.earlier = saved.earlier;
    if (saved?.used !== undefined) sum.used = saved.used;
  } else sums.known.delete(name);
  // Set anew, so that the one used longest ago stands first.
  sums.known.set(name, sum);
  return sum;
}

/** The total of an hour: the latest one, a new one, or where the clock was set back one before. */
function hourOf(sum: NodeSum, span: PeriodSpan, calendar: Calendar): Running {
  if (sum.hour.start < span.end) {
    const before = sum.hour;
    sum.hour = runningHour(before, span);
    if (before.end <= span.start && isUsed(before))
      sum.earlier = [...(sum.earlier ?? []), before].slice(-keptHours);
    return sum.hour;
  }
  const { earlier = [] } = sum;
  const known = earlier.find((hour) => meets(hour, span));
  if (known !== undefined) return known;
  const oldest = earlier[0] ?? sum.hour;
  const amount = span.start < oldest.start ? mostBefore(sum, span, calendar) : noAmount();
  return { ...amount, start: span.start, end: span.end };
}

/** Of an hour before those that are kept: what its day has beside them. Never too little, and gone with the day. */
function mostBefore(
  { hour, earlier = [], days }: NodeSum,
  { start }: PeriodSpan,
  calendar: Calendar,
): Amount {
  const today = calendar.span("day", start);
  const total = noAmount();
  for (const day of days) if (meets(day, today)) addTo(total, amountOfDay(day));
  for (const kept of [...earlier, hour]) {
    if (!meets(kept, today)) continue;
    addTo(total, { cost: -kept.cost, tokens: -kept.tokens, requests: -kept.requests });
  }
  return total;
}

/** What is older than the hours that are kept is in its day alone. */
function addToEarlier(sum: NodeSum, span: PeriodSpan, amount: Amount): void {
  const { earlier = [] } = sum;
  const known = earlier.find((hour) => meets(hour, span));
  if (known !== undefined) return addTo(known, amount);
  if (span.start < (earlier[0] ?? sum.hour).start) return;
  const hours = [...earlier, { ...amount, start: span.start, end: span.end }];
  sum.earlier = hours.sort((left, right) => left.start - right.start).slice(-keptHours);
}

function isUsed({ cost, tokens, requests }: Amount): boolean {
  return cost > 0 || tokens > 0 || requests > 0;
}

/** An hour that a change of the time zone cut continues in the hour that it overlaps, to the later end of both. */
function runningHour(hour: Running, span: PeriodSpan): Running {
  if (hour.start === span.start) return hour;
  if (hour.end <= span.start) return { ...noAmount(), start: span.start, end: span.end };
  return { ...hour, start: span.start, end: Math.max(hour.end, span.end) };
}

function meets(one: PeriodSpan, other: PeriodSpan): boolean {
  return one.start < other.end && other.start < one.end;
}

/** The day that holds the time; the oldest are forgotten when a new one begins. */
function dayAt(sum: NodeSum, { calendar, now, time }: NodeTime & { time: number }): DayTotal {
  const today = calendar.span("day", now);
  const span = time >= today.start ? today : calendar.span("day", time);
  const known = sum.days.findLast((day) => day.start === span.start && day.end === span.end);
  if (known !== undefined) return known;
  const day = { ...emptyDay, start: span.start, end: span.end };
  const days = [...sum.days, day].sort((left, right) => left.start - right.start);
  sum.days = days.slice(-keptDays);
  return day;
}

const emptyDay = { requests: 0, errors: 0, input: 0, cached: 0, output: 0, cost: 0 };

function addRowToDay(day: DayTotal, row: RollupRow): void {
  day.requests += row.requests;
  day.errors += row.errors;
  day.input += row.input;
  day.cached += row.cached;
  day.output += row.output;
  day.cost += row.cost;
}

function amountOfDay({ cost, input, output, requests }: DayTotal): Amount {
  return { cost, tokens: input + output, requests };
}
