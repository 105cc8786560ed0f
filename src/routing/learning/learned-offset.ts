/**
 * What a harness learns from the outcomes of its requests: one bounded, visible number. The weights never change.
 * Silence proves no quality, so only what went wrong counts.
 */
import type { Outcomes } from "../../workspace/contract/outcomes.ts";
import { tiers } from "../../workspace/contract/outcomes.ts";

/** With fewer observations nothing is learned. */
export const minLearnedObservations = 30;
/** The largest offset. */
export const maxLearnedOffset = 0.12;
/** Share of bad outcomes that is usual whatever the tier; it weighs as many observations as `priorWeight`. */
const usualShare = 0.08;
const priorWeight = 40;
const offsetPerShare = 0.6;

/**
 * How much sooner stronger tiers are chosen, 0..0.12. Errors of the provider do not count: they say nothing about
 * the tier. Neither do outcomes of the strongest tier, above which there is none.
 */
export function learnedOffset(outcomes: Outcomes | undefined): number {
  let bad = 0;
  let served = 0;
  for (const tier of tiers.slice(0, -1)) {
    const counts = outcomes?.[tier];
    if (counts === undefined) continue;
    served += counts.served;
    bad += counts.truncated + counts.rephrased + counts.overridden + counts.bad_calls;
  }
  if (served < minLearnedObservations) return 0;
  const share = (bad + usualShare * priorWeight) / (served + priorWeight);
  return Math.min(maxLearnedOffset, Math.max(0, (share - usualShare) * offsetPerShare));
}
