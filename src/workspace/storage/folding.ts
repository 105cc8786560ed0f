/** Moves sums to coarser levels and forgets the oldest, in slices that are each one transaction. */
import { monthAfter } from "../rules/month.ts";
import type { Calendar } from "../rules/sums/period.ts";
import { bucketLength } from "../rules/sums/rollup.ts";
import {
  dayLength,
  dayOf,
  hourOf,
  keptDays,
  keptHours,
  keptQuarters,
  type SumLevel,
  type SumMarks,
} from "../rules/sums/sum-levels.ts";
import { hasTable } from "./sql/schema-version.ts";
import {
  firstBucket,
  onConflictAdd,
  shortenTimes,
  sliceEnd,
  sumColumns,
  summedColumns,
  writeMarks,
} from "./tables/sums.ts";

/** What a slice works on; `marks` follow what it does. */
export interface FoldContext {
  sql: SqlStorage;
  marks: SumMarks;
  calendar: Calendar;
  now: number;
  /** Sums before this instant are forgotten, epoch ms. */
  forgetBefore: number;
}

/** Whether the table of the version before still holds sums. */
export function hasOldSums(sql: SqlStorage): boolean {
  return hasTable(sql, "rollups");
}

/** One slice of what is due; false when nothing is. Runs in a transaction of the caller's. */
export function foldSlice(context: FoldContext): boolean {
  return (
    moveOld(context) ||
    moveQuarters(context, "quarters") ||
    dropStaleDays(context) ||
    copyHours(context) ||
    dropHours(context) ||
    forgetSums(context)
  );
}

/** Epoch ms when the next slice is due that a workspace without requests waits for; undefined when none is. */
export function nextFold({ sql, marks, now, forgetBefore }: FoldContext): number | undefined {
  const quarter = firstBucket(sql, "quarters", 0);
  if (quarter !== undefined) return quarter + keptQuarters;
  const hour = firstBucket(sql, "hours", 0);
  // Where less than the most is kept, a month is forgotten when the month after the next one begins.
  const shorter = forgetBefore > now - keptDays ? monthAfter(now) : Infinity;
  if (hour !== undefined)
    return Math.min(shorter, Math.max(hour, marks.hoursFrom) + keptHours + dayLength);
  const day = firstBucket(sql, "days", 0);
  return day === undefined ? undefined : Math.min(shorter, day + keptDays);
}

function moveOld(context: FoldContext): boolean {
  const { sql } = context;
  if (!hasOldSums(sql)) return false;
  if (moveQuarters(context, "rollups")) return true;
  // Those of the last two hours go on as they are.
  sql.exec(
    `INSERT INTO quarters (${sumColumns}) SELECT ${sumColumns} FROM rollups WHERE true ${onConflictAdd}`,
  );
  sql.exec("DROP TABLE rollups");
  return true;
}

function moveQuarters(context: FoldContext, level: "quarters" | "rollups"): boolean {
  const { sql, calendar, now } = context;
  const first = firstBucket(sql, level, 0);
  const hour = first === undefined ? undefined : hourOf(first, calendar);
  if (first === undefined || hour === undefined || first >= now - keptQuarters) return false;
  // The hour's end, or that of its day, whichever is first; a bucket of a quarter-hour lies in one hour.
  let end = first + 1;
  for (let at = first; hourOf(at, calendar) === hour; at += bucketLength) end = at + bucketLength;
  const span = { level, from: first, to: sliceEnd(sql, { level, from: first, to: end }) };
  const { hoursFrom, daysUpTo } = context.marks;
  if (hour >= hoursFrom) addInto(context, "hours", { ...span, bucket: hour });
  if (hour < daysUpTo)
    addInto(context, "days", { ...span, bucket: dayOf(hour, context.marks, calendar) });
  remove(sql, span);
  return true;
}

interface Source {
  level: SumLevel;
  from: number;
  to: number;
}

function addInto(
  { sql }: FoldContext,
  target: "hours" | "days",
  { level, from, to, bucket }: Source & { bucket: number },
): void {
  sql.exec(
    `INSERT INTO ${target} (${sumColumns}) SELECT ?, harness, tier, model, ${summedColumns} FROM ${level}
     WHERE bucket >= ? AND bucket < ? GROUP BY harness, tier, model ${onConflictAdd}`,
    bucket,
    from,
    to,
  );
  shortenTimes(sql, target, bucket);
}

function remove(sql: SqlStorage, { level, from, to }: Source): void {
  sql.exec(`DELETE FROM ${level} WHERE bucket >= ? AND bucket < ?`, from, to);
}

/** Days that another time zone cut, as far as their hours are kept. */
function dropStaleDays({ sql, marks }: FoldContext): boolean {
  if (!marks.staleDays) return false;
  const first = firstBucket(sql, "days", marks.hoursFrom);
  if (first === undefined) writeMarks(sql, Object.assign(marks, { staleDays: false }));
  else removeSlice(sql, { level: "days", from: first, to: Number.MAX_SAFE_INTEGER });
  return true;
}

/** Adds the hours of a day that is over to its row of days. */
function copyHours(context: FoldContext): boolean {
  const { sql, marks, calendar, now } = context;
  const over = calendar.span("day", now - 2 * keptQuarters).start;
  if (marks.daysUpTo >= over) return false;
  const first = firstBucket(sql, "hours", marks.daysUpTo);
  if (first === undefined || first >= over) {
    writeMarks(sql, Object.assign(marks, { daysUpTo: over }));
    return true;
  }
  const { end } = calendar.span("day", first);
  const to = sliceEnd(sql, { level: "hours", from: first, to: Math.min(end, over) });
  const bucket = dayOf(first, marks, calendar);
  addInto(context, "days", { level: "hours", from: first, to, bucket });
  writeMarks(sql, Object.assign(marks, { daysUpTo: to }));
  return true;
}

/** Forgets the hours that are in days and too old. */
function dropHours({ sql, marks, calendar, now }: FoldContext): boolean {
  const complete = calendar.span("day", marks.daysUpTo).start;
  const from = Math.min(calendar.span("day", now - keptHours).start, complete);
  if (from > marks.hoursFrom) {
    writeMarks(sql, Object.assign(marks, { hoursFrom: from }));
    return true;
  }
  return removeSlice(sql, { level: "hours", from: 0, to: marks.hoursFrom });
}

/** A day may have begun before the instant in its time zone: it goes a day later. */
function forgetSums({ sql, forgetBefore }: FoldContext): boolean {
  return (
    removeSlice(sql, { level: "days", from: 0, to: forgetBefore - dayLength }) ||
    removeSlice(sql, { level: "hours", from: 0, to: forgetBefore })
  );
}

/** False when there is nothing to remove. */
function removeSlice(sql: SqlStorage, { level, from, to }: Source): boolean {
  const first = firstBucket(sql, level, from);
  if (first === undefined || first >= to) return false;
  remove(sql, { level, from: first, to: sliceEnd(sql, { level, from: first, to }) });
  return true;
}
