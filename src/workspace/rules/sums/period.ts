/** Hours, days, weeks and months in a time zone, daylight saving included. Weeks begin on Monday. */

/** What a limit can count over. */
export type PeriodName = "hour" | "day" | "week" | "month";
/** All periods, shortest first. */
export const periodNames = ["hour", "day", "week", "month"] as const satisfies PeriodName[];

/** Epoch ms; `end` is the first instant after it. */
export interface PeriodSpan {
  start: number;
  end: number;
}

/** The periods of one time zone. */
export interface Calendar {
  readonly timezone: string;
  /** The period that holds this instant. */
  span(period: PeriodName, at: number): PeriodSpan;
}

const hour = 3_600_000;
const day = 24 * hour;

/** A calendar that remembers the boundaries found last: admission asks for the same four all the time. */
export function calendarOf(timezone: string): Calendar {
  const offset = offsetsOf(timezone);
  const known = new Map<PeriodName, PeriodSpan>();
  return {
    timezone,
    span(period, at) {
      const last = known.get(period);
      if (last !== undefined && at >= last.start && at < last.end) return last;
      const found = findSpan(period, at, offset);
      known.set(period, found);
      return found;
    },
  };
}

/** Milliseconds to add to UTC at that instant. */
type Offset = (at: number) => number;

function offsetsOf(timezone: string): Offset {
  if (timezone === "UTC") return () => 0;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (at) => {
    const whole = Math.floor(at / 1000) * 1000;
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(whole)) parts[type] = Number(value);
    const {
      year = 1970,
      month = 1,
      day: date = 1,
      hour: hours = 0,
      minute = 0,
      second = 0,
    } = parts;
    return Date.UTC(year, month - 1, date, hours, minute, second) - whole;
  };
}

function findSpan(period: PeriodName, at: number, offset: Offset): PeriodSpan {
  const local = new Date(at + offset(at));
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  switch (period) {
    case "hour": {
      const start = at - ((((at + offset(at)) % hour) + hour) % hour);
      return { start, end: start + hour };
    }
    case "day":
      return between(Date.UTC(year, month, date), Date.UTC(year, month, date + 1), offset);
    case "week": {
      const monday = date - ((local.getUTCDay() + 6) % 7);
      return between(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7), offset);
    }
    case "month":
      return between(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1), offset);
    default:
      return period satisfies never;
  }
}

/** The instant at which clocks there show the wall time, like `2026-01-31T12:00`; NaN if it is not valid. */
export function instantIn(timezone: string, wall: string): number {
  const time = Date.parse(`${wall}Z`);
  return Number.isFinite(time) ? instantOf(time, offsetsOf(timezone)) : NaN;
}

/** What clocks there show at that instant, to the minute, like `2026-01-31T12:00`. */
export function wallTime(timezone: string, at: number): string {
  return new Date(at + offsetsOf(timezone)(at)).toISOString().slice(0, 16);
}

function between(from: number, to: number, offset: Offset): PeriodSpan {
  return { start: instantOf(from, offset), end: instantOf(to, offset) };
}

/**
 * The first instant at which clocks show this wall time or a later one. `wall` is the wall time read as if
 * it were UTC. Where clocks were put forward over it, that is the moment of the change.
 */
function instantOf(wall: number, offset: Offset): number {
  const before = offset(wall - day);
  const after = offset(wall + day);
  if (before === after) return wall - before;
  const first = wall - Math.max(before, after);
  const second = wall - Math.min(before, after);
  for (const instant of [first, second]) if (instant + offset(instant) === wall) return instant;
  return changeBetween(first, second, offset);
}

/** The instant of the change of offset, to the second. */
function changeBetween(low: number, high: number, offset: Offset): number {
  const old = offset(low - 1000);
  let [from, to] = [low - 1000, high];
  while (to - from > 1000) {
    const middle = Math.floor((from + to) / 2000) * 1000;
    if (offset(middle) === old) from = middle;
    else to = middle;
  }
  return to;
}
