/** Fees beside tokens, what a call is booked at, and which of two reports of a usage holds. */
import { describe, expect, it } from "vitest";
import type { Prices } from "../../../src/core/model.ts";
import { addUsage, type Usage } from "../../../src/core/usage.ts";
import { isStrict } from "../../../src/workspace/rules/budget.ts";
import { billOf } from "../../../src/workspace/rules/sums/bill.ts";
import { bookedUsage } from "../../../src/workspace/rules/sums/cost.ts";
import { feeOf, usesAsAsked } from "../../../src/workspace/rules/sums/fees.ts";

const prices: Prices = {
  input: 1,
  output: 10,
  toolUses: {
    webSearch: { perThousand: 10 },
    container: { perThousand: 30 },
    "container:4g": { perThousand: 120 },
    "container:64g": { perThousand: 1920 },
    "image:low:small": { perThousand: 5 },
    "image:low:large": { perThousand: 8 },
    "image:high:small": { perThousand: 100 },
  },
};

describe("the fee of a use", () => {
  const fee = (use: string): number | undefined => feeOf(prices, use)?.perThousand;

  it("is that of its name", () => {
    expect(fee("container")).toBe(30);
    expect(fee("container:4g")).toBe(120);
  });

  it("of a variant that is not listed is the dearest of what is nearest", () => {
    expect(fee("container:8g")).toBe(1920);
    expect(fee("image:low:huge")).toBe(8);
    expect(fee("image:auto:small")).toBe(100);
    expect(fee("image")).toBe(100);
    expect(fee("webSearch:preview")).toBe(10);
  });

  it("is not known of a tool that is not listed, and nothing on a server of one's own", () => {
    expect(fee("mind_reader")).toBeUndefined();
    expect(feeOf(undefined, "webSearch")).toBeUndefined();
    expect(feeOf({ free: "own" }, "mind_reader")).toEqual({ perThousand: 0 });
  });
});

describe("reported uses", () => {
  it("take from the request what the report leaves open", () => {
    expect(usesAsAsked({ container: 2 }, { "container:64g": 1 }, prices)).toEqual({
      "container:64g": 2,
    });
    expect(usesAsAsked({ "image:high:small": 1 }, { "image:auto:auto:mini": 1 }, prices)).toEqual({
      "image:high:small:mini": 1,
    });
    expect(usesAsAsked({ webSearch: 3 }, {}, prices)).toEqual({ webSearch: 3 });
  });

  it("hold plugins that nobody reports, and no tool that was only offered", () => {
    expect(usesAsAsked({}, { "plugin.web": 5, webSearch: 3 }, prices)).toEqual({ "plugin.web": 5 });
  });
});

describe("a bill", () => {
  const bill = (reported: Usage, given: Prices | undefined = prices, complete = true) =>
    billOf({
      reported,
      usage: bookedUsage(reported, { input: 0, output: 0 }),
      terms: reported.toolUses === undefined ? {} : { toolUses: reported.toolUses },
      complete,
      pricesOf: () => given,
    });
  const counts = { input: 1000, output: 100 };

  it("is the provider's own figure, where it is one", () => {
    expect(bill({ ...counts, cost: 1.5 })).toEqual({ cost: 1.5, unpriced: false });
    expect(bill({ ...counts, cost: 0 })).toEqual({ cost: 0, unpriced: false });
    expect(bill({ ...counts, cost: 1.5 }, {})).toEqual({ cost: 1.5, unpriced: false });
    expect(bill({ ...counts, cost: -1 }).cost).toBeCloseTo(0.002, 12);
    expect(bill({ ...counts, cost: 1e9 }).cost).toBeCloseTo(0.002, 12);
  });

  it("of an answer that broke off is at least its tokens", () => {
    expect(bill({ ...counts, cost: 0.0001 }, prices, false).cost).toBeCloseTo(0.002, 12);
    expect(bill({ ...counts, cost: 0.5 }, prices, false).cost).toBe(0.5);
  });

  it("over a subscription is nothing", () => {
    const own = { ...counts, cost: 4, toolUses: { webSearch: 2, mind_reader: 1 } };
    expect(bill(own, { input: 0, output: 0, free: "subscription" })).toEqual({
      cost: 0,
      unpriced: false,
    });
  });

  it("with a tool without a fee is not complete", () => {
    const used = bill({ ...counts, toolUses: { mind_reader: 1, webSearch: 1 } });
    expect(used.cost).toBeCloseTo(0.012, 12);
    expect(used.unpriced).toBe(true);
    expect(bill(counts, {})).toEqual({ cost: null, unpriced: true });
  });

  it("has the price of each kind, once", () => {
    const media = { inputAudio: 5, cachedAudio: 1, outputImage: 100 };
    const reported = { input: 1000, cacheRead: 400, output: 50 };
    const heard = { ...reported, media: { inputAudio: 900, cachedAudio: 200, outputImage: 50 } };
    // No more tokens than there are: 600 were read anew.
    const dollars = (600 * 5 + 200 * 1 + 200 * 0.5 + 50 * 100) / 1e6;
    expect(bill(heard, { input: 1, cacheRead: 0.5, output: 10, media }).cost).toBeCloseTo(dollars);
  });
});

describe("of two reports of a usage", () => {
  it("the larger counts hold, whichever comes first", () => {
    const large: Usage = { input: 9, output: 8, toolUses: { webSearch: 2 }, cost: 1 };
    const small: Usage = { input: 3, output: 9, toolUses: { webSearch: 1, fileSearch: 1 } };
    const both = { input: 9, output: 9, toolUses: { webSearch: 2, fileSearch: 1 }, cost: 1 };
    expect(addUsage(large, small)).toEqual(both);
    expect(addUsage(small, large)).toEqual(both);
  });

  it("a smaller total does not change the parts of the larger one", () => {
    const large: Usage = { input: 9, cacheRead: 2, output: 8, reasoning: 3 };
    expect(addUsage(large, { input: 3, cacheRead: 3, output: 4, reasoning: 4 })).toEqual(large);
    expect(addUsage(large, { input: 10, cacheRead: 1 })).toEqual({
      ...large,
      input: 10,
      cacheRead: 1,
    });
  });

  it("steps hold as long as the counts are theirs", () => {
    const steps = [{ input: 3, output: 1, model: "other" }];
    const told: Usage = { input: 3, output: 1, steps };
    expect(addUsage(told, { input: 3, output: 1 })).toEqual(told);
    expect(addUsage(told, { output: 5 })).toEqual({ input: 3, output: 5 });
  });

  it("a list of all calls is complete", () => {
    const steps = [{ input: 3, output: 1, model: "other" }];
    expect(addUsage({ input: 9 }, { input: 3, output: 1, steps })).toEqual({
      input: 3,
      output: 1,
      steps,
    });
  });
});

it.each([
  [{ strict: true }, true],
  [{ strict: false }, false],
  [{}, false],
  [{ strict: true, action: "notify" }, false],
  [{ strict: true, metric: "tokens" }, false],
] as const)("a limit with %j is strict: %s", (given, is) => {
  const limit = { metric: "cost", period: "day", max: 1, action: "block", ...given } as const;
  expect(isStrict(limit)).toBe(is);
});
