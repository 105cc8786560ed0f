/** Fits the tier logits: multinomial logistic regression by gradient descent with Adam. */
import { scoreCellCount, scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { enforceMonotone } from "./monotone.ts";
import { seededRandom } from "./random.ts";
import { cellsOf, firstCells, tierCount, tierProbabilities, type FittedTables } from "./tables.ts";
import type { TrainingExample } from "./training-example.ts";

/** Settings of the fit. */
export interface TierFitOptions {
  readonly epochs: number;
  /** Penalty on large logits. */
  readonly decay: number;
  /** Penalty on differences between neighbouring bins of one feature. */
  readonly smoothing: number;
  /** Share of keyword features that are hidden, as they would be in a language without keywords. */
  readonly hiddenKeywords: number;
  readonly seed: number;
}

type TierTables = Pick<FittedTables, "tier" | "tierBias">;

/** An example with a label, and the cells into which it falls. */
interface LabelledCells {
  readonly cells: Uint16Array;
  readonly tier: readonly number[];
  readonly weight: number;
}

const learningRate = 0.05;
/** Share of the examples of which keywords are hidden in one epoch. */
const hiddenExamples = 0.5;

/** Fits the tables to the examples with a label. Deterministic for a seed. */
export function fitTiers(
  examples: readonly TrainingExample[],
  options: TierFitOptions,
): TierTables {
  const labelled = examples.flatMap(({ bins, tier, weight }) =>
    tier === undefined ? [] : { cells: cellsOf(bins), tier, weight },
  );
  const tables = {
    tier: new Float64Array(scoreCellCount * tierCount),
    tierBias: new Float64Array(tierCount),
  };
  const step = new Adam(tables.tier);
  const biasStep = new Adam(tables.tierBias);
  const next = seededRandom(options.seed);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const seen = labelled.map((one) =>
      next() < hiddenExamples
        ? { ...one, cells: hideKeywords(one.cells, options.hiddenKeywords, next) }
        : one,
    );
    const gradient = gradientOf(seen, tables);
    addPenalties(tables.tier, gradient.tier, options);
    step.apply(gradient.tier);
    biasStep.apply(gradient.tierBias);
    enforceMonotone(tables.tier);
  }
  return tables;
}

const keywordFeatures = scoreFeatures.flatMap(({ name }, index) =>
  name.startsWith("cue.") ? [index] : [],
);

/** Moves some keyword features to their first bin: no keyword found. */
function hideKeywords(cells: Uint16Array, share: number, next: () => number): Uint16Array {
  const hidden = cells.slice();
  for (const feature of keywordFeatures) {
    const first = firstCells[feature] ?? 0;
    if (hidden[feature] !== first && next() < share) hidden[feature] = first;
  }
  return hidden;
}

/** Gradient of the weighted mean cross-entropy. */
function gradientOf(examples: readonly LabelledCells[], tables: TierTables): TierTables {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const tier = new Float64Array(tables.tier.length);
  const tierBias = new Float64Array(tierCount);
  const p = new Float64Array(tierCount);
  for (const { cells, tier: label, weight } of examples) {
    tierProbabilities(cells, tables, p);
    for (let k = 0; k < tierCount; k++) {
      const error = (((p[k] ?? 0) - (label[k] ?? 0)) * weight) / total;
      tierBias[k] = (tierBias[k] ?? 0) + error;
      for (let f = 0; f < cells.length; f++) add(tier, (cells[f] ?? 0) * tierCount + k, error);
    }
  }
  return { tier, tierBias };
}

function addPenalties(
  tier: Float64Array,
  gradient: Float64Array,
  { decay, smoothing }: TierFitOptions,
): void {
  for (let at = 0; at < tier.length; at++) add(gradient, at, decay * (tier[at] ?? 0));
  scoreFeatures.forEach(({ bins }, feature) => {
    const first = (firstCells[feature] ?? 0) * tierCount;
    for (let at = first + tierCount; at < first + bins.length * tierCount; at++) {
      const pull = smoothing * ((tier[at] ?? 0) - (tier[at - tierCount] ?? 0));
      add(gradient, at, pull);
      add(gradient, at - tierCount, -pull);
    }
  });
}

function add(values: Float64Array, at: number, value: number): void {
  values[at] = (values[at] ?? 0) + value;
}

/** The Adam optimizer for one array of values (Kingma and Ba, 2015), with the usual decay rates. */
class Adam {
  readonly #values: Float64Array;
  readonly #mean: Float64Array;
  readonly #variance: Float64Array;
  #steps = 0;

  constructor(values: Float64Array) {
    this.#values = values;
    this.#mean = new Float64Array(values.length);
    this.#variance = new Float64Array(values.length);
  }

  apply(gradient: Float64Array): void {
    this.#steps++;
    const meanCorrection = 1 - 0.9 ** this.#steps;
    const varianceCorrection = 1 - 0.999 ** this.#steps;
    for (let at = 0; at < gradient.length; at++) {
      const slope = gradient[at] ?? 0;
      const mean = 0.9 * (this.#mean[at] ?? 0) + 0.1 * slope;
      const variance = 0.999 * (this.#variance[at] ?? 0) + 0.001 * slope * slope;
      this.#mean[at] = mean;
      this.#variance[at] = variance;
      const step =
        (learningRate * (mean / meanCorrection)) /
        (Math.sqrt(variance / varianceCorrection) + 1e-8);
      add(this.#values, at, -step);
    }
  }
}
