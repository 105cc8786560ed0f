/** The decision in words: one header line, and plain data for the log and the dry run. */
import type { JsonObject } from "../lib/json.ts";
import type { Contribution, Decision } from "./decision.ts";
import { rankOf } from "./need.ts";
import type { TierName } from "./decision.ts";
import { weights } from "./weights.ts";

/** Longest header line, in characters. */
const longestReason = 300;

/** Only printable ASCII, so that any value may stand in a header. */
export function headerSafe(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, "?").slice(0, longestReason);
}

/** Notes as one line; what does not fit any more is left out whole. */
export function reasonLine(notes: readonly string[]): string {
  let line = "";
  for (const note of notes) {
    const next = line === "" ? note : `${line}; ${note}`;
    if (next.length > longestReason) break;
    line = next;
  }
  return headerSafe(line);
}

/** The addends that spoke most for a tier against the others: `tools +2.28`. */
export function strongest(
  contributions: readonly Contribution[],
  tier: TierName,
  most = 4,
): string[] {
  const index = rankOf(tier);
  const found: { name: string; pull: number }[] = [];
  for (const contribution of contributions) {
    const pull = pullOf(contribution, index);
    if (pull < 0.05) continue;
    // A short list in order: what is weaker than its last entry costs one comparison.
    let at = found.length;
    while (at > 0 && (found[at - 1]?.pull ?? 0) < pull) at--;
    if (at >= most) continue;
    found.splice(at, 0, { name: contribution.name, pull });
    found.length = Math.min(found.length, most);
  }
  return found.map(({ name, pull }) => `${name} +${pull.toFixed(2)}`);
}

/** How much an addend favours one tier over the mean of the others. */
function pullOf({ tiers }: Contribution, index: number): number {
  const own = tiers[index] ?? 0;
  const sum = tiers[0] + tiers[1] + tiers[2] + tiers[3];
  return own - (sum - own) / (tiers.length - 1);
}

/** The whole decision as JSON: what `POST /api/route` answers and what the log keeps. */
export function explained(decision: Decision): JsonObject {
  const { tier, reason, confidence, score, p, candidates, signals } = decision;
  return {
    tier,
    reason,
    confidence,
    score: round(score),
    ...(decision.offset !== 0 && { learned: round(decision.offset) }),
    p: p.map(round),
    signals: { ...signals, need: decision.need, by: decision.by, movement: decision.movement },
    candidates,
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
      stay: round(stay),
      switch: round(change),
    })),
    session: decision.sessionKey,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(5));
}
