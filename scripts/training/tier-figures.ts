/** How often the tier is right, too weak or too strong, and what that costs. */
import { tiers } from "../../src/workspace/contract/outcomes.ts";
import type { TierProbabilities } from "../../src/routing/contract/tier.ts";
import { tierIndex } from "./data.ts";
import type { Prediction } from "./predict.ts";
import { meanOf, sumOf } from "./statistics.ts";

/** Relative prices of the tiers' models. */
const tierPrices = [0.3, 1, 5, 12] as const;

/** Shares of records unless noted. */
export interface TierFigures {
  /** Records with a label. */
  readonly n: number;
  readonly macroF1: number;
  readonly accuracy: number;
  /** Too weak a tier. */
  readonly under: number;
  /** Too weak by two tiers or more. */
  readonly severe: number;
  /** Too strong a tier. */
  readonly over: number;
  /** Cost divided by the cost of always choosing the labelled tier. */
  readonly costVsOracle: number;
  /** Means over the labelled tiers, each of equal weight. */
  readonly balanced: Readonly<Record<"accuracy" | "under" | "over", number>>;
}

/** Predictions by needed rank (row) and chosen rank (column). */
type ConfusionMatrix = readonly (readonly number[])[];

/** The figures of the predictions whose records have a label. */
export function tierFigures(predictions: readonly Prediction[]): TierFigures {
  const matrix = tiers.map(() => [0, 0, 0, 0]);
  const count = { n: 0, right: 0, under: 0, severe: 0, over: 0 };
  let cost = 0;
  let oracleCost = 0;
  for (const { record, rank } of predictions) {
    const need = tierIndex(record.tier);
    if (need === undefined) continue;
    const row = matrix[need] ?? [];
    row[rank] = (row[rank] ?? 0) + 1;
    count.n++;
    if (rank === need) count.right++;
    if (rank < need) count.under++;
    if (rank <= need - 2) count.severe++;
    if (rank > need) count.over++;
    cost += tierPrices[rank] ?? 0;
    oracleCost += tierPrices[need] ?? 0;
  }
  const { n } = count;
  return {
    n,
    macroF1: macroF1(matrix),
    accuracy: count.right / n,
    under: count.under / n,
    severe: count.severe / n,
    over: count.over / n,
    costVsOracle: cost / oracleCost,
    balanced: balancedFigures(matrix),
  };
}

function balancedFigures(matrix: ConfusionMatrix): TierFigures["balanced"] {
  const needed = [...matrix.entries()].filter(([, row]) => sumOf(row, Number) > 0);
  const share = (test: (rank: number, need: number) => boolean): number =>
    meanOf(needed, ([need, row]) => {
      const hits = row.reduce((sum, count, rank) => sum + (test(rank, need) ? count : 0), 0);
      return hits / sumOf(row, Number);
    });
  return {
    accuracy: share((rank, need) => rank === need),
    under: share((rank, need) => rank < need),
    over: share((rank, need) => rank > need),
  };
}

/** Mean over the labelled tiers of the F1 score. */
function macroF1(matrix: ConfusionMatrix): number {
  const needed = [...matrix.entries()].filter(([, row]) => sumOf(row, Number) > 0);
  return meanOf(needed, ([need, row]) => {
    const chosen = sumOf(matrix, (cells) => cells[need] ?? 0);
    return (2 * (row[need] ?? 0)) / (sumOf(row, Number) + chosen);
  });
}

/** One point of the frontier: the cost against the oracle's, and the errors at that cost. */
export interface Spend {
  readonly cost: number;
  readonly under: number;
  readonly severe: number;
}

/** Cost and errors of routing by price + penalty * P(need is higher), for many penalties, cheapest first. */
export function spendFrontier(predictions: readonly Prediction[]): Spend[] {
  const labelled = predictions.filter(({ record }) => record.tier !== undefined);
  const points: Spend[] = [];
  for (let penalty = 0.5; penalty < 80; penalty *= 1.04) {
    const { costVsOracle, under, severe } = tierFigures(
      labelled.map((one) => ({ ...one, rank: rankByPrice(one.probabilities, penalty) })),
    );
    points.push({ cost: costVsOracle, under, severe });
  }
  return points.sort((a, b) => a.cost - b.cost);
}

/** The errors at a cost, interpolated between the nearest points of the frontier. */
export function atCost(points: readonly Spend[], cost: number): Spend {
  const at = points.findIndex((point) => point.cost >= cost);
  const above = points[at] ?? points.at(-1);
  const below = points[at - 1];
  const none = { cost, under: NaN, severe: NaN };
  if (above === undefined || below === undefined || above.cost === below.cost) return above ?? none;
  const share = (cost - below.cost) / (above.cost - below.cost);
  const between = (a: number, b: number): number => a + share * (b - a);
  return {
    cost,
    under: between(below.under, above.under),
    severe: between(below.severe, above.severe),
  };
}

function rankByPrice(probabilities: TierProbabilities, penalty: number): number {
  let best = 0;
  let least = Infinity;
  let above = 1;
  probabilities.forEach((probability, rank) => {
    above -= probability;
    const loss = (tierPrices[rank] ?? 0) + penalty * Math.max(0, above);
    if (loss < least - 1e-12) {
      least = loss;
      best = rank;
    }
  });
  return best;
}
