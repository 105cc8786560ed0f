/** Which texts are times in queries. */
import { describe, expect, it } from "vitest";
import { timeSchema } from "../../src/admin/shared/time.ts";

describe("a time in a query", () => {
  it.each([
    "2026-01-31",
    "2024-02-29",
    "2000-02-29T00:00Z",
    "2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00.123Z",
    "2026-01-31T12:00:00+05:30",
    "2026-01-31T24:00:00Z",
    "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
  ])("may be %s", (text) => {
    expect(timeSchema.safeParse(text).success).toBe(true);
  });

  it.each([
    "",
    "0",
    "-1",
    "1..2",
    "now",
    "Tue",
    "2026-02-29",
    "1900-02-29",
    "2026-02-30T00:00:00Z",
    "2026-04-31",
    "2026-13-01",
    "2026-01-31T25:00:00Z",
    "2026-01-31T12:00:00Z; x",
    "+275760-09-13T00:00:00Z",
    "١٩٧٠-01-01",
  ])("is not %j", (text) => {
    expect(timeSchema.safeParse(text).success).toBe(false);
  });
});
