/** What fitted tables say about a sample. */
import {
  tierRank,
  type QualityPreference,
  type TierProbabilities,
} from "../../src/routing/contract/tier.ts";
import { chooseTier } from "../../src/routing/score/choose-tier.ts";
import type { LabelledRecord } from "./data.ts";
import type { Sample } from "./examples.ts";
import { cellsOf, gainLogit, tierCount, tierProbabilities, type FittedTables } from "./tables.ts";

/** A record with what routing predicts for it. */
export interface Prediction {
  readonly record: LabelledRecord;
  /** Rank of the chosen tier. */
  readonly rank: number;
  readonly probabilities: TierProbabilities;
  readonly score: number;
}

/** The prediction with the preference `balanced`. */
export function predict({ record, example }: Sample, tables: FittedTables): Prediction {
  const cells = cellsOf(example.bins);
  const p = new Float64Array(tierCount);
  tierProbabilities(cells, tables, p);
  const probabilities: TierProbabilities = [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0, p[3] ?? 0];
  return {
    record,
    probabilities,
    rank: tierRank(chooseTier(probabilities, "balanced").tier),
    score: gainLogit(cells, tables),
  };
}

/** The same predictions with the tiers that another preference chooses. */
export function withPreference(
  predictions: readonly Prediction[],
  quality: QualityPreference,
): Prediction[] {
  return predictions.map((one) => ({
    ...one,
    rank: tierRank(chooseTier(one.probabilities, quality).tier),
  }));
}
