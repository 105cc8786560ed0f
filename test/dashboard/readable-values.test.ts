import { describe, expect, it } from "vitest";
import {
  clockTime,
  count,
  timeAway,
  dollars,
  milliseconds,
  percent,
} from "../../src/dashboard/shared/readable-values.ts";
import { stackedChart } from "../../src/dashboard/shared/usage-chart.ts";

describe("numbers as people read them", () => {
  it.each([
    [null, "–"],
    [0, "$0"],
    [0.05, "$0.05"],
    [0.0125, "$0.0125"],
    [0.000232, "$0.000232"],
    [0.0000001, "<$0.000001"],
    [1, "$1.00"],
    [12.345, "$12.35"],
    [12_345.6, "$12,346"],
  ])("%j dollars are %s", (value, text) => {
    expect(dollars(value)).toBe(text);
  });

  it.each([
    [0, "0"],
    [9999, "9,999"],
    [131_072, "131.1K"],
    [2_500_000, "2.5M"],
  ])("%j is %s", (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [null, "–"],
    [3.4, "3 ms"],
    [1234, "1.23 s"],
    [59_400, "59.4 s"],
    [125_000, "2 min 5 s"],
  ])("%j milliseconds are %s", (value, text) => {
    expect(milliseconds(value)).toBe(text);
  });

  it("shares of nothing are nothing", () => {
    expect([percent(0, 0), percent(1, 200), percent(1, 2)]).toEqual(["0%", "0.5%", "50%"]);
  });

  it("times follow the workspace's zone, and today needs no date", () => {
    expect(clockTime("2020-01-02T23:30:00Z", "Asia/Tokyo")).toBe("3 Jan, 08:30:00");
    expect(clockTime(new Date().toISOString(), "UTC")).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(clockTime("no time", "UTC")).toBe("no time");
    expect(timeAway("2020-01-01T03:00:00Z", Date.parse("2020-01-01T00:00:00Z"))).toBe("in 3 h");
    expect(timeAway("2020-01-02T01:00:00Z", Date.parse("2020-01-01T00:00:00Z"))).toBe("in 1 day");
  });
});

describe("a chart's columns", () => {
  const hour = 3_600_000;
  const row = (time: number, group: string, requests: number) => ({
    time: new Date(time).toISOString(),
    group,
    requests,
    errors: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    cost: requests / 10,
  });

  it("every hour of the span has its place, empty ones too", () => {
    const span = {
      from: 10 * hour,
      to: 14 * hour,
      by: "hour",
      value: "requests",
      nameOf: (group: string) => group,
    } as const;
    const { times, series } = stackedChart([row(11 * hour, "a", 3), row(13 * hour, "b", 5)], span);
    expect(times).toEqual([10, 11, 12, 13].map((at) => at * 3600));
    expect(series).toEqual([
      { name: "b", values: [0, 0, 0, 5] },
      { name: "a", values: [0, 3, 0, 0] },
    ]);
  });

  it("nothing is lost when groups are drawn together", () => {
    const rows = Array.from({ length: 12 }, (_, index) => row(hour, `g${index}`, index + 1));
    const { series } = stackedChart(rows, {
      from: hour,
      to: hour,
      by: "hour",
      value: "requests",
      nameOf: (group: string) => group,
    });
    expect(series.length).toBe(6);
    expect(series.at(-1)?.name).toBe("others");
    expect(series.flatMap(({ values }) => values).reduce((a: number, b) => a + (b ?? 0), 0)).toBe(
      78,
    );
  });

  it("a group stands at the same place whatever is drawn, so that its colour stays", () => {
    const rows = [row(hour, "cheap", 9), { ...row(hour, "dear", 1), cost: 99 }];
    const names = (value: "requests" | "cost") =>
      stackedChart(rows, {
        from: hour,
        to: hour,
        by: "hour",
        value,
        nameOf: (group: string) => group,
      }).series.map(({ name }) => name);
    expect(names("cost")).toEqual(names("requests"));
  });

  it("days follow the rows' own beginnings across a change of the clocks", () => {
    const day = 24 * hour;
    const rows = [row(0, "a", 1), row(day - hour, "a", 1), row(2 * day - hour, "a", 1)];
    const { times } = stackedChart(rows, {
      from: 0,
      to: 3 * day,
      by: "day",
      value: "requests",
      nameOf: (group: string) => group,
    });
    expect(new Set(times).size).toBe(times.length);
    expect(times.slice(0, 3)).toEqual(rows.map(({ time }) => Date.parse(time) / 1000));
  });
});
