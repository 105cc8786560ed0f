/** The fitted tables of the score in floating point, and what they say about a request's bins. */
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";

export const tierCount = 4;

/** One number for each tier and cell, and the gain of each cell. */
export interface FittedTables {
  /** Logits: `scoreCellCount * tierCount`. */
  readonly tier: Float64Array;
  readonly tierBias: Float64Array;
  /** Logits: `scoreCellCount`. */
  readonly gain: Float64Array;
  readonly gainBias: number;
}

/** Index of each feature's first cell. */
export const firstCells: readonly number[] = scoreFeatures.map((_feature, at) =>
  scoreFeatures.slice(0, at).reduce((sum, { bins }) => sum + bins.length, 0),
);

/** The cells into which a request falls, one for each feature. */
export function cellsOf(bins: Uint8Array): Uint16Array {
  return Uint16Array.from(firstCells, (first, feature) => first + (bins[feature] ?? 0));
}

/** Writes the probability of each tier into `into`. */
export function tierProbabilities(
  cells: Uint16Array,
  { tier, tierBias }: Pick<FittedTables, "tier" | "tierBias">,
  into: Float64Array,
): void {
  let top = -Infinity;
  for (let k = 0; k < tierCount; k++) {
    let logit = tierBias[k] ?? 0;
    for (let f = 0; f < cells.length; f++) logit += tier[(cells[f] ?? 0) * tierCount + k] ?? 0;
    into[k] = logit;
    top = Math.max(top, logit);
  }
  let sum = 0;
  for (let k = 0; k < tierCount; k++) sum += into[k] = Math.exp((into[k] ?? 0) - top);
  for (let k = 0; k < tierCount; k++) into[k] = (into[k] ?? 0) / sum;
}

/** The logit of the gain. */
export function gainLogit(
  cells: Uint16Array,
  { gain, gainBias }: Pick<FittedTables, "gain" | "gainBias">,
): number {
  let logit = gainBias;
  for (const cell of cells) logit += gain[cell] ?? 0;
  return logit;
}
