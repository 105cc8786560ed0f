/** Asks the chosen models, through every layer of the upstream. */
import { cacheKeyOf } from "./cache-key.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import { usesOfTool } from "../core/usage.ts";
import { savedParametersFor } from "../store/harness-parameters.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Ask, Started } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import type { Exchange } from "./exchange.ts";
import type { RoutingFacts } from "./headers.ts";
import type { Planned } from "./plan.ts";
import { withReasoning } from "./reasoning-keeper.ts";
import type { BookedUsage } from "../workspace/contract/request-record.ts";
import { toPico } from "../workspace/rules/sums/cost.ts";
import { billedAttempts } from "./record.ts";
import { judgeOf, searchAddressOf, searcherOf } from "./candidates/side-models.ts";
import { isHeld } from "./uncertain.ts";
import type { Services } from "./services.ts";
import type { Silence } from "./silence.ts";

/** What an attempt needs besides its request. */
interface Attempting {
  readonly exchange: Exchange;
  readonly services: Services;
  /** Told of the calls that a client waits for in silence. */
  readonly silence?: Silence | undefined;
}

/** Throws what no candidate could even be called with (M100, M300, M101). */
export async function attempt(
  decided: Decided,
  { exchange, services, silence }: Attempting,
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
    ...(silence && { awaits: silence.awaits }),
    ...withinBounds(decided),
  };
  const started = await services.upstream(ask);
  decided.memory.sent();
  if (request.sent !== undefined) request.sent.text = undefined;
  const model = started.kind === "failed" ? primary : started.prepared.model;
  exchange.routed(routedTo(model, decided));
  return started;
}

/** Where a limit holds upper bounds, all calls together stay within what was set aside. */
function withinBounds(decided: Decided): Pick<Ask, "mayCall"> {
  const { bounds } = decided.admission;
  if (bounds === undefined) return {};
  const { reserve, most } = bounds;
  return {
    mayCall({ id }, failed) {
      const used = billedAttempts(failed, decided);
      const cost = used.reduce((sum, call) => sum + toPico(call.cost ?? 0), 0);
      const tokens = used.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
      const next = most[id] ?? reserve;
      return cost + next.cost <= reserve.cost && tokens + next.tokens <= reserve.tokens;
    },
  };
}

function tokensOf(usage: BookedUsage | undefined): number {
  return usage === undefined ? 0 : usage.input_tokens + usage.output_tokens;
}

/** The question to the upstream. */
export function askOf(
  planned: Planned,
  which: Pick<Ask, "candidates" | "cooling">,
  services: Services,
): Ask {
  const { request, client, http, holder, plan, policy, departure, trace, timer, memory } = planned;
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
    departure,
    trace,
  };
}

/** What is told of a request that this model answers, or would have. */
export function routedTo(
  { id, connection }: ListedModel,
  { plan, chosen, policy }: Decided,
): RoutingFacts {
  return {
    model: id,
    provider: connection.id,
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
