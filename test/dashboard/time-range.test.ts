import { describe, expect, it } from "vitest";
import { timeRange } from "../../src/dashboard/pages/usage/time-range.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-22T12:34:56Z");
const none = { range: "", from: "", to: "" };

describe("a time range of the address", () => {
  it.each([
    ["1h", hour, "quarter"],
    ["24h", 24 * hour, "hour"],
    ["7d", 7 * 24 * hour, "day"],
    ["30d", 30 * 24 * hour, "day"],
  ])("%s ends now and goes on", (range, length, by) => {
    const found = timeRange({ ...none, range }, "Europe/Berlin", now);
    expect(found).toMatchObject({ name: range, from: now - length, to: now, by, live: true });
  });

  it("of this month begins with it in the workspace's time zone", () => {
    const { from, walls } = timeRange({ ...none, range: "month" }, "Asia/Kolkata", now);
    expect(new Date(from).toISOString()).toBe("2026-10-31T18:30:00.000Z");
    expect(walls).toEqual({ from: "2026-11-01T00:00", to: "2026-11-22T18:04" });
  });

  it("is what clocks of the workspace's time zone show", () => {
    const wish = { range: "custom", from: "2026-11-01T00:00", to: "2026-11-03T12:00" };
    const found = timeRange(wish, "America/New_York", now);
    // The clocks were put back in the first of these nights.
    expect(new Date(found.from).toISOString()).toBe("2026-11-01T04:00:00.000Z");
    expect(new Date(found.to).toISOString()).toBe("2026-11-03T17:00:00.000Z");
    expect(found).toMatchObject({
      live: false,
      by: "hour",
      walls: { from: wish.from, to: wish.to },
    });
  });

  it("goes on where its end is still to come", () => {
    const wish = { range: "custom", from: "2026-11-22T00:00", to: "2026-11-23T00:00" };
    expect(timeRange(wish, "UTC", now).live).toBe(true);
  });

  it.each([
    ["x", "2026-11-03T12:00", "from"],
    ["2026-11-03T12:00", "", "to"],
    ["2026-11-03T12:00", "2026-11-03T12:00", "to"],
    ["2024-11-03T12:00", "2026-11-03T12:00", "from"],
    ["2026-13-45T99:99", "2026-11-03T12:00", "from"],
  ])("from %s to %s is refused beside its field, and shows the last day", (from, to, field) => {
    const found = timeRange({ range: "custom", from, to }, "UTC", now);
    expect(found).toMatchObject({
      from: now - 24 * hour,
      to: now,
      live: false,
      walls: { from, to },
    });
    expect(found.fault?.field).toBe(field);
  });

  it("is the last day where the address says none", () => {
    expect(timeRange({ ...none, range: "<script>" }, "UTC", now).name).toBe("24h");
  });
});
