/** How requests of each tier ended, as counts that routing may learn from. */

/** Capability floors of `auto`, weakest first. */
export const tiers = ["simple", "standard", "complex", "reasoning"] as const;
/** One of `tiers`. */
export type TierName = (typeof tiers)[number];

/** Whether it is one of them. */
export function isTierName(name: string | undefined): name is TierName {
  return tiers.some((tier) => tier === name);
}

/** Counts of how requests of one tier ended, for one harness. */
export type Outcomes = Partial<Record<TierName, OutcomeCounts>>;

/** Counts of one tier. */
export interface OutcomeCounts {
  /** Requests whose end is known; each of the other counts is about some of them. */
  served: number;
  errors: number;
  truncated: number;
  rephrased: number;
  overridden: number;
  bad_calls: number;
  /** What people said of the model that a request got; missing: nobody said so. */
  right?: number;
  /** A stronger one was needed. */
  too_weak?: number;
  /** A cheaper one would do. */
  too_strong?: number;
}

/** One count more. */
export interface Observation {
  tier: TierName;
  what: keyof OutcomeCounts;
}
