/** Fits the tables of the score to training examples. */
import { fitGain } from "./fit-gain.ts";
import { fitTiers, type TierFitOptions } from "./fit-tiers.ts";
import type { FittedTables } from "./tables.ts";
import type { TrainingExample } from "./training-example.ts";

const tierOptions: TierFitOptions = {
  epochs: 200,
  decay: 0.001,
  smoothing: 0.002,
  hiddenKeywords: 0.1,
  seed: 20,
};
const gainDecay = 30;

/** Fits tiers and gain. The same examples give the same tables. */
export function fit(examples: readonly TrainingExample[]): FittedTables {
  return { ...fitTiers(examples, tierOptions), ...fitGain(examples, gainDecay) };
}
