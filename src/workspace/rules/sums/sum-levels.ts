/**
 * How fine sums are kept: quarter-hours for two hours, hours for 63 days, days for thirteen months. A quarter-hour is
 * moved into its hour; hours are copied into days when their day has been over for a while, and forgotten later.
 */
import type { SumQuestion } from "../../contract/reports.ts";
import type { Calendar } from "./period.ts";
import { bucketLength, bucketOf } from "./rollup.ts";

/** Milliseconds. */
export const hourLength = 3_600_000;
/** Milliseconds. */
export const dayLength = 24 * hourLength;
/** Quarter-hours are kept for this time, in ms. */
export const keptQuarters = 2 * hourLength;
/** Hours are kept for this time, in ms: the running month of UTC and the one before are exact in any time zone. */
export const keptHours = 63 * dayLength;
/** Sums older than this are forgotten, in ms: thirteen months and a bit. */
export const keptDays = 400 * dayLength;

/** Where a sum may stand. `rollups` is the table of the version before: quarter-hours of any age, until they are moved. */
export type SumLevel = "quarters" | "hours" | "days" | "rollups";

/** Milliseconds of one bucket. */
export const levelLength: Readonly<Record<SumLevel, number>> = {
  quarters: bucketLength,
  rollups: bucketLength,
  hours: hourLength,
  days: dayLength,
};

/** How far the levels reach, epoch ms. */
export interface SumMarks {
  /** The first hour that is kept; older sums are by day only. */
  hoursFrom: number;
  /** Hours before this one are also in days. */
  daysUpTo: number;
  /** Days from `hoursFrom` on were cut by another time zone, and are removed before they are made anew. */
  staleDays: boolean;
}

/** Marks of a workspace that has no sums yet. */
export function firstMarks(now: number): SumMarks {
  const from = Math.floor((now - keptHours) / hourLength) * hourLength;
  return { hoursFrom: from, daysUpTo: from, staleDays: false };
}

/**
 * Start of the hour that a quarter-hour is moved into. Where a day begins in the middle of an hour, the hour is two:
 * so that days are exact in every time zone. An hour from before the time zone was changed counts in the day in which
 * it began.
 */
export function hourOf(bucket: number, calendar: Calendar): number {
  const hour = Math.floor(bucket / hourLength) * hourLength;
  return Math.max(hour, calendar.span("day", bucket).start);
}

/** Start of the row of days that an hour belongs to. */
export function dayOf(hour: number, { hoursFrom }: SumMarks, calendar: Calendar): number {
  const { start } = calendar.span("day", hour);
  // Days before the mark may be cut by another time zone: theirs and this one's stay apart.
  return hour >= hoursFrom ? Math.max(start, hoursFrom) : start;
}

/** A part of a span of time, and where its sums stand; `from` inclusive, `to` exclusive. */
export interface LevelSpan {
  level: SumLevel;
  from: number;
  to: number;
}

/** The coarsest sums that answer the question exactly. A span is widened to the buckets in which it begins and ends. */
export function levelSpans(
  { from, to, by }: Pick<SumQuestion, "from" | "to" | "by">,
  marks: SumMarks,
  calendar: Calendar,
): LevelSpan[] {
  const quarter = { from: bucketOf(from), to: bucketOf(to - 1) + bucketLength };
  const [first, last] =
    by === "day" || by === "span"
      ? wholeDays({ from, to }, marks, calendar)
      : [from, Math.min(to, marks.hoursFrom)];
  const spans: LevelSpan[] = [
    { level: "quarters", ...quarter },
    { level: "rollups", ...quarter },
  ];
  const hours = { from: Math.max(marks.hoursFrom, hourOf(from, calendar)), to };
  if (first >= last) return notEmpty([...spans, { level: "hours", ...hours }]);
  const start = first < marks.hoursFrom ? calendar.span("day", first).start : first;
  return notEmpty([
    ...spans,
    { level: "hours", from: hours.from, to: Math.min(to, first) },
    { level: "days", from: start, to: last },
    { level: "hours", from: Math.max(hours.from, last), to },
  ]);
}

/** The part of the span that rows of days answer: whole days, and everything from before the hours that are kept. */
function wholeDays(
  { from, to }: { from: number; to: number },
  { hoursFrom, daysUpTo }: SumMarks,
  calendar: Calendar,
): [number, number] {
  const complete = Math.max(hoursFrom, calendar.span("day", daysUpTo).start);
  const begun = calendar.span("day", from);
  const first = from < hoursFrom || from === begun.start ? from : begun.end;
  if (to >= complete) return [first, complete];
  const ended = calendar.span("day", to);
  if (ended.start >= hoursFrom) return [first, ended.start];
  return [first, ended.start === to ? to : Math.min(ended.end, hoursFrom)];
}

function notEmpty(spans: readonly LevelSpan[]): LevelSpan[] {
  return spans.filter(({ from, to }) => from < to);
}
