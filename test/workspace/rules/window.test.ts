import { describe, expect, it } from "vitest";
import {
  countRequest,
  isFull,
  newWindow,
  rateState,
  retryAfter,
  slide,
  uncountRequest,
} from "../../../src/workspace/rules/window.ts";

const span = 60_000;

describe("the sliding window", () => {
  it("never lets more than its limit through in any span, whatever the pace", () => {
    const window = newWindow({ limit: 20, span });
    const admitted: number[] = [];
    let now = 0;
    let seed = 7;
    for (let step = 0; step < 5000; step += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      now += seed % 4000;
      slide(window, now);
      if (isFull(window)) continue;
      countRequest(window, now);
      admitted.push(now);
    }
    for (const [index, time] of admitted.entries()) {
      const within = admitted.slice(index).filter((other) => other - time < span);
      expect(within.length).toBeLessThanOrEqual(20);
    }
    expect(admitted.length).toBeGreaterThan(1000);
  });

  it("has room again exactly when its oldest request is a span old", () => {
    const window = newWindow({ limit: 1, span });
    countRequest(window, 1000);
    slide(window, 1000 + span - 1);
    expect(isFull(window)).toBe(true);
    slide(window, 1000 + span);
    expect(isFull(window)).toBe(false);
  });

  it("tells the whole seconds until there is room, from 1 to 60", () => {
    const window = newWindow({ limit: 2, span });
    countRequest(window, 0);
    countRequest(window, 30_000);
    expect(retryAfter(window, 30_000)).toBe(30);
    expect(retryAfter(window, 59_999)).toBe(1);
    expect(retryAfter(newWindow({ limit: 1, span: 3 * span }, [0]), 0)).toBe(60);
  });

  it("counts a request that was given back nowhere", () => {
    const window = newWindow({ limit: 2, span });
    countRequest(window, 5);
    countRequest(window, 5);
    uncountRequest(window, 5);
    expect(isFull(window)).toBe(false);
    expect(rateState(window, 5)).toEqual({ limit: 2, remaining: 1, reset: 60 });
  });

  it("keeps nothing longer than the span when the clock is set back", () => {
    const window = newWindow({ limit: 1, span });
    countRequest(window, 10 * span);
    slide(window, span);
    slide(window, 2 * span);
    expect(isFull(window)).toBe(false);
  });

  it("says when more is allowed if nothing is left, and when all is if something is", () => {
    const window = newWindow({ limit: 2, span });
    expect(rateState(window, 0)).toEqual({ limit: 2, remaining: 2, reset: 0 });
    countRequest(window, 0);
    countRequest(window, 10_000);
    expect(rateState(window, 20_000)).toEqual({ limit: 2, remaining: 0, reset: 40 });
    slide(window, span);
    expect(rateState(window, span)).toEqual({ limit: 2, remaining: 1, reset: 10 });
  });
});
