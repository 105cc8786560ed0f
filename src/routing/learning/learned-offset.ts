/**
 * What a harness learns from the outcomes of its requests: one bounded, visible number. The weights never change.
 * Silence proves no quality, so of what is only observed, what went wrong counts; that a cheaper model would do, only
 * people can say.
 */
import type { JsonValue } from "../../lib/json.ts";
import type { OutcomeCounts, Outcomes, TierName } from "../../workspace/contract/outcomes.ts";
import { isTierName, tiers } from "../../workspace/contract/outcomes.ts";

/** With fewer observations nothing is learned. */
export const minLearnedObservations = 30;
/** The largest offset. */
export const maxLearnedOffset = 0.12;
/** The smallest: a tier that is too weak is the worse mistake. */
export const minLearnedOffset = -0.06;
/** Observations that what a person said counts for. */
export const observationsOfFeedback = 5;
/** Share of bad outcomes that is usual whatever the tier; it weighs as many observations as `priorWeight`. */
const usualShare = 0.08;
const priorWeight = 40;
const offsetPerShare = 0.6;

/**
 * How much sooner stronger tiers are chosen, -0.06..0.12; below 0: later. Errors of the provider do not count: they say
 * nothing about the tier. Neither does too weak of the strongest tier, nor too strong of the weakest: there is none beyond.
 */
export function learnedOffset(outcomes: Outcomes | undefined): number {
  const { bad, seen } = evidence(outcomes, tiers.slice(0, -1), tooWeak);
  const stronger = seen < minLearnedObservations ? 0 : Math.max(0, offsetOf(bad, seen, usualShare));
  const down = evidence(outcomes, tiers.slice(1), tooStrong);
  const weaker = down.seen < minLearnedObservations ? 0 : offsetOf(down.bad, down.seen, 0);
  return Math.min(maxLearnedOffset, Math.max(minLearnedOffset, stronger - weaker));
}

function offsetOf(bad: number, seen: number, usual: number): number {
  const share = (bad + usual * priorWeight) / (seen + priorWeight);
  return (share - usual) * offsetPerShare;
}

function tooWeak(counts: OutcomeCounts): number {
  const { truncated, rephrased, overridden, bad_calls, too_weak: said = 0 } = counts;
  return truncated + rephrased + overridden + bad_calls + said * observationsOfFeedback;
}

function tooStrong({ too_strong: said = 0 }: OutcomeCounts): number {
  return said * observationsOfFeedback;
}

/** What was seen of some tiers, and how much of it was bad in one way. */
function evidence(
  outcomes: Outcomes | undefined,
  names: readonly TierName[],
  badIn: (counts: OutcomeCounts) => number,
): { bad: number; seen: number } {
  let [bad, seen] = [0, 0];
  for (const name of names) {
    const counts = outcomes?.[name];
    if (counts === undefined) continue;
    bad += badIn(counts);
    seen += counts.served + saidOf(counts) * observationsOfFeedback;
  }
  return { bad, seen };
}

function saidOf({ right = 0, too_weak: weak = 0, too_strong: strong = 0 }: OutcomeCounts): number {
  return right + weak + strong;
}

/** The tier with which feedback on a logged decision is counted, by its signals: the one that was scored. */
export function feedbackTier(
  signals: Readonly<Record<string, JsonValue>> | undefined,
): TierName | undefined {
  const { by, need } = signals ?? {};
  if (by !== "scorer" && by !== "intent") return undefined;
  return typeof need === "string" && isTierName(need) ? need : undefined;
}
