/** Routing as one function of an OpenAI chat body, for evaluations outside of the gateway. */
import type { JsonObject } from "../../src/lib/json.ts";
import type { TierName } from "../../src/workspace/contract/outcomes.ts";
import type { TierProbabilities } from "../../src/routing/contract/tier.ts";
import { planAuto } from "../../src/routing/plan.ts";
import { chatRequest } from "./chat-request.ts";

/** The evaluated part of a decision. */
export interface RouteResult {
  readonly tier: TierName;
  readonly score: number;
  readonly confidence: number;
  readonly p: TierProbabilities;
}

const headers = { get: () => null };

/** Tier, score, confidence and tier probabilities, as `POST /api/route` gives them without any model. */
export function route(body: JsonObject): RouteResult {
  const { need, score, confidence, probabilities } = planAuto({
    request: chatRequest(body),
    headers,
    harness: { id: "eval" },
    models: [],
  });
  return { tier: need, score, confidence, p: probabilities };
}
