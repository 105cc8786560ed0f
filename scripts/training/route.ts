/** The router as one function over an OpenAI chat body, for evaluations outside of the gateway. */
import type { JsonObject } from "../../src/lib/json.ts";
import type { TierName } from "../../src/routing/decision.ts";
import { planAuto } from "../../src/routing/plan.ts";
import { chatTurn } from "./chat-request.ts";

export interface Routed {
  tier: TierName;
  score: number;
  confidence: number;
  p: [number, number, number, number];
}

const headers = { get: () => null };

/** Tier, gain score, confidence and tier probabilities, as `POST /api/route` gives them without any model. */
export function route(body: JsonObject): Routed {
  const { need, score, confidence, p } = planAuto({
    turn: chatTurn(body),
    body,
    headers,
    harness: { id: "eval" },
    models: [],
  });
  return { tier: need, score, confidence, p };
}
