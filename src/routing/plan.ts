/** `auto`: which tier a request needs and which models may serve it. Pure: no clock, no network, no state. */
import type { JsonObject } from "../lib/json.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { assessTier, type TierAssessment } from "./assess-tier.ts";
import { chooseCandidates, modelsWithStayCandidates } from "./choose-candidates.ts";
import type { ModelCost, RoutingDecision } from "./contract/decision.ts";
import type { RoutingInput } from "./contract/input.ts";
import type { TierProbabilities } from "./contract/tier.ts";
import { reasonLine } from "./explanation/reason-line.ts";
import { stayCost, switchCost, tokenRates } from "./models/conversation-cost.ts";
import { Exclusions } from "./models/exclusions.ts";
import { requirementsOf } from "./models/requirements.ts";
import { readRoutingInput, type RequestReading } from "./request-reading.ts";
import { estimateInputTokens } from "./request/input-size.ts";
import { roleRouting } from "./role-routing.ts";
import { isChore } from "./score/agent-tier.ts";
import { sessionBinding } from "./session/session-affinity.ts";

/** Decides. Never throws, whatever the request contains; without any model `candidates` is empty. */
export function planAuto(asked: RoutingInput): RoutingDecision {
  const read = readRoutingInput(asked);
  const { view, client, role } = read;
  const { routing: set, models: roleModels } = roleRouting(asked.harness.routing, role.kind);
  const routing = asked.quality === undefined ? set : { ...set, quality: asked.quality };
  const input = { ...asked, harness: { ...asked.harness, routing } };
  const reading = { ...read, input };
  const assessment = assessTier(reading);
  const inputTokens = estimateInputTokens(input.request);
  const exclusions = new Exclusions();
  const requirements = requirementsOf(input, view, inputTokens);
  const choice = { input, assessment, requirements, exclusions, roleModels };
  const { tier, by, candidates, notes } = chooseCandidates(choice);
  const { need, learnedOffset, score } = assessment;
  return {
    tier,
    need,
    role: role.kind,
    by,
    reason: reasonLine(notes),
    // Rounded here, so that the header, the log and the dry run show the same number.
    confidence: Math.round(assessment.confidence * 1000) / 1000,
    learnedOffset,
    score: score.gain,
    probabilities: score.probabilities,
    contributions: score.contributions,
    signals: namedSignals(reading, assessment, inputTokens),
    candidates: candidates.models.map(({ id }) => id),
    tierIsListed: candidates.origin === "configured" && routing?.beyond_tiers !== true,
    ...modelsWithStayCandidates(choice, { tier, by, candidates, notes }),
    quality: routing?.quality ?? "balanced",
    work: read.work,
    excluded: exclusions.models,
    ...sessionBinding({ input, view, client, by }),
    costs: costsOfNextAnswer(candidates.models, inputTokens),
    notes,
    requestsPerAsk: expectedRequests(reading, score.probabilities),
    inputTokens,
  };
}

/** Requests that a chore takes. */
const requestsPerChore = 2;

/** As many as the asks before took, unless this one is a chore. */
function expectedRequests(
  { view, client }: RequestReading,
  probabilities: TierProbabilities,
): number {
  const average = 1 + view.calls / Math.max(1, view.asks - 1);
  const isShort = client.isAgent && isChore(probabilities);
  return isShort ? Math.min(requestsPerChore, average) : average;
}

/** What was read from the request, under the names of `POST /api/route`. */
function namedSignals(
  { view, client, work }: RequestReading,
  { signals }: TierAssessment,
  inputTokens: number,
): JsonObject {
  return {
    client: client.name,
    input_tokens: inputTokens,
    ask_characters: view.ask.length,
    ask_tokens: Math.round(signals.text.tokens),
    asks: view.asks,
    tools: view.tools,
    calls: view.calls,
    images: view.images,
    after_results: view.inToolLoop,
    failures: work.steps.filter(({ failed }) => failed).length,
    ...(work.complaint !== undefined && { complaint: work.complaint }),
  };
}

/** Models of unknown price are left out. */
function costsOfNextAnswer(models: readonly ListedModel[], inputTokens: number): ModelCost[] {
  const outlook = { cachedTokens: inputTokens, newTokens: 0, requests: 1 };
  return models.flatMap((model) => {
    const rates = tokenRates(model);
    if (rates === undefined) return [];
    return { id: model.id, stay: stayCost(rates, outlook), switch: switchCost(rates, outlook) };
  });
}
