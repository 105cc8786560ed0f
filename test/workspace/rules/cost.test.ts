import { describe, expect, it } from "vitest";
import {
  bookedUsage,
  costOf,
  costOfSteps,
  ratesFor,
  toDollars,
  toPico,
} from "../../../src/workspace/rules/sums/cost.ts";

const guess = { input: 100, output: 50 };

describe("cost", () => {
  it("is the sum of every kind of token at its own price", () => {
    const usage = bookedUsage(
      {
        input: 1000,
        cacheRead: 400,
        cacheWrite: 300,
        cacheWrite1h: 100,
        output: 200,
        reasoning: 50,
      },
      guess,
    );
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 };
    const expected = 300 * 3 + 400 * 0.3 + 200 * 3.75 + 100 * 6 + 200 * 15;
    expect(costOf(usage, prices)).toBeCloseTo(expected / 1e6, 12);
  });

  it("charges cache writes of an hour 1.6 times the short ones where no price is known", () => {
    const usage = bookedUsage({ input: 10, cacheWrite: 10, cacheWrite1h: 10, output: 0 }, guess);
    expect(costOf(usage, { input: 1, output: 1, cacheWrite: 1.25 })).toBeCloseTo(10 * 2e-6, 15);
  });

  it("charges cached tokens as input where their price is unknown", () => {
    const usage = bookedUsage({ input: 10, cacheRead: 10, output: 0 }, guess);
    expect(costOf(usage, { input: 2, output: 1 })).toBeCloseTo(20e-6, 15);
  });

  it("charges the whole request in the tier that its input reaches", () => {
    const prices = { input: 1, output: 2, tiers: [{ from: 200_001, input: 2, output: 3 }] };
    expect(ratesFor(prices, 200_000)).toMatchObject({ input: 1e6, output: 2e6 });
    expect(ratesFor(prices, 200_001)).toMatchObject({ input: 2e6, output: 3e6 });
  });

  it("charges writes of an hour at the step's price, by the usual ratio where it has none", () => {
    const prices = { input: 1, output: 2, cacheWrite: 1.25, cacheWrite1h: 2 };
    const dear = { from: 100, input: 2, output: 3, cacheWrite: 2.5 };
    expect(ratesFor({ ...prices, tiers: [dear] }, 100)).toMatchObject({ cacheWrite1h: 4e6 });
    const stated = { ...dear, cacheWrite1h: 5 };
    expect(ratesFor({ ...prices, tiers: [stated] }, 100)).toMatchObject({ cacheWrite1h: 5e6 });
  });

  it("charges every token by the factor of the service tier, and tools by the use", () => {
    const usage = bookedUsage({ input: 100, cacheRead: 50, output: 10 }, guess);
    const prices = {
      input: 2,
      output: 10,
      cacheRead: 1,
      serviceTiers: { priority: 2, flex: 0.5 },
      toolUses: { webSearch: { perThousand: 10 } },
    };
    const usual = costOf(usage, prices) ?? 0;
    expect(costOf(usage, prices, { serviceTier: "priority" })).toBeCloseTo(2 * usual, 12);
    expect(costOf(usage, prices, { serviceTier: "flex" })).toBeCloseTo(usual / 2, 12);
    expect(costOf(usage, prices, { serviceTier: "constructor" })).toBe(usual);
    expect(costOf(usage, prices, { toolUses: { webSearch: 3 } })).toBeCloseTo(usual + 0.03, 12);
    const fee = { perThousand: 35, onceAnAnswer: true } as const;
    expect(
      costOf(usage, { ...prices, toolUses: { webSearch: fee } }, { toolUses: { webSearch: 3 } }),
    ).toBeCloseTo(usual + 0.035, 12);
  });

  it("of several steps charges each in its own tier, at the prices of its own model", () => {
    const asked = { input: 1, output: 2, tiers: [{ from: 200_001, input: 10, output: 20 }] };
    const other = { input: 5, output: 25 };
    const steps = [
      { input: 180_000, output: 3500 },
      { input: 23_000, output: 1000 },
      { input: 800, output: 1600, model: "other" },
    ];
    const expected = 203_000 * 1 + 4500 * 2 + 800 * 5 + 1600 * 25;
    const cost = costOfSteps(steps, (model) => (model === "other" ? other : asked));
    expect(cost).toBeCloseTo(expected / 1e6, 12);
    expect(costOfSteps(steps, (model) => (model === "other" ? undefined : asked))).toBeNull();
  });

  it("is unknown without both prices, and nothing where both are 0", () => {
    const usage = bookedUsage({ input: 10, output: 10 }, guess);
    expect(costOf(usage, undefined)).toBeNull();
    expect(costOf(usage, { input: 1 })).toBeNull();
    expect(costOf(usage, { input: 0, output: 0 })).toBe(0);
  });

  it("adds up without the noise of binary fractions", () => {
    const tenth = toPico(0.1);
    expect(toDollars(tenth + tenth + tenth)).toBe(0.3);
  });
});

describe("usage", () => {
  it("is taken as reported when it is whole", () => {
    expect(bookedUsage({ input: 7, output: 3 }, guess)).toEqual({
      input_tokens: 7,
      cached_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: 3,
      reasoning_tokens: 0,
      estimated: false,
    });
  });

  it.each([
    { name: "nothing reported", reported: undefined, input: 100, output: 50 },
    { name: "no output reported", reported: { input: 7 }, input: 7, output: 50 },
    { name: "negative", reported: { input: -1, output: 3 }, input: 100, output: 3 },
    { name: "no number", reported: { input: Number.NaN, output: 3 }, input: 100, output: 3 },
    { name: "infinite", reported: { input: Infinity, output: 3 }, input: 100, output: 3 },
    { name: "huge", reported: { input: 1e15, output: 1e300 }, input: 100, output: 50 },
    { name: "a fraction", reported: { input: 1.5, output: 3 }, input: 100, output: 3 },
  ])("is estimated and marked: $name", ({ reported, input, output }) => {
    expect(bookedUsage(reported, guess)).toMatchObject({
      input_tokens: input,
      output_tokens: output,
      estimated: true,
    });
  });

  it("has no part larger than its whole", () => {
    const usage = bookedUsage(
      { input: 10, cacheRead: 8, cacheWrite: 8, output: 5, reasoning: 9 },
      guess,
    );
    expect(usage).toMatchObject({
      cached_tokens: 8,
      cache_write_tokens: 2,
      reasoning_tokens: 5,
      estimated: true,
    });
  });
});
