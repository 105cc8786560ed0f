/**
 * Where an agent's work on an ask begins. Words say little of how hard it will be for an agent, which reads the code first; so
 * it begins where most of such work is done, and goes up when it fails.
 */
import type { QualityPreference, TierProbabilities } from "../contract/tier.ts";
import type { TierName } from "../../workspace/contract/outcomes.ts";
import type { TierChoice } from "./choose-tier.ts";

/** From these probabilities on, an ask is a chore, or hard, without a trial. */
const surely = { simple: 0.8, complex: 0.75, reasoning: 0.6 };

type Beginnings = Readonly<Record<"chore" | "work" | "hard" | "hardest", TierName>>;

/** `eco` begins lowest; `quality` begins one tier up. */
const beginnings: Readonly<Record<QualityPreference, Beginnings>> = {
  eco: { chore: "simple", work: "simple", hard: "standard", hardest: "complex" },
  balanced: { chore: "simple", work: "standard", hard: "complex", hardest: "reasoning" },
  quality: { chore: "standard", work: "complex", hard: "complex", hardest: "reasoning" },
};

/** What the harness prefers, and whether the agent only looks for things. */
export interface AgentStart {
  readonly quality: QualityPreference;
  readonly searches: boolean;
}

/** The tier where an agent begins. `probabilities`: those of the ask's words alone. */
export function agentTier(
  probabilities: TierProbabilities,
  { quality, searches }: AgentStart,
): TierChoice {
  const kind = searches ? "chore" : kindOfAsk(probabilities);
  const confidence = Math.max(...probabilities);
  return { tier: beginnings[quality][kind], confidence, leanedUp: false };
}

/** Whether an ask is a chore or small talk by its words: done in a request or two. */
export function isChore(probabilities: TierProbabilities): boolean {
  return kindOfAsk(probabilities) === "chore";
}

function kindOfAsk(p: TierProbabilities): keyof Beginnings {
  if (p[3] >= surely.reasoning) return "hardest";
  if (p[2] + p[3] >= surely.complex) return "hard";
  return p[0] >= surely.simple ? "chore" : "work";
}
