/** What always the best model would have cost: exact on the sums of the ledger, and silent where a price is not known. */
import { describe, expect, it } from "vitest";
import { routingSavings } from "../../src/admin/shared/routing-savings.ts";
import { directoryOf } from "../../src/providers/models/directory.ts";
import type { Config, ProviderEntry } from "../../src/store/config.ts";
import type { SumRow } from "../../src/workspace/contract/reports.ts";
import { toPico } from "../../src/workspace/rules/sums/cost.ts";

const lab: ProviderEntry = {
  id: "lab",
  kind: "custom",
  base_url: "http://127.0.0.1:9/v1",
  api_key: "k",
  models: [
    { id: "small-mini", cost: { input: 1, output: 2, cache_read: 0.5 } },
    { id: "large-pro", cost: { input: 10, output: 20, cache_read: 1 } },
    { id: "unknown" },
  ],
};

function known(harness: Partial<NonNullable<Config["harnesses"]>[number]> = {}) {
  const config: Config = { providers: [lab], harnesses: [{ id: "h", name: "H", ...harness }] };
  return { config, directory: directoryOf([lab], {}, 0) };
}

function row(
  model: string,
  more: Partial<SumRow> & { tier?: string; harness?: string } = {},
): SumRow {
  const { tier = "simple", harness = "h", ...sums } = more;
  return {
    bucket: 0,
    group: [harness, tier, model].join("\t"),
    requests: 1,
    errors: 0,
    input_tokens: 1_000_000,
    cached_tokens: 200_000,
    output_tokens: 100_000,
    cost: toPico(1.1),
    ...sums,
  };
}

describe("savings", () => {
  it("price the same tokens, as many of them cached, on the best model", () => {
    const found = routingSavings([row("lab/small-mini", { requests: 3 })], known());
    // 800,000 at $10, 200,000 at $1, 100,000 at $20 a million.
    expect(found).toEqual({
      best: "lab/large-pro",
      requests: 3,
      cost: 1.1,
      bestCost: 10.2,
      unpriced: 0,
    });
  });

  it("take what the best model served for what it cost", () => {
    const { cost, bestCost } = routingSavings([row("lab/large-pro", { cost: 7 })], known());
    expect(bestCost).toBe(cost);
  });

  it("leave out what auto did not choose", () => {
    const rows = ["direct", "default", ""].map((tier) => row("lab/small-mini", { tier }));
    expect(routingSavings([...rows, row("", { tier: "simple" })], known())).toMatchObject({
      requests: 0,
      unpriced: 0,
    });
  });

  it("say how much has no known price, and do not guess it", () => {
    const rows = [row("lab/unknown", { cost: 0, requests: 4 }), row("lab/small-mini")];
    expect(routingSavings(rows, known())).toMatchObject({ requests: 1, unpriced: 4 });
    const onlyUnknown = known({ models: ["lab/unknown"] });
    expect(routingSavings(rows, onlyUnknown)).toMatchObject({ requests: 0, unpriced: 5, cost: 0 });
  });

  it("go by what a harness may reach", () => {
    const walled = known({ models: ["lab/small-mini"] });
    expect(routingSavings([row("lab/small-mini")], walled)).toMatchObject({
      best: "lab/small-mini",
      bestCost: 1.1,
    });
  });

  it("say so where routing cost more", () => {
    const { cost, bestCost } = routingSavings(
      [row("lab/small-mini", { cost: toPico(50) })],
      known(),
    );
    expect(bestCost).toBeLessThan(cost);
  });
});
