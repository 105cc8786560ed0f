/** Asks the chosen models, through every layer of the upstream. */
import { cacheKeyOf } from "./cache-key.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import { usesOfTool } from "../core/usage.ts";
import { savedParametersFor } from "../store/harness-parameters.ts";
import type { Ask, Started } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import type { Exchange } from "./exchange.ts";
import type { RoutingFacts } from "./headers.ts";
import type { Planned } from "./plan.ts";
import { withReasoning } from "./reasoning-keeper.ts";
import { judgeOf, searchAddressOf, searcherOf } from "./candidates/side-models.ts";
import { isHeld } from "./uncertain.ts";
import type { Services } from "./services.ts";

/** Throws what no candidate could even be called with (M100, M300, M101). */
export async function attempt(
  decided: Decided,
  exchange: Exchange,
  services: Services,
): Promise<Started> {
  const { chosen, admission } = decided;
  const [primary, ...others] = chosen.candidates;
  if (primary === undefined)
    throw new Problem(problemCodes.noProvider, "No provider is connected.");
  const { reasoning } = admission;
  const request =
    reasoning === undefined ? decided.request : await withReasoning(decided, services);
  const searches = usesOfTool(request.description.toolUses, "webSearch") !== undefined;
  const ask: Ask = {
    ...askOf(decided, { candidates: [primary, ...others], cooling: admission.cooling }, services),
    request,
    judge: judgeOf(decided.plan),
    searcher: searches ? searcherOf(decided.plan) : undefined,
    searchAddress: searches ? searchAddressOf(decided.plan) : undefined,
    held: searches && isHeld(decided.plan.limits),
  };
  const started = await services.upstream(ask);
  decided.memory.sent();
  if (request.sent !== undefined) request.sent.text = undefined;
  const model = started.kind === "failed" ? primary : started.prepared.model;
  exchange.routed({ ...routingOf(decided), model: model.id, provider: model.connection.id });
  return started;
}

/** The question to the upstream. */
export function askOf(
  planned: Planned,
  which: Pick<Ask, "candidates" | "cooling">,
  services: Services,
): Ask {
  const { request, client, http, holder, plan, policy, socket, trace, timer, memory } = planned;
  return {
    candidates: which.candidates,
    cooling: which.cooling,
    request,
    client,
    attempted: [],
    cacheKey: () => cacheKeyOf(planned),
    asIs: !policy.adaptsRelays,
    parametersFor: (model) => savedParametersFor(plan.harness, model),
    credentials: (connection) => services.credentials(holder.snapshot, connection),
    headers: http.headers,
    query: queryOf(http.url),
    timer,
    hasRoom: memory.answers,
    left: socket?.closed,
    trace,
  };
}

function routingOf({ plan, chosen, policy }: Decided): Omit<RoutingFacts, "model" | "provider"> {
  return {
    tier: plan.tier,
    reason: chosen.reason,
    confidence: plan.confidence,
    ...(plan.decision && { score: plan.decision.score }),
    ...(plan.decision && policy.namesRole && { role: plan.decision.role }),
  };
}

/** With its question mark, or empty. */
function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}
