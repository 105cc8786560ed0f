/** The gain must not be learned from what only one pair of models shows. */
import { describe, expect, it } from "vitest";
import { fitGain } from "../../scripts/training/fit-gain.ts";
import { firstCells } from "../../scripts/training/tables.ts";
import type { TrainingExample } from "../../scripts/training/training-example.ts";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";

const feature = scoreFeatures.findIndex(({ name }) => name === "numbers");
const decay = 1;

/** Results of a pair: in the second bin the expensive model gains `high`, in the first 0.1. */
function resultsOf(pair: string | undefined, high: number): TrainingExample[] {
  return Array.from({ length: 200 }, (_, at) => {
    const bins = new Uint8Array(scoreFeatures.length);
    bins[feature] = at % 2;
    const gain = at % 2 === 1 ? high : 0.1;
    return { bins, gain, ...(pair !== undefined && { pair }), weight: 1, gainWeight: 1 };
  });
}

/** By how much the second bin of the feature raises the gain over the first. */
function effectOf(...examples: TrainingExample[][]): number {
  const { gain } = fitGain(examples.flat(), decay);
  const first = firstCells[feature] ?? 0;
  return (gain[first + 1] ?? 0) - (gain[first] ?? 0);
}

describe("an effect on the gain", () => {
  it("that two pairs of models show is learned", () => {
    expect(effectOf(resultsOf("a>b", 0.6), resultsOf("c>d", 0.4))).toBeGreaterThan(0.5);
  });

  it("that one pair alone shows is dropped", () => {
    expect(effectOf(resultsOf("a>b", 0.6))).toBeCloseTo(0, 6);
    expect(effectOf(resultsOf("a>b", 0.6), resultsOf("c>d", 0.1))).toBeCloseTo(0, 6);
  });

  it("on which pairs contradict each other is dropped", () => {
    expect(effectOf(resultsOf("a>b", 0.6), resultsOf("c>d", -0.4))).toBeCloseTo(0, 6);
  });

  it("that one pair shows is left to the estimates", () => {
    const estimates = resultsOf(undefined, 0.3);
    const alone = effectOf(estimates);
    expect(alone).toBeGreaterThan(0.3);
    expect(effectOf(resultsOf("a>b", -0.6), estimates)).toBeCloseTo(alone, 1);
  });
});

describe("questions for a number", () => {
  it("do not move the gain: one pair of models gains much on them, another little", () => {
    const asking = scoreFeatures.filter(({ name }) =>
      ["cue.count", "wordproblem.count"].includes(name),
    );
    expect(asking.map(({ predictsGain }) => predictsGain)).toEqual([false, false]);
  });
});
