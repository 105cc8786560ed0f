/** The figures by which a router is judged. */
import { tiers } from "../../src/routing/decision.ts";
import type { Probabilities } from "../../src/routing/need.ts";
import type { LabelledRecord } from "./data.ts";
import { tierIndex } from "./data.ts";

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
  /** Means over the tiers that are needed, each of equal weight. */
  balanced: Record<"accuracy" | "under" | "over", number>;
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
    balanced: balancedOf(table),
  };
}

function balancedOf(table: readonly (readonly number[])[]): TierFigures["balanced"] {
  const needed = [...table.entries()].filter(([, row]) => sumOf(row, Number) > 0);
  const share = (is: (tier: number, need: number) => boolean): number =>
    meanOf(needed, ([need, row]) => {
      const hits = row.reduce((sum, count, tier) => sum + (is(tier, need) ? count : 0), 0);
      return hits / sumOf(row, Number);
    });
  return {
    accuracy: share((tier, need) => tier === need),
    under: share((tier, need) => tier < need),
    over: share((tier, need) => tier > need),
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

interface Spend {
  cost: number;
  under: number;
  severe: number;
}

/** What routing by price + mu * P(need is higher) costs and misses, over all mu, cheapest first. */
export function frontier(predictions: readonly Prediction[]): Spend[] {
  const labelled = predictions.filter(({ record }) => record.tier !== undefined);
  const points: Spend[] = [];
  for (let mu = 0.5; mu < 80; mu *= 1.04) {
    const { costVsOracle, under, severe } = tierFigures(
      labelled.map((one) => ({ ...one, tier: byPrice(one.p, mu) })),
    );
    points.push({ cost: costVsOracle, under, severe });
  }
  return points.sort((a, b) => a.cost - b.cost);
}

/** A spend's place on the line between the points round it. */
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

export interface GainFigures {
  n: number;
  /** Area under the share of the gap between weak and strong that is recovered, over the share of strong calls. */
  apgr: number;
  /** Least share of strong calls that recovers half of the gap, and four fifths of it. */
  cpt50: number;
  cpt80: number;
  /** What is saved, at the records' own costs, where 95 % of the strong model's quality is kept. */
  savingAt95: number;
}

/** How well the scores order requests by what the strong model of a pair gained. */
export function gainFigures(predictions: readonly Prediction[]): GainFigures {
  const items = predictions
    .filter(({ record }) => record.weak !== undefined)
    .map(({ record, score }) => ({
      score,
      weak: record.weak ?? 0,
      gain: (record.strong ?? 0) - (record.weak ?? 0),
      costs: [record.cost_weak ?? 0, record.cost_strong ?? 0] as const,
    }))
    .toSorted((a, b) => b.score - a.score);
  const n = items.length;
  const all = sumOf(items, ({ gain }) => gain);
  const curve = gainCurve(items);
  let area = 0;
  curve.forEach((point, at) => {
    const before = curve[at - 1];
    if (before) area += ((point.x - before.x) * (point.y + before.y)) / 2;
  });
  const weak = sumOf(items, (item) => item.weak);
  const needed = (0.95 * (weak + all) - weak) / all;
  const share = needed <= 0 ? 0 : shareFor(curve, needed);
  const mixed = items.reduce((sum, { costs }, at) => sum + costs[at / n < share ? 1 : 0], 0);
  return {
    n,
    apgr: area,
    cpt50: shareFor(curve, 0.5),
    cpt80: shareFor(curve, 0.8),
    savingAt95: 1 - mixed / sumOf(items, ({ costs }) => costs[1]),
  };
}

type Point = Record<"x" | "y", number>;

/** Ties in any order: the expected curve between their ends is a straight line. */
function gainCurve(items: readonly { score: number; gain: number }[]): Point[] {
  const all = sumOf(items, ({ gain }) => gain);
  const curve = [{ x: 0, y: 0 }];
  let reached = 0;
  items.forEach(({ score, gain }, at) => {
    reached += gain;
    if (items[at + 1]?.score !== score)
      curve.push({ x: (at + 1) / items.length, y: reached / all });
  });
  return curve;
}

function shareFor(curve: readonly Point[], recovered: number): number {
  const at = curve.findIndex(({ y }, index) => index > 0 && y >= recovered);
  const above = curve[at];
  const below = curve[at - 1];
  if (above === undefined || below === undefined) return 1;
  if (above.y === below.y) return above.x;
  const share = Math.max(0, (recovered - below.y) / (above.y - below.y));
  return below.x + (above.x - below.x) * share;
}

export function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** The mean; NaN of nothing. */
export function meanOf<T>(items: readonly T[], of: (item: T) => number): number {
  return sumOf(items, of) / items.length;
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
