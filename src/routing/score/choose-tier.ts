/** From probabilities to a tier: the one with the least expected loss, by what the harness prefers. */
import { tierAtRank, type QualityPreference, type TierProbabilities } from "../contract/tier.ts";
import { tiers, type TierName } from "../../workspace/contract/outcomes.ts";

/**
 * Loss of an answer that is one, two or three tiers below the need; an answer above the need has loss 1. Losses
 * that begin at 1 and grow make the choice monotone: moving probability upwards never lowers the tier.
 */
const lossesBelow = {
  balanced: [1, 1.25, 1.5],
  quality: [1.5, 2.1, 2.7],
} as const satisfies Record<Exclude<QualityPreference, "eco">, readonly number[]>;

/**
 * `eco` minimizes price + ecoPenalty * P(the need is higher), with relative prices of the tiers' models. As the
 * prices grow faster and faster, each step up needs a probability of its own: price difference / ecoPenalty.
 */
const relativePrices = [0.3, 1, 5, 12] as const;
const ecoPenalty = 9;

/** Below this probability of the most likely tier, `quality` takes the next tier up. */
const unsureBelow = 0.5;

/** The chosen tier. */
export interface TierChoice {
  readonly tier: TierName;
  /** Probability of the most likely tier. */
  readonly confidence: number;
  /** `quality` chose a higher tier because the score is unsure. */
  readonly leanedUp: boolean;
}

/** The tier that a request needs. `offset` (-0.06..0.12) is what past outcomes taught: above 0, stronger tiers are chosen sooner. */
export function chooseTier(
  probabilities: TierProbabilities,
  quality: QualityPreference,
  offset = 0,
): TierChoice {
  const rank = rankWithOffset(probabilities, quality, offset);
  const confidence = Math.max(...probabilities);
  // A sum of probabilities can be an integer plus a rounding error.
  const expected = Math.ceil(probabilities[1] + 2 * probabilities[2] + 3 * probabilities[3] - 1e-9);
  const leanedUp = quality === "quality" && confidence < unsureBelow && expected > rank;
  return { tier: tierAtRank(leanedUp ? expected : rank), confidence, leanedUp };
}

/** Past outcomes move a request by one tier at most. */
function rankWithOffset(
  probabilities: TierProbabilities,
  quality: QualityPreference,
  offset: number,
): number {
  const plain = rankAt(probabilities, quality, 0);
  if (offset === 0) return plain;
  const moved = rankAt(probabilities, quality, offset);
  return Math.max(plain - 1, Math.min(plain + 1, moved));
}

/** `eco` never chooses more than `balanced`: a step that is cheap beside the next one is still no saving. */
function rankAt(
  probabilities: TierProbabilities,
  quality: QualityPreference,
  offset: number,
): number {
  if (quality !== "eco") return rankByLoss(probabilities, lossesBelow[quality], offset);
  return Math.min(
    rankByPrice(probabilities, offset),
    rankByLoss(probabilities, lossesBelow.balanced, offset),
  );
}

function rankByPrice(p: TierProbabilities, offset: number): number {
  const atLeast = [1, p[1] + p[2] + p[3], p[2] + p[3], p[3]];
  // The ratio by which `rankByLoss` weighs losses above and below the need.
  const discount = (1 - 2 * offset) / (1 + 2 * offset);
  let chosen = 0;
  for (let rank = 1; rank < relativePrices.length; rank++) {
    const step = (relativePrices[rank] ?? 0) - (relativePrices[rank - 1] ?? 0);
    if ((atLeast[rank] ?? 0) > (step / ecoPenalty) * discount) chosen = rank;
  }
  return chosen;
}

type LossesBelow = readonly [number, number, number];

function rankByLoss(p: TierProbabilities, below: LossesBelow, offset: number): number {
  let chosen = 0;
  let least = Infinity;
  for (let rank = 0; rank < tiers.length; rank++) {
    let loss = 0;
    p.forEach((chance, need) => {
      if (need < rank) loss += chance * (1 - 2 * offset);
      else if (need > rank) loss += chance * (below[need - rank - 1] ?? 0) * (1 + 2 * offset);
    });
    // On a tie the cheaper tier wins, whatever the rounding error.
    if (loss < least - 1e-12) {
      least = loss;
      chosen = rank;
    }
  }
  return chosen;
}
