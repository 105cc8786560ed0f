/** Which models may serve a request, in which order: the named one, or what `auto` decides. Pure. */
import type { Prices } from "../../core/model.ts";
import type { RequestRoleName } from "../../core/request-role.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import { usesOfTool } from "../../core/usage.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import { isInProcess, type ListedModel } from "../../providers/connection/connection.ts";
import { type AutoDial, lookup, type Directory } from "../../providers/models/directory.ts";
import { targetOf } from "../../providers/connection/target.ts";
import type { RoutingDecision } from "../../routing/contract/decision.ts";
import type { ProviderSupport, RoutingInput } from "../../routing/contract/input.ts";
import { statedRole } from "../../routing/intent/stated-role.ts";
import { observedSessionKey } from "../../routing/learning/observations.ts";
import { notReachable } from "../../routing/models/tier-candidates.ts";
import { conversationBudgetKey } from "../../routing/session/session-key.ts";
import { planAuto } from "../../routing/plan.ts";
import { type ModelWall, wallOf, withinWall } from "../../providers/models/wall.ts";
import type { HarnessEntry, LimitEntry } from "../../store/config.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { savedEffort } from "../../translation/saved-parameters.ts";
import { searchFormat } from "../../upstream/search/search-format.ts";
import type { ClientRequest } from "../../upstream/client-request.ts";
import type { CandidateEstimate } from "../../workspace/contract/admission.ts";
import type { KeyTerms } from "../../workspace/contract/identity.ts";
import type { Outcomes } from "../../workspace/contract/outcomes.ts";
import { clientMarks } from "../request/client-marks.ts";
import { ratesFor } from "../../workspace/rules/sums/cost.ts";
import { chainOf, namesIn, unique } from "./named-models.ts";
import { estimates } from "./estimates.ts";
import { pricedModels, refuseUnpriced } from "./priced-uses.ts";
import { isSearchServed } from "./side-models.ts";

export interface Plan {
  readonly tier: string;
  readonly reason: string;
  readonly confidence: number;
  /** First is the primary. */
  readonly candidates: readonly [ListedModel, ...ListedModel[]];
  readonly estimates: readonly CandidateEstimate[];
  /** Set when `auto` decided. */
  readonly decision?: RoutingDecision;
  readonly sessionKey?: string;
  /** What the client lets the conversation cost, in USD, and the key under which that is counted. */
  readonly budget?: { readonly most: number; readonly key: string };
  /** What `auto` decides where most of that is spent. */
  readonly thrifty?: RoutingDecision;
  /** What the request is for: as `auto` decided, otherwise as the client says. */
  readonly role?: RequestRoleName;
  readonly harness: HarnessEntry;
  /** Every limit that holds the request: of the workspace, the harness, the key and its person. */
  readonly limits: readonly LimitEntry[];
  /** What the request may reach. */
  readonly wall: ModelWall | undefined;
  readonly directory: Directory;
}

/** The rules by which requests of a harness, or of one of its keys, are planned. */
export interface PlanRules {
  readonly harness: string;
  readonly snapshot: Snapshot;
  /** What the key adds; missing: no key is meant. */
  readonly terms?: KeyTerms;
}

export interface PlanInput {
  readonly request: ClientRequest;
  readonly headers: HeaderReader;
  readonly rules: PlanRules;
  readonly directory: Directory;
  /** The lists can't get newer: a model whose provider's list could not be read is tried anyway. */
  readonly fresh: boolean;
  /** Saved parameters are merged into requests. */
  readonly mergesParameters: boolean;
  /** What the harness's requests came to so far, as far as it is known here. */
  readonly outcomes: Outcomes | undefined;
}

/** How a plan is made: as a generation wants it, or an operation. */
export type Planner = (input: PlanInput) => Plan;

/**
 * Throws M101 without a provider, M302 for a model that nobody serves, M304 for one that the key may not reach, M305 where
 * a strict limit wants a price that is not known, M005 for a harness that is gone.
 */
export function planCandidates(input: PlanInput): Plan {
  const { directory } = input;
  const held = heldBy(input.rules);
  const { harness } = held;
  const { model } = input.request.description;
  const found = lookup(model, directory, harness.aliases);
  switch (found.kind) {
    case "auto":
      return auto(input, held, found.dial);
    case "model":
      return direct(input, held, found.model);
    case "unread":
      if (input.fresh) return direct(input, held, found.model);
      throw unknownModel(model);
    case "none":
      throw unknownModel(model);
    default:
      return found satisfies never;
  }
}

export function unknownModel(model: string): Problem {
  return new Problem(
    problemCodes.modelNotAvailable,
    `Model not available: no connected provider serves ${JSON.stringify(model.slice(0, 200))}. GET /v1/models lists what this key can route to.`,
  );
}

/** A harness with what holds its key's requests. */
export type Held = Pick<Plan, "harness" | "limits" | "wall">;

/** Throws M005 for a harness that is gone, M101 without a provider. */
export function heldBy({ harness: id, snapshot, terms }: PlanRules): Held {
  const { config } = snapshot;
  const harness = config.harnesses?.find((entry) => entry.id === id);
  if (harness === undefined)
    throw new Problem(problemCodes.unknownKey, "This key's harness was deleted.");
  if ((config.providers ?? []).length === 0) {
    throw new Problem(
      problemCodes.noProvider,
      "No provider is connected. Add one on the dashboard or through the admin API.",
    );
  }
  return {
    harness,
    wall: wallOf(harness.models, terms?.models),
    limits: [...(config.limits ?? []), ...(harness.limits ?? []), ...(terms?.limits ?? [])],
  };
}

function direct(input: PlanInput, held: Held, model: ListedModel): Plan {
  const { harness, wall } = held;
  if (wall?.allows(model.id) === false) throw notAllowed(model.id);
  const { directory, request, mergesParameters } = input;
  refuseUnpriced(model, request, { ...held, directory, mergesParameters });
  const fallbacks = harness.routing?.fallbacks?.[model.id];
  const candidates =
    fallbacks === undefined
      ? ([model] as const)
      : unique([
          model,
          ...pricedModels(withinWall(chainOf(fallbacks, directory), wall), request, {
            ...held,
            directory,
            mergesParameters,
          }),
        ]);
  const learns = harness.routing?.learning === true;
  const { marks } = request.description;
  const role = statedRole(clientMarks(input.headers, marks));
  return {
    tier: "direct",
    reason: "named by the client",
    confidence: 1,
    candidates,
    estimates: estimates(candidates, input, { ...held, directory }),
    ...(learns && watched(input, harness)),
    ...(role !== undefined && role !== "auxiliary" && { role }),
    ...held,
    directory,
  };
}

/** M304 for a model that the client named. */
export function notAllowed(model: string): Problem {
  return new Problem(
    problemCodes.modelNotAllowed,
    `Model not allowed: this key may not use ${JSON.stringify(model.slice(0, 200))}. GET /v1/models lists what it may use.`,
  );
}

/** The conversation, to learn that the client names a model where `auto` chose before. */
function watched({ request, headers }: PlanInput, harness: HarnessEntry): Pick<Plan, "sessionKey"> {
  try {
    const { conversation, marks } = request.description;
    const said = { request: request.inHub(), conversation, headers: clientMarks(headers, marks) };
    const key = observedSessionKey({ ...said, harness });
    return key === undefined ? {} : { sessionKey: key };
  } catch {
    // What only the named model's provider can read is forwarded all the same.
    return {};
  }
}

function auto(input: PlanInput, held: Held, dial: AutoDial = {}): Plan {
  const { request, directory, outcomes, mergesParameters } = input;
  const { harness, wall } = held;
  const headers = clientMarks(input.headers, request.description.marks);
  const reachable = withinWall(routable(directory), wall);
  const priced = (models: readonly ListedModel[]): readonly ListedModel[] =>
    pricedModels(models, request, { ...held, directory, mergesParameters });
  const models = priced(reachable);
  const chain = (names: readonly string[]): readonly ListedModel[] =>
    priced(withinWall(chainOf(names, directory), wall));
  const { model, conversation } = request.description;
  const [first] = reachable;
  if (models.length === 0 && first !== undefined)
    refuseUnpriced(first, request, { ...held, directory, mergesParameters });
  const asked: RoutingInput = {
    request: request.inHub(),
    conversation,
    headers,
    harness: {
      id: harness.id,
      routing: harness.routing,
      effort: savedEffort(harness.params ?? {}),
    },
    models,
    resolve: (name) => chain([name])[0],
    supportOf: supportFor({ harness, directory }, request),
    ...(model !== "auto" && { requestedModel: model }),
    ...(outcomes && { outcomes }),
    ...(dial.quality !== undefined && { quality: dial.quality }),
  };
  const decision = planAuto(asked);
  const [primary, ...others] = chain(decision.candidates);
  if (primary === undefined) throw noModelFor(decision, wall);
  const thrifty = dial.budget === undefined ? undefined : planAuto({ ...asked, quality: "eco" });
  const estimable = chain([
    ...decision.candidates,
    ...decision.stayCandidates,
    ...(thrifty?.candidates ?? []),
  ]);
  const { tier, reason, confidence, sessionKey } = decision;
  const estimated = estimates(estimable, input, { ...held, directory });
  return {
    tier,
    reason,
    confidence,
    candidates: [primary, ...others],
    estimates: withUnnamed(estimated, held, chain),
    decision,
    sessionKey,
    ...(thrifty !== undefined && { thrifty }),
    ...(dial.budget !== undefined && {
      budget: { most: dial.budget, key: conversationBudgetKey(asked, decision.sessionKey) },
    }),
    role: decision.role,
    ...held,
    directory,
  };
}

/** Marks models without a price that the harness does not name: those a used-up budget must not lead to. */
function withUnnamed(
  estimated: CandidateEstimate[],
  { harness, limits }: Held,
  chain: (names: readonly string[]) => readonly ListedModel[],
): CandidateEstimate[] {
  const isHeld = limits.some(({ action, metric }) => action === "block" && metric === "cost");
  if (!isHeld || estimated.every(({ prices }) => hasPrice(prices))) return estimated;
  const named = new Set(chain(namesIn(harness.routing)).map(({ id }) => id));
  return estimated.map((candidate) =>
    named.has(candidate.id) || hasPrice(candidate.prices)
      ? candidate
      : { ...candidate, unnamed: true },
  );
}

function hasPrice(prices: Prices | undefined): boolean {
  return ratesFor(prices, 0) !== undefined;
}

function noModelFor(
  { candidates, excluded, tierIsListed, tier }: RoutingDecision,
  wall: ModelWall | undefined,
): Problem {
  const unable = excluded.filter(({ why }) => why !== notReachable);
  if (candidates.length === 0 && tierIsListed && (wall === undefined || unable.length > 0))
    return new Problem(
      problemCodes.modelNotAvailable,
      `Model not available: none of the models that this harness lists can serve this request (${tier}): ${reasonsFor(excluded)}. Set \`routing.beyond_tiers\` to let \`auto\` use others.`,
    );
  if (wall === undefined)
    return new Problem(
      problemCodes.modelNotAvailable,
      "Model not available: no connected provider has a model for `auto`.",
    );
  return new Problem(
    problemCodes.modelNotAllowed,
    "Model not allowed: no model that this key may use can serve `auto`.",
  );
}

/** Excluded models that a message names. */
const namedExclusions = 4;

function reasonsFor(excluded: RoutingDecision["excluded"]): string {
  const named = excluded.slice(0, namedExclusions).map(({ id, why }) => `${id}: ${why}`);
  const others = excluded.length > namedExclusions ? ["…"] : [];
  return [...named, ...others].join("; ");
}

/** What the provider of a model supports, in the format in which it would be asked. */
function supportFor(
  held: Pick<Plan, "harness" | "directory">,
  request: ClientRequest,
): (model: ListedModel) => ProviderSupport {
  const { format: client } = request.inHub();
  const asked = usesOfTool(request.description.toolUses, "webSearch");
  const searched = asked !== undefined && isSearchServed(held);
  return (model) => {
    const { format, traits } = targetOf(model, "responses", false);
    return {
      storedResponses: format === "responses",
      gemini: targetOf(model, client, false).format === "gemini",
      schemaOutput: traits.schemaOutput,
      webSearch: searched || searchFormat(model) !== undefined,
    };
  };
}

/** What `auto` chooses from: the built-in demo only while it is the only provider. */
export function routable(directory: Directory): readonly ListedModel[] {
  const known = routables.get(directory);
  if (known !== undefined) return known;
  const models = routableOf(directory);
  routables.set(directory, models);
  return models;
}

/** One list for a directory: walls remember what they leave of it. */
const routables = new WeakMap<Directory, readonly ListedModel[]>();

function routableOf(directory: Directory): readonly ListedModel[] {
  const real = directory.models.filter(({ connection }) => !isInProcess(connection));
  const onlyBuiltIn = [...directory.connections.values()].every(isInProcess);
  return onlyBuiltIn ? directory.models : real;
}
