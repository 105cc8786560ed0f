/** Times in queries. */
import * as z from "zod";

/** A date, with a time of day and its zone or without. */
const isoTime = /^(\d{4}-\d\d)-(\d\d)([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/i;

/** A time in ISO 8601, like `2026-01-31T12:00:00Z`. */
export const timeSchema = z.string().refine(isTime, "must be a time in ISO 8601");

function isTime(text: string): boolean {
  const [, month, day] = isoTime.exec(text) ?? [];
  if (month === undefined || Number(day) > lastDay(month)) return false;
  return Number.isFinite(Date.parse(text));
}

/** Of a month like 2026-02: `Date.parse` takes its 30th for the second of March. */
function lastDay(month: string): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
