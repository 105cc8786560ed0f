/** From probabilities to a tier: the one whose expected loss is least, by what the harness values. */
import { tiers } from "./decision.ts";
import type { Quality, TierName } from "./decision.ts";

/** Of each tier, weakest first. */
export type Probabilities = readonly [number, number, number, number];

/**
 * What an answer costs that falls one, two or three tiers short of the need, where an answer above the need
 * costs 1. With losses that begin at 1 and grow, whatever moves probability upwards never lowers the tier.
 */
const shortfall = {
  balanced: [1, 1.25, 1.5],
  quality: [1.5, 2.1, 2.7],
} as const satisfies Record<Exclude<Quality, "eco">, readonly number[]>;

/**
 * `eco` goes by money: price + mu * P(need is higher), with relative prices of the tiers' models. Since the
 * prices grow faster and faster, each step up has its own least probability: step / mu. No request gets more
 * than `balanced` gives it: a step that is cheap beside the next one is still no saving.
 */
const prices = [0.3, 1, 5, 12] as const;
const ecoMu = 9;

/** Below this probability of the likeliest tier, `quality` leans up. */
const unsure = 0.5;

export interface Need {
  tier: TierName;
  /** Probability of the likeliest tier: how sure the score is. */
  confidence: number;
  leaned: boolean;
}

/** The tier that a request needs. `offset` (0..0.12) is what outcomes taught: it leans up. */
export function needOf(p: Probabilities, quality: Quality, offset = 0): Need {
  const indexAt = (given: number): number =>
    quality === "eco"
      ? Math.min(byPrice(p, given), byLoss(p, shortfall.balanced, given))
      : byLoss(p, shortfall[quality], given);
  const plain = indexAt(0);
  // Outcomes move a request by one tier at most.
  const index = offset === 0 ? plain : Math.min(plain + 1, indexAt(offset));
  const confidence = Math.max(...p);
  const expected = Math.ceil(p[1] + 2 * p[2] + 3 * p[3] - 1e-9);
  const leaned = quality === "quality" && confidence < unsure && expected > index;
  return { tier: tierAt(leaned ? expected : index), confidence, leaned };
}

function byPrice(p: Probabilities, offset: number): number {
  const atLeast = [1, p[1] + p[2] + p[3], p[2] + p[3], p[3]];
  // The same ratio by which the offset weighs losses against each other.
  const lessening = (1 - 2 * offset) / (1 + 2 * offset);
  let index = 0;
  for (let tier = 1; tier < prices.length; tier++) {
    const step = (prices[tier] ?? 0) - (prices[tier - 1] ?? 0);
    if ((atLeast[tier] ?? 0) > (step / ecoMu) * lessening) index = tier;
  }
  return index;
}

function byLoss(
  p: Probabilities,
  short: readonly [number, number, number],
  offset: number,
): number {
  let best = 0;
  let least = Infinity;
  for (let tier = 0; tier < tiers.length; tier++) {
    let loss = 0;
    p.forEach((chance, need) => {
      if (need < tier) loss += chance * (1 - 2 * offset);
      else if (need > tier) loss += chance * (short[need - tier - 1] ?? 0) * (1 + 2 * offset);
    });
    // On a tie the cheaper tier stands.
    if (loss < least - 1e-12) {
      least = loss;
      best = tier;
    }
  }
  return best;
}

/** The tier at an index, kept within the known ones. */
export function tierAt(index: number): TierName {
  return tiers[Math.min(Math.max(index, 0), tiers.length - 1)] ?? "standard";
}

export function rankOf(tier: TierName): number {
  return tiers.indexOf(tier);
}
