/** How well the score ranks requests by the gain of an expensive model. */
import type { Prediction } from "./predict.ts";
import { sumOf } from "./statistics.ts";

/** The figures of one pair or source. */
export interface GainFigures {
  readonly n: number;
  /** Average performance gap recovered: the area under the gain curve. */
  readonly apgr: number;
  /** Call-performance threshold: least share of strong calls that recovers half, or four fifths, of the gap. */
  readonly cpt50: number;
  readonly cpt80: number;
  /** Share of the strong model's cost that is saved while 95 % of its quality is kept. */
  readonly savingAt95: number;
}

/** What a pair of models did with one request. */
interface PairResult {
  readonly score: number;
  readonly weak: number;
  readonly gain: number;
  readonly costs: readonly [weak: number, strong: number];
}

/** How well the scores rank requests by what the strong model of a pair gained. */
export function gainFigures(predictions: readonly Prediction[]): GainFigures {
  const results = predictions.flatMap(pairResult).toSorted((a, b) => b.score - a.score);
  const curve = gainCurve(results);
  return {
    n: results.length,
    apgr: areaUnder(curve),
    cpt50: shareFor(curve, 0.5),
    cpt80: shareFor(curve, 0.8),
    savingAt95: savingAt(0.95, results, curve),
  };
}

function pairResult({ record, score }: Prediction): PairResult[] {
  const { weak, strong = 0, cost_weak = 0, cost_strong = 0 } = record;
  return weak === undefined
    ? []
    : [{ score, weak, gain: strong - weak, costs: [cost_weak, cost_strong] }];
}

/** Share of requests that the strong model answers, and share of the gap between the models that this recovers. */
interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** Requests of one score come in any order: the expected curve between their ends is a straight line. */
function gainCurve(results: readonly PairResult[]): CurvePoint[] {
  const all = sumOf(results, ({ gain }) => gain);
  const curve = [{ x: 0, y: 0 }];
  let reached = 0;
  results.forEach(({ score, gain }, at) => {
    reached += gain;
    if (results[at + 1]?.score !== score)
      curve.push({ x: (at + 1) / results.length, y: reached / all });
  });
  return curve;
}

function areaUnder(curve: readonly CurvePoint[]): number {
  let area = 0;
  curve.forEach((point, at) => {
    const before = curve[at - 1];
    if (before) area += ((point.x - before.x) * (point.y + before.y)) / 2;
  });
  return area;
}

function savingAt(
  quality: number,
  results: readonly PairResult[],
  curve: readonly CurvePoint[],
): number {
  const gain = sumOf(results, (result) => result.gain);
  const weak = sumOf(results, (result) => result.weak);
  const needed = (quality * (weak + gain) - weak) / gain;
  const share = needed <= 0 ? 0 : shareFor(curve, needed);
  const mixed = results.reduce(
    (sum, { costs }, at) => sum + costs[at / results.length < share ? 1 : 0],
    0,
  );
  return 1 - mixed / sumOf(results, ({ costs }) => costs[1]);
}

/** Least share of strong calls that recovers so much of the gap. */
function shareFor(curve: readonly CurvePoint[], recovered: number): number {
  const at = curve.findIndex(({ y }, index) => index > 0 && y >= recovered);
  const above = curve[at];
  const below = curve[at - 1];
  if (above === undefined || below === undefined) return 1;
  if (above.y === below.y) return above.x;
  const share = Math.max(0, (recovered - below.y) / (above.y - below.y));
  return below.x + (above.x - below.x) * share;
}
