/** Which features predict the gain of more than one pair of models. */
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { groupedBy, meanOf, sumOf } from "./statistics.ts";
import type { TrainingExample } from "./training-example.ts";

/** What one pair shows in one bin: how many results, and their mean gain less the pair's mean gain. */
interface BinEffect {
  readonly n: number;
  readonly effect: number;
}

/** Results that a pair must have outside of a feature's most common bin, to say anything of the feature. */
const minResults = 30;
/** Mean effect that two pairs must share. */
const minEffect = 0.01;

/**
 * The features (indexes of `scoreFeatures`) whose effect at least two pairs of models show in the same direction.
 * What one pair alone shows is mostly chance, or a habit of its two models.
 */
export function supportedFeatures(
  examples: readonly TrainingExample[],
  features: readonly number[],
): number[] {
  const pairs = [...groupedBy(examples, ({ pair }) => pair).values()];
  return features.filter((feature) => {
    const effects = pairs.map((results) => binEffects(results, feature)).filter(saysEnough);
    return effects.some((one, at) => effects.slice(0, at).some((other) => agree(one, other)));
  });
}

function binEffects(results: readonly TrainingExample[], feature: number): BinEffect[] {
  const mean = meanOf(results, gainOf);
  const byBin = groupedBy(results, ({ bins }) => String(bins[feature] ?? 0));
  return (scoreFeatures[feature]?.bins ?? []).map((_name, bin) => {
    const own = byBin.get(String(bin)) ?? [];
    return { n: own.length, effect: own.length === 0 ? 0 : meanOf(own, gainOf) - mean };
  });
}

function gainOf({ gain = 0 }: TrainingExample): number {
  return gain;
}

function saysEnough(effects: readonly BinEffect[]): boolean {
  const counts = effects.map(({ n }) => n);
  return sumOf(counts, Number) - Math.max(...counts) >= minResults;
}

/** Whether two pairs gain in the same bins, each bin weighed by the pair that has fewer results in it. */
function agree(one: readonly BinEffect[], other: readonly BinEffect[]): boolean {
  const shared = one.map(({ n, effect }, bin) => {
    const { n: count = 0, effect: second = 0 } = other[bin] ?? {};
    return { n: Math.min(n, count), product: effect * second };
  });
  const total = sumOf(shared, ({ n }) => n);
  return sumOf(shared, ({ n, product }) => n * product) > minEffect ** 2 * total;
}
