/** Which models may serve a request, in which order: the named one, or what `auto` decides. Pure but for the lists. */
import { Problem } from "../core/problem.ts";
import { estimateRequest } from "../tokens/estimate.ts";
import type { ModelRequest } from "../core/request.ts";
import type { CandidateEstimate } from "../workspace/contract/admission.ts";
import type { Outcomes } from "../workspace/contract/outcomes.ts";
import type { JsonValue } from "../lib/json.ts";
import { paramsFor } from "../upstream/adapt.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { isInProcess, targetOf } from "../providers/connection/connect.ts";
import { lookup, withoutAliases, type Directory } from "../providers/models/directory.ts";
import type { Decision, Speech } from "../routing/decision.ts";
import { watchedKey } from "../routing/observe.ts";
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
  directory: Directory;
}

export interface PlanInput {
  call: Call;
  snapshot: Snapshot;
  harnessId: string;
  directory: Directory;
  /** The lists are as fresh as they get: a model whose provider could not be asked for its list is tried as it is. */
  fresh: boolean;
  turn: () => ModelRequest;
  /** What the harness's requests came to so far, as far as it is known here. */
  outcomes: Outcomes | undefined;
}

/** Throws M101 without a provider, M302 for a model that nobody serves. */
export function planRequest(input: PlanInput): Plan {
  const { snapshot, directory } = input;
  const harness = snapshot.config.harnesses?.find(({ id }) => id === input.harnessId);
  if (harness === undefined) throw new Problem("M005", "The holder of this key is gone.");
  if ((snapshot.config.providers ?? []).length === 0) {
    throw new Problem(
      "M101",
      "No provider is connected. Connect one on the dashboard or through the admin API.",
    );
  }
  const asked = askedModel(input.call);
  const found = lookup(asked, directory, harness.aliases);
  switch (found.kind) {
    case "auto":
      return planned(input, harness, asked);
    case "model":
      return direct(input, harness, found.model);
    case "unread":
      if (input.fresh) return direct(input, harness, found.model);
      throw unknownModel(asked);
    case "none":
      throw unknownModel(asked);
    default:
      return found satisfies never;
  }
}

function askedModel(call: Call): string {
  const model = call.body?.["model"];
  return typeof model === "string" ? model : "";
}

function unknownModel(asked: string): Problem {
  return new Problem(
    "M302",
    `Model not available: no connected provider serves ${JSON.stringify(asked.slice(0, 200))}. GET /v1/models lists what this key can route to.`,
  );
}

function direct(input: PlanInput, harness: HarnessEntry, model: ListedModel): Plan {
  const fallbacks = harness.routing?.fallbacks?.[model.id] ?? [];
  const candidates = unique([model, ...chainOf(fallbacks, input.directory)]);
  return {
    tier: "direct",
    reason: "named by the client",
    confidence: 1,
    candidates,
    estimates: estimates(candidates, input, harness),
    ...(harness.routing?.learning === true && watched(input, harness)),
    harness,
    directory: input.directory,
  };
}

/** The conversation, to learn that the client names a model where `auto` chose before. */
function watched({ call, turn }: PlanInput, harness: HarnessEntry): Pick<Plan, "sessionKey"> {
  try {
    const { headers } = call.request;
    const key = watchedKey({ turn: turn(), body: call.body ?? {}, headers, harness });
    return key === undefined ? {} : { sessionKey: key };
  } catch {
    // What only the named model's provider can read is forwarded all the same.
    return {};
  }
}

function planned(input: PlanInput, harness: HarnessEntry, asked: string): Plan {
  const { call } = input;
  const decision = planAuto({
    turn: input.turn(),
    body: call.body ?? {},
    headers: call.request.headers,
    harness: { id: harness.id, routing: harness.routing, effort: savedEffort(harness) },
    models: routable(input.directory),
    resolve: (name) => chainOf([name], input.directory)[0],
    speech: speechOf,
    ...(asked !== "auto" && { requested: asked }),
    ...(input.outcomes && { outcomes: input.outcomes }),
  });
  const candidates = chainOf(decision.candidates, input.directory);
  if (candidates.length === 0)
    throw new Problem("M302", "Model not available: no connected provider has a model for `auto`.");
  const priced = chainOf([...decision.candidates, ...decision.stayable], input.directory);
  return {
    tier: decision.tier,
    reason: decision.reason,
    confidence: decision.confidence,
    candidates,
    estimates: estimates(priced, input, harness),
    decision,
    sessionKey: decision.sessionKey,
    harness,
    directory: input.directory,
  };
}

/** What the provider of a model can be told, in the dialect in which it would be asked. */
function speechOf(model: ListedModel): Speech {
  const { format, traits } = targetOf(model, "responses", false);
  return { refers: format === "responses", schemas: traits.schemaOutput };
}

function savedEffort(harness: HarnessEntry): string | undefined {
  const effort = harness.params?.["reasoning_effort"];
  return typeof effort === "string" ? effort : undefined;
}

/** The models that these names mean, each once, in this order; names that nobody serves are left out. */
export function chainOf(names: readonly string[], directory: Directory): ListedModel[] {
  return unique(
    names.flatMap((name) => {
      const found = withoutAliases(name, directory);
      return found.kind === "model" || found.kind === "unread" ? found.model : [];
    }),
  );
}

function unique(models: readonly ListedModel[]): ListedModel[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}

/** What `auto` chooses from: the built-in provider only while it is the only one. */
export function routable(directory: Directory): readonly ListedModel[] {
  const real = directory.models.filter(({ connection }) => !isInProcess(connection));
  const onlyBuiltIn = [...directory.connections.values()].every(isInProcess);
  return onlyBuiltIn ? directory.models : real;
}

/** What each candidate would cost at most. The tokens are counted only where a limit makes them matter. */
function estimates(
  candidates: readonly ListedModel[],
  input: PlanInput,
  harness: HarnessEntry,
): CandidateEstimate[] {
  const { call } = input;
  const tokens =
    (harness.limits?.length ?? 0) > 0 ? estimateRequest(input.turn()) : Math.ceil(call.size / 4);
  const answers = positive(call.body?.["n"]) ?? 1;
  return candidates.map(({ id, info }) => {
    const saved = call.policy.adaptsRelays ? askedIn(paramsFor(harness, id)) : undefined;
    const asked = saved ?? askedIn(call.body ?? {});
    return {
      id,
      input: tokens,
      ...(asked !== undefined && { asked: asked * answers }),
      ...(info.maxOutput !== undefined && { modelMax: info.maxOutput * answers }),
      ...(info.prices !== undefined && { prices: info.prices }),
    };
  });
}

const limitFields = ["max_completion_tokens", "max_output_tokens", "max_tokens"] as const;

/** The limit of output tokens that a body or the saved parameters set. */
function askedIn(fields: Readonly<Record<string, JsonValue | undefined>>): number | undefined {
  for (const field of limitFields) {
    const value = positive(fields[field]);
    if (value !== undefined) return value;
  }
  return undefined;
}

function positive(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
