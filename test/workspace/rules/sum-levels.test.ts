import { describe, expect, it } from "vitest";
import { type Calendar, calendarOf } from "../../../src/workspace/rules/sums/period.ts";
import {
  dayLength,
  dayOf,
  hourLength,
  hourOf,
  type LevelSpan,
  levelSpans,
  type SumLevel,
  type SumMarks,
} from "../../../src/workspace/rules/sums/sum-levels.ts";

const quarter = 900_000;
const start = Date.UTC(2026, 2, 1);
const zones = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe"];

const foldedUpTo = start + 14 * dayLength;

interface Place {
  level: SumLevel;
  bucket: number;
}

/** Where the sums of a quarter-hour stand when everything that is due has been folded. */
function standsIn(bucket: number, calendar: Calendar, marks: SumMarks): Place[] {
  if (bucket >= foldedUpTo) return [{ level: "quarters", bucket }];
  const hour = hourOf(bucket, calendar);
  const day: Place = { level: "days", bucket: dayOf(hour, marks, calendar) };
  if (hour < marks.hoursFrom) return [day];
  const hours: Place = { level: "hours", bucket: hour };
  return hour < marks.daysUpTo ? [hours, day] : [hours];
}

const daySpans = [
  [0, 15],
  [2, 4],
  [3, 8],
  [6, 9],
  [11, 13],
  [13, 15],
] as const;

function timesCounted(places: readonly Place[], spans: readonly LevelSpan[]): number {
  return places.flatMap((place) =>
    spans.filter(
      ({ level, from, to }) => level === place.level && place.bucket >= from && place.bucket < to,
    ),
  ).length;
}

describe.each(zones)("spans of the levels in %s", (zone) => {
  const calendar = calendarOf(zone);
  const midnight = (days: number) => calendar.span("day", start + days * dayLength).start;
  const marks = { hoursFrom: midnight(5), daysUpTo: midnight(12), staleDays: false };

  it("count every quarter-hour of whole days once, by hour and by day", () => {
    const places = new Map<number, Place[]>();
    for (let at = midnight(-1); at < midnight(16); at += quarter)
      places.set(at, standsIn(at, calendar, marks));
    for (const by of ["hour", "day"] as const) {
      for (const [first, last] of daySpans) {
        const span = { from: midnight(first), to: midnight(last) };
        const spans = levelSpans({ ...span, by }, marks, calendar);
        const wrong = [...places].filter(([at, standing]) => {
          const inside = at >= span.from && at < span.to ? 1 : 0;
          return timesCounted(standing, spans) !== inside;
        });
        expect([by, first, last, wrong]).toEqual([by, first, last, []]);
      }
    }
  });

  it("cut no hour in two days", () => {
    for (let at = midnight(0); at < midnight(3); at += quarter) {
      const hour = hourOf(at, calendar);
      expect(at - hour).toBeLessThan(hourLength);
      expect(calendar.span("day", hour).start).toBe(calendar.span("day", at).start);
    }
  });
});

it("a span that begins or ends within a bucket is widened to it, and overlaps itself nowhere", () => {
  const calendar = calendarOf("UTC");
  const marks = { hoursFrom: start, daysUpTo: start + 10 * dayLength, staleDays: false };
  for (let from = start - 2 * dayLength; from < start + 12 * dayLength; from += 7 * quarter + 1) {
    for (const length of [1, quarter, hourLength, 5 * hourLength, 3 * dayLength]) {
      const to = from + length;
      const spans = levelSpans({ from, to, by: "day" }, marks, calendar);
      const coarse = spans
        .filter(({ level }) => level === "hours" || level === "days")
        .toSorted((a, b) => a.from - b.from);
      for (const [index, { from: begun }] of coarse.entries())
        expect(begun).toBeGreaterThanOrEqual(coarse[index - 1]?.to ?? 0);
      expect(coarse[0]?.from).toBeLessThanOrEqual(from);
      expect(coarse.at(-1)?.to).toBeGreaterThanOrEqual(to);
    }
  }
});
