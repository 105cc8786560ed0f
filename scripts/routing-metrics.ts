/** The figures by which a router is judged. */
import { tiers } from "../src/routing/decision.ts";
import type { Probabilities } from "../src/routing/need.ts";
import type { LabelledRecord } from "./routing-data.ts";
import { tierIndex } from "./routing-data.ts";

export interface Prediction {
  record: LabelledRecord;
  tier: number;
  p: Probabilities;
  score: number;
}

/** Relative prices of the tiers' models. */
export const tierPrices = [0.3, 1, 5, 12] as const;

export interface TierFigures {
  n: number;
  macroF1: number;
  accuracy: number;
  under: number;
  severe: number;
  over: number;
  costVsOracle: number;
}

/** Tier figures over the records that have a tier. */
export function tierFigures(predictions: readonly Prediction[]): TierFigures {
  const table = tiers.map(() => [0, 0, 0, 0]);
  const sum = { n: 0, right: 0, under: 0, severe: 0, over: 0, cost: 0, ideal: 0 };
  for (const { record, tier } of predictions) {
    const need = tierIndex(record.tier);
    if (need === undefined) continue;
    const row = table[need] ?? [];
    row[tier] = (row[tier] ?? 0) + 1;
    sum.n++;
    if (tier === need) sum.right++;
    if (tier < need) sum.under++;
    if (tier <= need - 2) sum.severe++;
    if (tier > need) sum.over++;
    sum.cost += tierPrices[tier] ?? 0;
    sum.ideal += tierPrices[need] ?? 0;
  }
  const { n } = sum;
  return {
    n,
    macroF1: macroF1(table),
    accuracy: sum.right / n,
    under: sum.under / n,
    severe: sum.severe / n,
    over: sum.over / n,
    costVsOracle: sum.cost / sum.ideal,
  };
}

function macroF1(table: readonly (readonly number[])[]): number {
  let sum = 0;
  let kinds = 0;
  tiers.forEach((_tier, k) => {
    const row = (table[k] ?? []).reduce((all, x) => all + x, 0);
    const column = table.reduce((all, cells) => all + (cells[k] ?? 0), 0);
    if (row === 0) return;
    kinds++;
    sum += (2 * (table[k]?.[k] ?? 0)) / (row + column);
  });
  return sum / kinds;
}

/** Under-routing at a spend: price + mu * P(need is higher), over all mu, on the line between its points. */
export function underAtCost(predictions: readonly Prediction[], spend: number): number {
  const labelled = predictions.filter(({ record }) => record.tier !== undefined);
  const points: { cost: number; under: number }[] = [];
  for (let mu = 0.5; mu < 80; mu *= 1.04) {
    const { costVsOracle: cost, under } = tierFigures(
      labelled.map((one) => ({ ...one, tier: byPrice(one.p, mu) })),
    );
    points.push({ cost, under });
  }
  points.sort((a, b) => a.cost - b.cost);
  const at = points.findIndex(({ cost }) => cost >= spend);
  const above = points[at];
  const below = points[at - 1];
  if (above === undefined) return points.at(-1)?.under ?? NaN;
  if (below === undefined || above.cost === below.cost) return above.under;
  const share = (spend - below.cost) / (above.cost - below.cost);
  return below.under + share * (above.under - below.under);
}

function byPrice(p: readonly number[], mu: number): number {
  let best = 0;
  let least = Infinity;
  let above = 1;
  p.forEach((chance, tier) => {
    above -= chance;
    const loss = (tierPrices[tier] ?? 0) + mu * Math.max(0, above);
    if (loss < least - 1e-12) {
      least = loss;
      best = tier;
    }
  });
  return best;
}

/** Area under the share of the gap between weak and strong that is recovered, over the share of strong calls. */
export function apgr(predictions: readonly Prediction[]): number {
  const items = predictions
    .filter(({ record }) => record.weak !== undefined)
    .map(({ record, score }) => ({ score, gain: (record.strong ?? 0) - (record.weak ?? 0) }))
    .toSorted((a, b) => b.score - a.score);
  const all = items.reduce((sum, { gain }) => sum + gain, 0);
  let area = 0;
  let reached = 0;
  for (let at = 0; at < items.length;) {
    // Ties in any order: the expected curve between their ends is a straight line.
    let end = at;
    let gain = 0;
    while (end < items.length && items[end]?.score === items[at]?.score)
      gain += items[end++]?.gain ?? 0;
    area += ((end - at) / items.length) * (2 * reached + gain) * 0.5;
    reached += gain;
    at = end;
  }
  return area / all;
}

/** Groups by a key, in order of appearance. */
export function grouped<T>(
  items: readonly T[],
  key: (item: T) => string | undefined,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
