/** The decision as plain data, for the log and the dry run. */
import type { JsonObject } from "../../lib/json.ts";
import type { Contribution, RoutingDecision } from "../contract/decision.ts";
import { tierRank } from "../contract/tier.ts";
import { type TierName } from "../../workspace/contract/outcomes.ts";
import { weights } from "../score/weights.ts";

/** Contributions that a reason names. */
const namedContributions = 4;
/** Weaker ones are not named. */
export const minPull = 0.05;
const tierCount = 4;

/** The contributions that favoured a tier most, strongest first: `tools +2.28`. */
export function strongestContributions(
  contributions: readonly Contribution[],
  tier: TierName,
): string[] {
  const rank = tierRank(tier);
  const strongest: { name: string; pull: number }[] = [];
  for (const contribution of contributions) {
    const pull = pullTowards(rank, contribution.tiers);
    if (pull < minPull) continue;
    // Insertion into a sorted list of four: most contributions cost one comparison.
    let at = strongest.length;
    while (at > 0 && (strongest[at - 1]?.pull ?? 0) < pull) at--;
    if (at >= namedContributions) continue;
    strongest.splice(at, 0, { name: contribution.name, pull });
    strongest.length = Math.min(strongest.length, namedContributions);
  }
  return strongest.map(({ name, pull }) => `${name} +${pull.toFixed(2)}`);
}

/** How much the addends of a contribution favour the tier of that rank over the mean of the others. */
export function pullTowards(rank: number, addends: readonly number[]): number {
  const own = addends[rank] ?? 0;
  const sum = (addends[0] ?? 0) + (addends[1] ?? 0) + (addends[2] ?? 0) + (addends[3] ?? 0);
  return own - (sum - own) / (tierCount - 1);
}

/** What `POST /api/route` answers and what the log keeps of a decision. */
export function explainDecision(decision: RoutingDecision): JsonObject {
  const { tier, role, reason, confidence, score, candidates, signals } = decision;
  return {
    tier,
    role,
    reason,
    confidence,
    score: rounded(score),
    ...(decision.learnedOffset !== 0 && { learned: rounded(decision.learnedOffset) }),
    p: decision.probabilities.map(rounded),
    signals: { ...signals, need: decision.need, by: decision.by, movement: decision.affinity },
    candidates: [...candidates],
    bias: { tiers: weights.bias.slice(0, 4), gain: weights.bias[4] },
    contributions: decision.contributions.map(({ name, bin, tiers, gain }) => ({
      name,
      bin,
      tiers: [...tiers],
      gain,
    })),
    excluded: decision.excluded.map(({ id, why }) => ({ id, why })),
    costs: decision.costs.map(({ id, stay, switch: change }) => ({
      id,
      stay: rounded(stay),
      switch: rounded(change),
    })),
    session: decision.sessionKey,
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
