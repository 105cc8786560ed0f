import { describe, expect, it } from "vitest";
import { calendarOf, type PeriodName } from "../../../src/workspace/rules/sums/period.ts";

function span(timezone: string, period: PeriodName, at: string): [string, string] {
  const found = calendarOf(timezone).span(period, Date.parse(at));
  return [new Date(found.start).toISOString(), new Date(found.end).toISOString()];
}

describe("periods", () => {
  it.each([
    ["UTC", "day", "2026-06-10T12:00:00Z", "2026-06-10T00:00:00.000Z", "2026-06-11T00:00:00.000Z"],
    // Clocks go forward: the day has 23 hours.
    [
      "Europe/Berlin",
      "day",
      "2026-03-29T12:00:00Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ],
    // Clocks go back: the day has 25 hours.
    [
      "Europe/Berlin",
      "day",
      "2026-10-25T12:00:00Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ],
    [
      "America/New_York",
      "month",
      "2026-03-15T12:00:00Z",
      "2026-03-01T05:00:00.000Z",
      "2026-04-01T04:00:00.000Z",
    ],
    // Weeks begin on Monday.
    ["UTC", "week", "2026-06-14T23:59:59Z", "2026-06-08T00:00:00.000Z", "2026-06-15T00:00:00.000Z"],
    [
      "Europe/Berlin",
      "week",
      "2026-03-29T21:59:59Z",
      "2026-03-22T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ],
    // Quarter hours.
    [
      "Asia/Kathmandu",
      "hour",
      "2026-06-10T12:20:00Z",
      "2026-06-10T12:15:00.000Z",
      "2026-06-10T13:15:00.000Z",
    ],
    [
      "Asia/Kathmandu",
      "day",
      "2026-06-10T18:20:00Z",
      "2026-06-10T18:15:00.000Z",
      "2026-06-11T18:15:00.000Z",
    ],
    // Midnight does not exist: the day begins at one o'clock.
    [
      "Africa/Cairo",
      "day",
      "2024-04-26T12:00:00Z",
      "2024-04-25T22:00:00.000Z",
      "2024-04-26T21:00:00.000Z",
    ],
    // Midnight comes twice: the first one counts.
    [
      "America/Havana",
      "day",
      "2025-11-02T12:00:00Z",
      "2025-11-02T04:00:00.000Z",
      "2025-11-03T05:00:00.000Z",
    ],
    // A day that a country left out.
    [
      "Pacific/Apia",
      "day",
      "2011-12-31T00:00:00Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-31T10:00:00.000Z",
    ],
    [
      "UTC",
      "month",
      "2027-12-31T23:59:59Z",
      "2027-12-01T00:00:00.000Z",
      "2028-01-01T00:00:00.000Z",
    ],
  ] as const)("%s %s at %s", (...[timezone, period, at, from, to]) => {
    expect(span(timezone, period, at)).toEqual([from, to]);
  });

  it.each([
    "Europe/Berlin",
    "America/Havana",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
  ])(
    "every instant of two years in %s lies in its day, and days follow each other without a gap",
    (timezone) => {
      const calendar = calendarOf(timezone);
      let day = calendar.span("day", Date.UTC(2025, 0, 1));
      for (let count = 0; count < 730; count += 1) {
        const next = calendar.span("day", day.end);
        expect(next.start).toBe(day.end);
        const hours = (next.end - next.start) / 3_600_000;
        expect(hours).toBeGreaterThanOrEqual(23);
        expect(hours).toBeLessThanOrEqual(25);
        expect(calendar.span("day", next.end - 1)).toEqual(next);
        day = next;
      }
    },
  );
});
