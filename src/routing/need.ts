/** From probabilities to a tier: by what each step up costs and what falling short of the need costs. */
import { tiers } from "./decision.ts";
import type { Quality, TierName } from "./decision.ts";

/**
 * Going one tier up is worth its price once the chance that the work needs it exceeds price / (mu * loss), where
 * the loss grows with every tier that the answer falls short. Written as these quotients, one per step. They
 * decide each step by itself, so that whatever moves probability upwards never lowers the tier.
 */
const steps: Record<Quality, readonly [number, number, number]> = {
  eco: [0.62, 0.66, 0.7],
  balanced: [0.46, 0.47, 0.5],
  quality: [0.34, 0.36, 0.4],
};

/** Below this probability of the likeliest tier, `quality` leans up. */
const unsure = 0.5;

export interface Need {
  tier: TierName;
  /** Probability of the likeliest tier: how sure the score is. */
  confidence: number;
  leaned: boolean;
}

/** The cheapest tier by expected cost. `offset` lowers what a step up has to earn (-0.15..0.15). */
export function needOf(
  p: readonly [number, number, number, number],
  quality: Quality,
  offset = 0,
): Need {
  const atLeast = [p[1] + p[2] + p[3], p[2] + p[3], p[3]];
  let index = 0;
  steps[quality].forEach((threshold, step) => {
    if ((atLeast[step] ?? 0) > threshold - offset) index = step + 1;
  });
  const confidence = Math.max(...p);
  const expected = Math.ceil(p[1] + 2 * p[2] + 3 * p[3] - 1e-9);
  const leaned = quality === "quality" && confidence < unsure && expected > index;
  return { tier: tierAt(leaned ? expected : index), confidence, leaned };
}

/** The tier at an index, kept within the known ones. */
export function tierAt(index: number): TierName {
  return tiers[Math.min(Math.max(index, 0), tiers.length - 1)] ?? "standard";
}

export function rankOf(tier: TierName): number {
  return tiers.indexOf(tier);
}
