/** Keeps monotone features monotone. */
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { firstCells, tierCount } from "./tables.ts";

/**
 * From bin to bin of a monotone feature, no tier may gain on a stronger one. Then a higher bin only moves
 * probability upwards, whatever else the request shows. Changes `tier` to the nearest logits for which this holds.
 */
export function enforceMonotone(tier: Float64Array): void {
  scoreFeatures.forEach(({ bins, monotone }, feature) => {
    if (monotone !== true) return;
    const first = firstCells[feature] ?? 0;
    // The log-odds of each tier against the one below it must not fall.
    const logOdds = Array.from({ length: tierCount - 1 }, (_, k) =>
      nearestRising(
        bins.map((_bin, b) => {
          const at = (first + b) * tierCount + k;
          return (tier[at + 1] ?? 0) - (tier[at] ?? 0);
        }),
      ),
    );
    bins.forEach((_bin, b) => {
      const at = (first + b) * tierCount;
      setLogits(
        tier.subarray(at, at + tierCount),
        logOdds.map((ratio) => ratio[b] ?? 0),
      );
    });
  });
}

/** Sets logits with the given differences and an unchanged mean. */
function setLogits(logits: Float64Array, differences: readonly number[]): void {
  const mean =
    ((logits[0] ?? 0) + (logits[1] ?? 0) + (logits[2] ?? 0) + (logits[3] ?? 0)) / tierCount;
  let value = 0;
  const raw = [0, ...differences.map((difference) => (value += difference))];
  const shift = mean - raw.reduce((sum, logit) => sum + logit, 0) / tierCount;
  raw.forEach((logit, k) => {
    logits[k] = logit + shift;
  });
}

/** The nearest sequence that never falls (pool adjacent violators). */
function nearestRising(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let last = { sum: value, count: 1 };
    for (let before = pools.at(-1); before !== undefined; before = pools.at(-1)) {
      if (before.sum / before.count <= last.sum / last.count) break;
      last = { sum: before.sum + last.sum, count: before.count + last.count };
      pools.pop();
    }
    pools.push(last);
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}
