/** The fitted additive score: one small table per feature, so that the addends explain the score. */
import type { Contribution } from "../contract/decision.ts";
import type { TierProbabilities } from "../contract/tier.ts";
import type { RequestSignals } from "../signals/request-signals.ts";
import { featureBins, scoreCellCount, scoreFeatures } from "../signals/score-features.ts";
import { outputsPerCell, type Weights } from "./weights-format.ts";
import { weights } from "./weights.ts";

/** The score of one request. */
export interface RequestScore {
  readonly probabilities: TierProbabilities;
  /** 0..1: how much a more expensive model is expected to improve the answer. */
  readonly gain: number;
  /** Addends that are not zero. Together with the bias they are the score. */
  readonly contributions: readonly Contribution[];
}

/** The cells of all tables as contributions: made once, shared by all decisions. */
interface ScoreTables {
  readonly cells: readonly Contribution[];
  /** Index of each feature's first cell. */
  readonly firstCells: readonly number[];
}

let decoded: ScoreTables | undefined;

function decodeTables({ table, scale: [tierScale, gainScale] }: Weights): ScoreTables {
  const bytes = Uint8Array.from(atob(table), (char) => char.charCodeAt(0));
  if (bytes.length !== scoreCellCount * outputsPerCell * 2)
    throw new Error("The routing weights do not belong to these features.");
  const units = new DataView(bytes.buffer);
  const firstCells: number[] = [];
  const cells: Contribution[] = [];
  for (const { name, bins } of scoreFeatures) {
    firstCells.push(cells.length);
    for (const bin of bins) {
      const first = cells.length * outputsPerCell;
      const logit = (output: number, scale: number): number =>
        withoutRoundingError(units.getInt16((first + output) * 2, true) * scale);
      const tier = (rank: number): number => logit(rank, tierScale);
      const tiers = [tier(0), tier(1), tier(2), tier(3)] as const;
      cells.push({ name, bin, tiers, gain: logit(4, gainScale) });
    }
  }
  return { cells, firstCells };
}

/** Removes the binary rounding error of a product of an integer and a short decimal. */
function withoutRoundingError(value: number): number {
  return Number(value.toPrecision(12));
}

/** Scores a request. Pure. */
export function scoreRequest(signals: RequestSignals): RequestScore {
  const { cells, firstCells } = (decoded ??= decodeTables(weights));
  const bins = featureBins(signals);
  const logits: Logits = [...weights.bias];
  const contributions: Contribution[] = [];
  for (let feature = 0; feature < bins.length; feature++) {
    const cell = cells[(firstCells[feature] ?? 0) + (bins[feature] ?? 0)];
    if (cell === undefined || isZero(cell)) continue;
    add(logits, cell);
    contributions.push(cell);
  }
  return { probabilities: softmax(logits), gain: 1 / (1 + Math.exp(-logits[4])), contributions };
}

type Logits = [number, number, number, number, number];

/** By index: destructuring an array costs an iterator, about fifty times per request. */
function add(logits: Logits, { tiers, gain }: Contribution): void {
  logits[0] += tiers[0];
  logits[1] += tiers[1];
  logits[2] += tiers[2];
  logits[3] += tiers[3];
  logits[4] += gain;
}

function isZero({ tiers, gain }: Contribution): boolean {
  return tiers[0] === 0 && tiers[1] === 0 && tiers[2] === 0 && tiers[3] === 0 && gain === 0;
}

function softmax(logits: Logits): TierProbabilities {
  const top = Math.max(logits[0], logits[1], logits[2], logits[3]);
  const a = Math.exp(logits[0] - top);
  const b = Math.exp(logits[1] - top);
  const c = Math.exp(logits[2] - top);
  const d = Math.exp(logits[3] - top);
  const sum = a + b + c + d;
  return [a / sum, b / sum, c / sum, d / sum];
}
