/** Which models may serve a request, in which order: the named one, or what `auto` decides. Pure but for the lists. */
import { Problem } from "../core/problem.ts";
import { estimateTurn } from "../core/tokens.ts";
import type { Turn } from "../core/turn.ts";
import type { CandidateEstimate } from "../meter/contract.ts";
import type { ListedModel } from "../providers/contract.ts";
import { lookup } from "../providers/lookup.ts";
import type { Decision } from "../routing/decision.ts";
import { planAuto } from "../routing/plan.ts";
import type { HarnessEntry } from "../store/config.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Call } from "./call.ts";

export interface Plan {
  tier: string;
  reason: string;
  confidence: number;
  /** First is the primary. */
  candidates: ListedModel[];
  estimates: CandidateEstimate[];
  /** Set when `auto` decided. */
  decision?: Decision;
  sessionKey?: string;
  harness: HarnessEntry;
  /** All models of the snapshot that the plan was made from. */
  models: readonly ListedModel[];
}

export interface PlanInput {
  call: Call;
  snapshot: Snapshot;
  harnessId: string;
  models: readonly ListedModel[];
  turn: () => Turn;
}

/** Throws M101 without a provider, M302 for a model that nobody serves. */
export function planRequest(input: PlanInput): Plan {
  const { snapshot, models } = input;
  const harness = snapshot.config.harnesses?.find(({ id }) => id === input.harnessId);
  if (harness === undefined) throw new Problem("M005", "The holder of this key is gone.");
  if ((snapshot.config.providers ?? []).length === 0) {
    throw new Problem("M101", "No provider is connected. Connect one on the dashboard or through the admin API.");
  }
  const asked = askedModel(input.call);
  const found = lookup(asked, { models, aliases: harness.aliases ?? {} });
  if (found === undefined) throw unknownModel(asked);
  return found === "auto" ? planned(input, harness, asked) : direct(input, harness, found);
}

function askedModel(call: Call): string {
  const model = call.body?.["model"];
  return typeof model === "string" ? model : "";
}

function unknownModel(asked: string): Problem {
  return new Problem("M302", `Model not available: no connected provider serves ${JSON.stringify(asked.slice(0, 200))}. GET /v1/models lists what this key can route to.`);
}

function direct(input: PlanInput, harness: HarnessEntry, model: ListedModel): Plan {
  const fallbacks = harness.routing?.fallbacks?.[model.id] ?? [];
  const candidates = chainOf([model.id, ...fallbacks], input.models);
  return {
    tier: "direct",
    reason: "named by the client",
    confidence: 1,
    candidates,
    estimates: estimates(candidates, input, harness),
    harness,
    models: input.models,
  };
}

function planned(input: PlanInput, harness: HarnessEntry, asked: string): Plan {
  const { call } = input;
  const decision = planAuto({
    turn: input.turn(),
    body: call.body ?? {},
    headers: call.request.headers,
    harness: { id: harness.id, routing: harness.routing, effort: savedEffort(harness) },
    models: input.models,
    ...(asked !== "auto" && { requested: asked }),
  });
  const candidates = chainOf(decision.candidates, input.models);
  if (candidates.length === 0) throw new Problem("M302", "Model not available: no connected provider has a model for `auto`.");
  const priced = chainOf([...decision.candidates, ...decision.stayable], input.models);
  return {
    tier: decision.tier,
    reason: decision.reason,
    confidence: decision.confidence,
    candidates,
    estimates: estimates(priced, input, harness),
    decision,
    sessionKey: decision.sessionKey,
    harness,
    models: input.models,
  };
}

function savedEffort(harness: HarnessEntry): string | undefined {
  const effort = harness.params?.["reasoning_effort"];
  return typeof effort === "string" ? effort : undefined;
}

/** The listed models of these ids, each once, in this order. */
export function chainOf(ids: readonly string[], models: readonly ListedModel[]): ListedModel[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** What each candidate would cost at most. The tokens are counted only where a limit makes them matter. */
function estimates(candidates: readonly ListedModel[], input: PlanInput, harness: HarnessEntry): CandidateEstimate[] {
  const asked = input.call.body === undefined ? undefined : askedOutput(input);
  const tokens = (harness.limits?.length ?? 0) > 0 ? estimateTurn(input.turn()) : Math.ceil(input.call.size / 4);
  return candidates.map(({ id, info }) => ({
    id,
    input: tokens,
    ...(asked !== undefined && { asked }),
    ...(info.maxOutput !== undefined && { modelMax: info.maxOutput }),
    ...(info.prices !== undefined && { prices: info.prices }),
  }));
}

const limitFields = ["max_completion_tokens", "max_output_tokens", "max_tokens"] as const;

function askedOutput(input: PlanInput): number | undefined {
  for (const field of limitFields) {
    const value = input.call.body?.[field];
    if (typeof value === "number" && value > 0) return value;
  }
  return undefined;
}
