/** How requests of each tier ended, as counts that routing may learn from. */

/** Capability floors of `auto`, weakest first. */
export const tiers = ["simple", "standard", "complex", "reasoning"] as const;
/** One of `tiers`. */
export type TierName = (typeof tiers)[number];

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
}

/** One count more. */
export interface Observation {
  tier: TierName;
  what: keyof OutcomeCounts;
}
