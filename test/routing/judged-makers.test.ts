/** A fit is judged only on requests of makers that it has not seen, in no near copy. */
import { describe, expect, it } from "vitest";
import { samplesOf } from "../../scripts/training/examples.ts";
import { makerFigures } from "../../scripts/training/maker-figures.ts";
import { groupOf, makersOf } from "../../scripts/training/makers.ts";
import { withoutNearDuplicates } from "../../scripts/training/near-duplicates.ts";
import type { LabelledRecord } from "../../scripts/training/data.ts";
import type { Prediction } from "../../scripts/training/predict.ts";
import { tiers } from "../../src/workspace/contract/outcomes.ts";

function record(content: string, source = "one"): LabelledRecord {
  const request = { model: "auto", messages: [{ role: "user", content }] };
  return { id: content, source, lang: "en", request };
}

function kept(judged: string, other: string): number {
  return withoutNearDuplicates(samplesOf([record(judged)]), samplesOf([record(other, "other")]))
    .length;
}

describe("a judged request", () => {
  const ask = "Write a function in Scheme that reverses a list of strings and keeps empty ones";

  it.each([
    ["the same words", ask, ask],
    ["other capitals and marks", ask, `${ask.toUpperCase()}!`],
    ["words around it", ask, `Give this conversation a short title, please:\n\n${ask}`],
    [
      "other numbers",
      "Convert 150 euros to 3 other currencies now",
      "convert 97 Euros to 12 other currencies now",
    ],
    [
      "the same words without spaces",
      "证明根号二是无理数并写出步骤",
      "请证明根号二是无理数并写出步骤",
    ],
    ["two words", "who are", "Who are?"],
  ])("is left out if the training has %s", (_name, judged, other) => {
    expect(kept(judged, other)).toBe(0);
  });

  it.each([
    [
      "a common phrase",
      "how can you help me",
      "Can you help me with my garden? How can I plan a bed of roses?",
    ],
    [
      "a common opening",
      "what's the best way to get a mastercard",
      "What's the best way to install a compiler in a shell?",
    ],
  ])("stays if the training has only %s", (_name, judged, other) => {
    expect(kept(judged, other)).toBe(1);
  });
});

describe("makers", () => {
  it("are shared by data sets of one labeller and of one writer", () => {
    const group = (source: string): string => groupOf({ source });
    expect(group("zeroeval-gsm")).toBe(group("zeroeval-math-l5"));
    expect(group("bfcl-synth")).toBe(group("bfcl-multiturn"));
    const writers = new Set(makersOf({ source: "zeroeval-math-l5" }));
    expect(makersOf({ source: "routellm-mmlu" }).some((maker) => writers.has(maker))).toBe(true);
    expect(makersOf({ source: "housekeeping" })).toContain(group("arena-hard-v0.1"));
  });

  it("are summed up with the worst of them by name", () => {
    const predictions = (need: number, ranks: readonly number[]): Prediction[] =>
      ranks.map((rank) => ({
        record: { ...record("x"), tier: tiers[need] ?? "simple" },
        rank,
        probabilities: [1, 0, 0, 0],
        score: 0,
      }));
    const { under, macroF1 } = makerFigures([
      { name: "easy", predictions: predictions(0, [0, 0, 0, 0]), nearDuplicates: 0 },
      { name: "hard", predictions: predictions(3, [0, 3]), nearDuplicates: 0 },
      { name: "unlabelled", predictions: [], nearDuplicates: 0 },
    ]);
    expect(under).toMatchObject({ mean: 0.25, spread: 0.25, worst: 0.5, worstMaker: "hard" });
    expect(under.all).toBeCloseTo(1 / 6, 9);
    expect(macroF1.worstMaker).toBe("hard");
  });
});
