/** Which tier a request needs: by its role, its score and explicit intent, in this order. */
import type { DecidedBy } from "./contract/decision.ts";
import { higherTier, lowerTier } from "./contract/tier.ts";
import { type TierName } from "../workspace/contract/outcomes.ts";
import { strongestContributions } from "./explanation/explain-decision.ts";
import { explicitIntent, type TierBounds } from "./intent/explicit-intent.ts";
import type { RequestRole } from "./intent/request-role.ts";
import { learnedOffset } from "./learning/learned-offset.ts";
import type { RequestReading } from "./request-reading.ts";
import { agentTier } from "./score/agent-tier.ts";
import { chooseTier } from "./score/choose-tier.ts";
import { scoreRequest, type RequestScore } from "./score/score-request.ts";
import { weights } from "./score/weights.ts";
import {
  isShortAsk,
  requestSignals,
  type RequestSignals,
  withoutSurroundings,
} from "./signals/request-signals.ts";

/** The tier that a request needs, before models come in. */
export interface TierAssessment {
  readonly need: TierName;
  readonly by: Extract<DecidedBy, "scorer" | "intent" | "compaction" | "housekeeping">;
  /** What led to it, for the reason. */
  readonly notes: readonly string[];
  /** 0..1 */
  readonly confidence: number;
  readonly learnedOffset: number;
  readonly signals: RequestSignals;
  readonly score: RequestScore;
}

/** Clients say themselves what such requests are for: this is hardly ever wrong. */
const backgroundConfidence = 0.95;

/** Assesses a request. All are scored, because the score is part of every decision; not all go by it. */
export function assessTier(reading: RequestReading): TierAssessment {
  const { view, client, role } = reading;
  const scored = scoredRequest(requestSignals(view, client));
  switch (role.kind) {
    case "background":
      return { ...fixedTier(sideTaskTier(role.task), `by=${role.task}`), ...scored };
    case "safety":
      return { ...fixedTier(safetyTier, "by=safety"), ...scored };
    case "compaction":
      return { ...fixedTier(compactionTier, "compaction"), by: "compaction", ...scored };
    case "main":
    case "subagent":
    case "plan":
      return role.small === true
        ? { ...fixedTier("simple", "by=small model"), ...scored }
        : { ...tierByScore(reading, scored.score), ...scored };
    default:
      return role satisfies never;
  }
}

type ScoredRequest = Pick<TierAssessment, "signals" | "score">;

/** From this probability on, a short ask is as easy with tools as it is without. */
const surelySimple = 0.7;

/** "Thanks" and "run the tests" ask for little, however many tools a client offers and however long the conversation is. */
function scoredRequest(signals: RequestSignals): ScoredRequest {
  if (signals.tools > 0 && isShortAsk(signals)) {
    const alone = withoutSurroundings(signals);
    const score = scoreRequest(alone);
    if (score.probabilities[0] >= surelySimple) return { signals: alone, score };
  }
  return { signals, score: scoreRequest(signals) };
}

/** A classifier decides what an agent may do: never with the weakest, and in time. */
const safetyTier: TierName = "standard";
/** Where the conversation has no model to stay on. */
const compactionTier: TierName = "standard";

/** A side request of an unknown kind may be a decision too. */
function sideTaskTier(task: Extract<RequestRole, { kind: "background" }>["task"]): TierName {
  return task === "side request" ? "standard" : "simple";
}

/** The tier of a request whose words say nothing of the work that it is. */
function fixedTier(need: TierName, note: string): Omit<TierAssessment, "signals" | "score"> {
  return {
    need,
    by: "housekeeping",
    notes: [note],
    confidence: backgroundConfidence,
    learnedOffset: 0,
  };
}

function tierByScore(
  reading: RequestReading,
  score: RequestScore,
): Omit<TierAssessment, "signals" | "score"> {
  const { input, view, client, role } = reading;
  const searches = role.kind === "subagent" && role.searches === true;
  const { routing, effort } = input.harness;
  const offset = routing?.learning === true ? learnedOffset(input.outcomes) : 0;
  const quality = routing?.quality ?? "balanced";
  const startsAsAgent = client.isAgent || searches;
  const choice = startsAsAgent
    ? agentTier(score.probabilities, { quality, searches })
    : chooseTier(score.probabilities, quality, offset);
  const notes = [
    `by=scorer@${weights.version}`,
    ...(startsAsAgent ? [`start=${searches ? "search" : "agent"}`] : []),
    ...strongestContributions(score.contributions, choice.tier),
  ];
  if (choice.leanedUp) notes.push("unsure: leaned up");
  if (offset !== 0) notes.push(`learned=${offset > 0 ? "+" : ""}${offset.toFixed(3)}`);
  const plans = role.kind === "plan";
  const bounds = explicitIntent({ request: input.request, view, client, plans, effort });
  const need = bounded(choice.tier, bounds);
  const base = { need, confidence: choice.confidence, learnedOffset: offset };
  if (need === choice.tier) return { ...base, by: "scorer", notes };
  return { ...base, by: "intent", notes: [boundNote(need, bounds), ...notes] };
}

/** A floor wins over a cap: whoever asks for both gets the stronger model. */
function bounded(tier: TierName, { floor, cap }: TierBounds): TierName {
  const capped = cap === undefined ? tier : lowerTier(tier, cap);
  return floor === undefined ? capped : higherTier(capped, floor);
}

function boundNote(tier: TierName, { floor, notes }: TierBounds): string {
  return `${floor === tier ? "floor" : "cap"}=${tier} (${notes.join(", ")})`;
}
