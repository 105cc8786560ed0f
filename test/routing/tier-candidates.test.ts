import { describe, expect, it } from "vitest";
import { capabilityOf } from "../../src/routing/models/capability.ts";
import { tierTable } from "../../src/routing/models/tier-candidates.ts";
import { model, priced } from "./kit.ts";

const nano = model("one/gpt-9-nano", { ...priced(0.05, 0.4), features: ["stream", "tools"] });
const mini = model("one/gpt-9-mini", {
  ...priced(0.3, 2),
  features: ["stream", "tools", "reasoning"],
});
const full = model("one/gpt-9", { ...priced(2, 12), features: ["stream", "tools", "reasoning"] });
const haiku = model("two/claude-haiku-9", { ...priced(1, 5), features: ["stream", "tools"] });
const sonnet = model("two/claude-sonnet-9", {
  ...priced(3, 15),
  features: ["stream", "tools", "reasoning"],
});
const opus = model("two/claude-opus-9", {
  ...priced(5, 25),
  features: ["stream", "tools", "reasoning"],
});
const all = [nano, mini, full, haiku, sonnet, opus];

const primaries = (models: typeof all, routing?: Parameters<typeof tierTable>[1]) =>
  Object.fromEntries(
    Object.entries(tierTable(models, routing)).map(([tier, { models: chain }]) => [
      tier,
      chain[0]?.id,
    ]),
  );

describe("tiers left out are filled by price and capability", () => {
  it("capability rises with the tier", () => {
    const table = tierTable(all, undefined);
    const found = (["simple", "standard", "complex", "reasoning"] as const).map((tier) =>
      capabilityOf(table[tier].models[0] ?? nano),
    );
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[3]).toBeGreaterThan(found[0] ?? 0);
  });

  it("each with a fallback of another provider, and its reason", () => {
    for (const { models, origin, why } of Object.values(tierTable(all, undefined))) {
      expect(origin).toBe("filled");
      expect(why).not.toBe("");
      expect(new Set(models.map(({ connection }) => connection.id)).size).toBeGreaterThan(1);
    }
  });

  it("a configured tier stays as it is", () => {
    expect(primaries(all, { tiers: { simple: [opus.id] } })).toMatchObject({ simple: opus.id });
    expect(tierTable(all, { tiers: { simple: [opus.id] } }).simple.origin).toBe("configured");
  });

  it("a subscription goes before what has to be paid", () => {
    const subscription = model("sub/claude-sonnet-9-subscription", {
      subscription: true,
      features: ["stream", "tools", "reasoning"],
    });
    expect(primaries([...all, subscription])).toMatchObject({ complex: subscription.id });
  });

  it("another list of models is another table", () => {
    expect(primaries([haiku, sonnet, opus]).simple).toBe(haiku.id);
    expect(primaries([...all])).not.toEqual(primaries([haiku, sonnet, opus]));
  });

  it("what does not chat is never filled in", () => {
    const others = [
      "text-embedding-9",
      "whisper-9",
      "gpt-image-9",
      "omni-moderation-9",
      "tts-9",
    ].map((id) => model(`one/${id}`, priced(0.01, 0.01)));
    const used = Object.values(tierTable([...others, ...all], undefined)).flatMap(({ models }) =>
      models.map(({ id }) => id),
    );
    for (const { id } of others) expect(used).not.toContain(id);
  });

  it("the demo serves only while it is alone", () => {
    const demo = model("demo/demo", { kind: "demo", prices: { input: 0, output: 0 } });
    expect(primaries([demo]).simple).toBe("demo/demo");
    const used = Object.values(tierTable([demo, opus], undefined)).flatMap(({ models }) =>
      models.map(({ id }) => id),
    );
    expect(used).not.toContain("demo/demo");
  });

  it("one model serves every tier", () => {
    expect(new Set(Object.values(primaries([haiku])))).toEqual(new Set([haiku.id]));
  });

  it("models of unknown price come after those of known price", () => {
    const unknown = model("three/mystery-9", { features: ["stream", "tools"] });
    expect(primaries([unknown, ...all]).standard).not.toBe(unknown.id);
  });

  it("no models, no chains", () => {
    expect(Object.values(tierTable([], undefined)).flatMap(({ models }) => models)).toEqual([]);
  });
});
