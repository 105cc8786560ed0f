/** When deliveries are sent again. */
import { describe, expect, it } from "vitest";
import { nextTry, restAfter, webhookBackoff } from "../../../src/workspace/rules/events/backoff.ts";

const day = 86_400_000;

/** Epoch ms of every attempt on a receiver that never answers, each of which takes ten seconds. */
function attempts(random: () => number, retryAfter?: number): number[] {
  const times = [0];
  for (;;) {
    const now = (times.at(-1) ?? 0) + 10_000;
    const failed = { attempts: times.length, begun: 0, now, retryAfter, random: random() };
    const next = nextTry(failed, webhookBackoff);
    if (next === undefined) return times;
    times.push(next);
  }
}

describe("a delivery", () => {
  it.each([0, 0.5, 1])("is tried for a day, ever more seldom (jitter %d)", (random) => {
    const times = attempts(() => random);
    expect(times.at(-1)).toBeGreaterThan(0.9 * day);
    expect(times.at(-1)).toBeLessThanOrEqual(day);
    expect(times.length).toBeGreaterThanOrEqual(11);
    expect(times.length).toBeLessThanOrEqual(13);
    const waits = times.slice(1, 9).map((time, index) => time - (times[index] ?? 0));
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  });

  it("waits for as long as its receiver asks, within bounds", () => {
    const asked = (retryAfter: number) =>
      nextTry({ attempts: 1, begun: 0, now: 0, retryAfter, random: 1 }, webhookBackoff);
    expect(asked(1000)).toBe(5000);
    expect(asked(600_000)).toBe(600_000);
    expect(asked(7 * day)).toBe(8 * 3_600_000);
    expect(attempts(() => 1, 7 * day).at(-1)).toBeLessThanOrEqual(day);
  });

  it("that had to wait a day for its first attempt is not tried again", () => {
    const failed = { attempts: 1, begun: 0, now: day, random: 0 };
    expect(nextTry(failed, webhookBackoff)).toBeUndefined();
  });
});

it("a webhook rests longer with every failure, for a minute at most", () => {
  const rests = Array.from({ length: 50 }, (_, index) => restAfter(index + 1));
  expect(rests.slice(0, 3)).toEqual([1000, 2000, 4000]);
  expect(Math.max(...rests)).toBe(60_000);
});
