/**
 * What outcomes may teach: one bounded, visible number a harness. The weights never change; no complaint is no
 * proof of quality, so only what went wrong counts.
 */
import type { Outcomes } from "../workspace/contract/outcomes.ts";
import { tiers } from "./decision.ts";

/** Before so many observations nothing follows. */
export const leastObservations = 30;
/** The most that may be taken off what a step up has to earn. */
export const mostOffset = 0.12;
/** Share of bad ends that is nobody's fault; worth so many observations before any are made. */
const usualShare = 0.08;
const priorWeight = 40;

/**
 * How much less a step up has to earn: 0 without enough observations, never beyond the bound. Errors of the
 * provider are counted and shown, but they say nothing about the tier.
 */
export function offsetOf(outcomes: Outcomes | undefined): number {
  let bad = 0;
  let served = 0;
  for (const tier of tiers.slice(0, 3)) {
    const counts = outcomes?.[tier];
    if (counts === undefined) continue;
    served += counts.served;
    bad += counts.truncated + counts.rephrased + counts.overridden + counts.bad_calls;
  }
  if (served < leastObservations) return 0;
  const share = (bad + usualShare * priorWeight) / (served + priorWeight);
  return Math.min(mostOffset, Math.max(0, (share - usualShare) * 0.6));
}
