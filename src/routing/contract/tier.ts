/** The four tiers, weakest first, and their order. */
import { tiers, type TierName } from "../../workspace/contract/outcomes.ts";

/** What a harness prefers where a wrong tier costs either money or quality. */
export type QualityPreference = "eco" | "balanced" | "quality";

/** Probability of each tier, weakest first; they add up to 1. */
export type TierProbabilities = readonly [number, number, number, number];

/** Rank of a tier: 0 is the weakest. */
export function tierRank(tier: TierName): number {
  return tiers.indexOf(tier);
}

/** The tier of a rank; ranks beyond the ends mean the weakest and the strongest. */
export function tierAtRank(rank: number): TierName {
  return tiers[Math.min(Math.max(rank, 0), tiers.length - 1)] ?? "standard";
}

/** The higher of two tiers. */
export function higherTier(a: TierName, b: TierName): TierName {
  return tierRank(a) >= tierRank(b) ? a : b;
}

/** The lower of two tiers. */
export function lowerTier(a: TierName, b: TierName): TierName {
  return tierRank(a) <= tierRank(b) ? a : b;
}
