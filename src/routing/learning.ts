/**
 * What outcomes may teach: one bounded, visible number a tier. The weights never change; no complaint is no
 * proof of quality, so only what went wrong counts.
 */
import { tiers } from "./decision.ts";
import type { OutcomeCounts, Outcomes, TierName } from "./decision.ts";

/** Before so many observations nothing follows. */
export const leastObservations = 30;
/** The most that may be taken off (or put on) what a step up has to earn. */
export const mostOffset = 0.12;
/** Share of bad ends that is nobody's fault; worth so many observations before any are made. */
const usualShare = 0.08;
const priorWeight = 40;

export type Outcome = "ok" | "error" | "truncated" | "rephrased" | "overridden" | "badCall";

const fields = {
  error: "errors",
  truncated: "truncated",
  rephrased: "rephrased",
  overridden: "overridden",
  badCall: "badCalls",
} as const satisfies Record<Exclude<Outcome, "ok">, keyof OutcomeCounts>;

/** The counts with one more observation. */
export function observe(outcomes: Outcomes, tier: TierName, outcome: Outcome): Outcomes {
  const counts = outcomes[tier] ?? {
    served: 0,
    errors: 0,
    truncated: 0,
    rephrased: 0,
    overridden: 0,
    badCalls: 0,
  };
  const served = { ...counts, served: counts.served + 1 };
  if (outcome === "ok") return { ...outcomes, [tier]: served };
  const field = fields[outcome];
  return { ...outcomes, [tier]: { ...served, [field]: served[field] + 1 } };
}

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
    bad += counts.truncated + counts.rephrased + counts.overridden + counts.badCalls;
  }
  if (served < leastObservations) return 0;
  const share = (bad + usualShare * priorWeight) / (served + priorWeight);
  return Math.min(mostOffset, Math.max(-mostOffset / 2, (share - usualShare) * 0.6));
}
