/** How the requests of a harness ended, counted by tier: what routing may learn from. */
import type { GivenFeedback } from "../contract/feedback.ts";
import type { Observation, OutcomeCounts, Outcomes, TierName } from "../contract/outcomes.ts";

/** Counts by the harness's id. */
export type OutcomesByHarness = Map<string, Outcomes>;

const none: OutcomeCounts = {
  served: 0,
  errors: 0,
  truncated: 0,
  rephrased: 0,
  overridden: 0,
  bad_calls: 0,
};

/** The counts with one more observation. */
export function observe(outcomes: Outcomes, { tier, what }: Observation): Outcomes {
  const counts = outcomes[tier] ?? none;
  return { ...outcomes, [tier]: { ...counts, [what]: (counts[what] ?? 0) + 1 } };
}

/** The counts with what a person said added, or taken back. */
export function countFeedback(
  outcomes: Outcomes,
  { answer, tier }: Required<GivenFeedback>,
  step: 1 | -1,
): Outcomes {
  const counts = outcomes[tier] ?? none;
  // Counts that were reset meanwhile have nothing to take back.
  return {
    ...outcomes,
    [tier]: { ...counts, [answer]: Math.max(0, (counts[answer] ?? 0) + step) },
  };
}

/** The counts of one tier; zeros before the first request. */
export function countsOf(outcomes: Outcomes, tier: TierName): OutcomeCounts {
  return outcomes[tier] ?? none;
}

/** Counts what a request showed. */
export function countObserved(
  all: OutcomesByHarness,
  harness: string,
  observed: readonly Observation[],
): void {
  if (observed.length === 0) return;
  all.set(harness, observed.reduce(observe, all.get(harness) ?? {}));
}
