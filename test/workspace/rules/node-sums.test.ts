/** Sums of keys and persons: read at first need, whole across a change of the time zone. */
import { describe, expect, it } from "vitest";
import {
  bookNode,
  daysOf,
  forgetIdle,
  newNodeSums,
  nodeSpent,
  type NodeSums,
  savedNodeSum,
  type SavedNodeSum,
} from "../../../src/workspace/rules/sums/node-sums.ts";
import {
  type Calendar,
  calendarOf,
  periodNames,
} from "../../../src/workspace/rules/sums/period.ts";
import { amountOf, emptyRow, type RollupRow } from "../../../src/workspace/rules/sums/rollup.ts";
import { random } from "../../kit/random.ts";
import { seeds } from "../../kit/sample.ts";

const hour = 3_600_000;
const day = 24 * hour;
const name = "key:k";

function rowOf(cost: number): RollupRow {
  const blank = emptyRow({ bucket: 0, harness: "h", model: "lab/one", tier: "" });
  return { ...blank, requests: 1, input: 2, output: 3, cost };
}

interface Booked {
  time: number;
  now?: number;
  cost?: number;
}

function book(sums: NodeSums, calendar: Calendar, { time, now = time, cost = 1 }: Booked): void {
  const rows = [rowOf(cost)];
  bookNode(sums, name, { rows, amount: amountOf(rows), time, calendar, now });
}

const spentAt = (sums: NodeSums, calendar: Calendar, now: number): number[] =>
  periodNames.map((period) => nodeSpent(sums, name, { period, calendar, now }).requests);

describe("sums of a node", () => {
  const utc = calendarOf("UTC");
  /** A Wednesday in the middle of its month. */
  const noon = Date.UTC(2026, 5, 10, 12, 30);

  it("begin anew with each period", () => {
    const sums = newNodeSums();
    book(sums, utc, { time: noon });
    expect(spentAt(sums, utc, noon)).toEqual([1, 1, 1, 1]);
    expect(spentAt(sums, utc, noon + hour)).toEqual([0, 1, 1, 1]);
    expect(spentAt(sums, utc, noon + day)).toEqual([0, 0, 1, 1]);
    expect(spentAt(sums, utc, noon + 7 * day)).toEqual([0, 0, 0, 1]);
    expect(spentAt(sums, utc, noon + 30 * day)).toEqual([0, 0, 0, 0]);
  });

  it("know the hours before, where the clock is set back and forward again", () => {
    const sums = newNodeSums();
    for (const [at, times] of [3, 1, 2].entries())
      for (let n = 0; n < times; n += 1) book(sums, utc, { time: noon + at * hour });
    expect(spentAt(sums, utc, noon)).toEqual([3, 6, 6, 6]);
    book(sums, utc, { time: noon });
    expect(spentAt(sums, utc, noon)).toEqual([4, 7, 7, 7]);
    expect(spentAt(sums, utc, noon + 2 * hour)).toEqual([2, 7, 7, 7]);
    expect(spentAt(sums, utc, noon + 3 * hour)).toEqual([0, 7, 7, 7]);
  });

  it("take an hour before those that are kept for the rest of its day", () => {
    const sums = newNodeSums();
    for (let at = 0; at < 6; at += 1) book(sums, utc, { time: noon + at * hour });
    expect(spentAt(sums, utc, noon)).toEqual([2, 6, 6, 6]);
    book(sums, utc, { time: noon });
    expect(spentAt(sums, utc, noon)).toEqual([3, 7, 7, 7]);
    // After it is saved and read as well.
    const saved = JSON.parse(JSON.stringify(savedNodeSum(sums, name))) as SavedNodeSum;
    const again = newNodeSums(() => saved);
    expect(spentAt(again, utc, noon)).toEqual([3, 7, 7, 7]);
    expect(spentAt(again, utc, noon + 5 * hour)).toEqual([1, 7, 7, 7]);
  });

  it("neither block nor forget, where the clock was years ahead for a while", () => {
    const sums = newNodeSums();
    book(sums, utc, { time: noon });
    book(sums, utc, { time: noon + 800 * day });
    expect(spentAt(sums, utc, noon)).toEqual([1, 1, 1, 1]);
    expect(spentAt(sums, utc, noon + hour)).toEqual([0, 1, 1, 1]);
    expect(spentAt(sums, utc, noon + day)).toEqual([0, 0, 1, 1]);
  });

  it("charge no period for what began in the one before", () => {
    const sums = newNodeSums();
    const midnight = Date.UTC(2026, 5, 10);
    book(sums, utc, { time: midnight - 1, now: midnight + 1 });
    expect(spentAt(sums, utc, midnight + 2)).toEqual([0, 0, 1, 1]);
  });

  it("are what was saved, and only what changed is to be written", () => {
    const disk = new Map<string, SavedNodeSum>();
    const sums = newNodeSums((node) => disk.get(node));
    expect(spentAt(sums, utc, noon)).toEqual([0, 0, 0, 0]);
    expect(sums.changed.size).toBe(0);
    book(sums, utc, { time: noon });
    expect([...sums.changed]).toEqual([name]);
    disk.set(name, structuredClone(savedNodeSum(sums, name)));
    const later = newNodeSums((node) => disk.get(node));
    expect(spentAt(later, utc, noon)).toEqual([1, 1, 1, 1]);
    book(later, utc, { time: noon });
    expect(spentAt(later, utc, noon)).toEqual([2, 2, 2, 2]);
    expect(daysOf(later, name)).toMatchObject([{ requests: 2, input: 4, output: 6, cost: 2 }]);
  });

  it("keep 35 days", () => {
    const sums = newNodeSums();
    for (let past = 90; past >= 0; past -= 1) book(sums, utc, { time: noon - past * day });
    expect(daysOf(sums, name).length).toBeLessThanOrEqual(64);
    expect(spentAt(sums, utc, noon)).toEqual([1, 1, 3, 10]);
  });

  it("leave memory when they are on the disk and nobody holds them", () => {
    const sums = newNodeSums();
    const now = noon;
    for (let index = 0; index < 50; index += 1)
      nodeSpent(sums, `key:${index}`, { period: "day", calendar: utc, now });
    book(sums, utc, { time: now });
    forgetIdle(sums, { most: 5, isHeld: (node) => node === "key:0" });
    expect(sums.known.size).toBe(5);
    expect(sums.known.has(name)).toBe(true);
    expect(sums.known.has("key:0")).toBe(true);
    sums.changed.clear();
    forgetIdle(sums, { most: 1, isHeld: () => false });
    expect([...sums.known.keys()]).toEqual([name]);
  });
});

const zones = [
  "UTC",
  "Asia/Tokyo",
  "America/Los_Angeles",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
] as const;

describe("a change of the time zone", () => {
  it("never makes a day, week or month smaller than what was spent in it", () => {
    for (const seed of seeds(500)) {
      const rng = random(seed);
      const sums = newNodeSums();
      const spent: number[] = [];
      let calendar = calendarOf("UTC");
      let now = Date.UTC(2026, rng.int(0, 11), rng.int(1, 28));
      for (let step = 0; step < 60; step += 1) {
        now += rng.int(0, 10 * hour);
        if (rng.int(0, 3) === 0) calendar = calendarOf(rng.pick(zones));
        spent.push(now);
        book(sums, calendar, { time: now });
        for (const period of ["day", "week", "month"] as const) {
          const { start } = calendar.span(period, now);
          const most = spent.filter((time) => time >= start).length;
          const counted = nodeSpent(sums, name, { period, calendar, now }).requests;
          expect(counted, `seed ${seed}, ${period}`).toBeGreaterThanOrEqual(most);
        }
      }
    }
  });

  it("counts a day twice at most, never a month", () => {
    const sums = newNodeSums();
    const before = calendarOf("UTC");
    const last = Date.UTC(2026, 4, 31, 12);
    for (let past = 30; past >= 0; past -= 1) book(sums, before, { time: last - past * day });
    // In Tokyo it is June nine hours before the month ends in UTC.
    const after = calendarOf("Asia/Tokyo");
    expect(spentAt(sums, after, Date.UTC(2026, 4, 31, 16))[3]).toBe(1);
  });

  it("gives no second hour where clocks differ by half of one", () => {
    const sums = newNodeSums();
    const now = Date.UTC(2026, 5, 10, 10, 40);
    const [utc, half] = [calendarOf("UTC"), calendarOf("Asia/Kolkata")];
    book(sums, utc, { time: now });
    expect(spentAt(sums, half, now)[0]).toBe(1);
    expect(spentAt(sums, utc, now)[0]).toBe(1);
    expect(spentAt(sums, half, now + 10 * 60_000)[0]).toBe(1);
  });
});
