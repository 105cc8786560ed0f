import { describe, expect, it } from "vitest";
import { tierRank } from "../../src/routing/contract/tier.ts";
import {
  assistant,
  call,
  decide,
  four,
  headers,
  modelRequest,
  result,
  text,
  tierConfig,
  tools,
  user,
} from "./kit.ts";

const rank = (asked: Parameters<typeof decide>[0], more?: Parameters<typeof decide>[1]): number =>
  tierRank(decide(asked, more).need);

describe("the tier of a request", () => {
  it.each([
    ["simple", "what's the weather like tomorrow"],
    ["simple", "Mia has 14 pears. She eats 3 and buys 6 more. How many pears does she have?"],
    [
      "complex",
      "Design a job queue that survives restarts, compare two storage engines and explain the trade-offs in detail.",
    ],
    ["reasoning", "Prove that a continuous image of a compact space is compact."],
  ])("%s: %s", (tier, ask) => {
    const decision = decide(modelRequest([user(ask)]));
    expect(decision.tier).toBe(tier);
    expect(decision.candidates).toEqual(tierConfig.tiers[tier as keyof typeof tierConfig.tiers]);
  });

  it("a request with one tool is at least standard", () => {
    expect(
      rank(modelRequest([user("What is the temperature in Oslo?")], { tools: tools(1) })),
    ).toBeGreaterThanOrEqual(1);
  });

  it("the probabilities add up to one and the confidence is the largest of them", () => {
    const { probabilities: p, confidence } = decide(
      modelRequest([user("Summarise the causes of the revolution.")]),
    );
    expect(p.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 9);
    expect(confidence).toBeCloseTo(Math.max(...p), 3);
  });
});

describe("more of it never lowers the tier", () => {
  const asks = [
    "hello",
    "Write a haiku about autumn",
    "Fix the failing test",
    "Prove that $\\sqrt{2}$ is irrational",
    "Find a flight to Rome and book it",
    "1+1",
    "Explain monads in detail",
    "什么是递归？",
  ];

  it.each(asks)("tools: %s", (ask) => {
    const ranks = [0, 1, 2, 3, 4, 5, 9, 12, 17, 40].map((count) =>
      rank(modelRequest([user(ask)], { tools: tools(count) })),
    );
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  it.each(asks)("failures: %s", (ask) => {
    const ranks = [0, 1, 2, 3, 4, 5, 6].map((failures) => {
      const steps = Array.from({ length: 6 }, (_, at) => [
        assistant(call(`c${at}`)),
        user(result(`c${at}`, at < failures ? "Error: no" : "fine", at < failures)),
      ]).flat();
      return rank(modelRequest([user(ask), ...steps], { tools: tools(3) }));
    });
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });
});

describe("header rules and settings", () => {
  const routing = {
    ...tierConfig,
    tiers: { ...tierConfig.tiers, default: ["lab/medium", "lab/small"] },
    headers: [
      { name: "nightly", header: "X-Job", value: "nightly", models: ["lab/small", "lab/medium"] },
    ],
  };

  it("a header rule decides before everything else, under its own name", () => {
    const decision = decide(modelRequest([user("Prove the theorem")]), {
      headers: headers({ "x-job": "nightly" }),
      harness: { id: "h", routing },
    });
    expect(decision.tier).toBe("nightly");
    expect(decision.candidates).toEqual(["lab/small", "lab/medium"]);
  });

  it("another value is another request", () => {
    expect(
      decide(modelRequest([user("hi")]), {
        headers: headers({ "x-job": "daily" }),
        harness: { id: "h", routing },
      }).tier,
    ).toBe("simple");
  });

  it("a rule whose models are gone leaves the work to the tiers, and the reason says so", () => {
    const gone = { name: "nightly", header: "X-Job", value: "nightly", models: ["gone/away"] };
    const { tier, reason } = decide(modelRequest([user("hi")]), {
      headers: headers({ "x-job": "nightly" }),
      harness: { id: "h", routing: { ...routing, headers: [gone] } },
    });
    expect(tier).toBe("simple");
    expect(reason).toContain("rule=nightly has no model for this");
  });

  it("a rule whose header cannot exist never matches", () => {
    const odd = {
      ...routing,
      headers: [{ name: "odd", header: "not a header", value: "", models: ["lab/small"] }],
    };
    expect(decide(modelRequest([user("hi")]), { harness: { id: "h", routing: odd } }).tier).toBe(
      "simple",
    );
  });

  it("with auto off the tier is default", () => {
    const decision = decide(modelRequest([user("Prove the theorem")]), {
      harness: { id: "h", routing: { ...routing, auto: false } },
    });
    expect(decision.tier).toBe("default");
    expect(decision.candidates).toEqual(["lab/medium", "lab/small"]);
  });

  it("eco asks for no more than balanced, quality for no less", () => {
    const asks = [
      "hi",
      "Explain recursion",
      "Compare two databases in detail",
      "Find the remainder of 7^{100} modulo 13",
      "Write a story",
      "Implement a parser for JSON",
      "What is the capital of France?",
      "Turn off the lights in the kitchen.",
    ];
    for (const ask of asks) {
      const by = (quality: "eco" | "balanced" | "quality") =>
        rank(modelRequest([user(ask)]), {
          harness: { id: "h", routing: { ...tierConfig, quality } },
        });
      expect(by("eco")).toBeLessThanOrEqual(by("balanced"));
      expect(by("quality")).toBeGreaterThanOrEqual(by("balanced"));
    }
  });

  it("learning moves nothing while it is off", () => {
    const outcomes = {
      simple: {
        served: 500,
        errors: 0,
        truncated: 200,
        rephrased: 200,
        overridden: 50,
        bad_calls: 0,
      },
    };
    const ask = modelRequest([user("Explain recursion to me")]);
    expect(decide(ask, { outcomes })).toEqual(decide(ask));
  });
});

it("the decision is the same for the same request", () => {
  const asked = modelRequest([user("Explain recursion", text("and write an example"))], {
    tools: tools(3),
  });
  expect(decide(asked, { models: four })).toEqual(decide(asked, { models: [...four] }));
});
