/** Which models serve which tier: as configured, and computed from the connected models where nothing is. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { RoutingEntry } from "../../store/config.ts";
import { tierRank } from "../contract/tier.ts";
import { tiers, type TierName } from "../../workspace/contract/outcomes.ts";
import { capabilityOf } from "./capability.ts";
import { Exclusions } from "./exclusions.ts";
import { chatModels, suitableModels, withoutDemo, type RankedModel } from "./ranking.ts";
import { exclusionReason, noRequirements, type Requirements } from "./requirements.ts";

/** Most models that are tried for one request. */
export const maxCandidates = 6;

/** The models of a tier for a request: a primary and its fallbacks. */
export interface TierCandidates {
  readonly models: readonly ListedModel[];
  /** `configured`: named by the harness; `filled`: computed. */
  readonly origin: "configured" | "filled";
  /** Why these models, as the dashboard shows it. */
  readonly why: string;
  /** The models cannot be constrained to the schema that the request requires. */
  readonly ignoresSchema?: true;
}

/** The least capability for the work of a tier. */
const capabilityFloors: Readonly<Record<TierName, number>> = {
  simple: 22,
  standard: 40,
  complex: 58,
  reasoning: 70,
};

/** Rank of the highest tier whose capability floor a model reaches. */
export function rankByCapability(model: ListedModel): number {
  const capability = capabilityOf(model);
  return tiers.reduce(
    (rank, tier, index) => (capability >= capabilityFloors[tier] ? index : rank),
    0,
  );
}

/** The candidates of every tier for plain chat requests: what the dashboard shows. */
export function tierTable(
  models: readonly ListedModel[],
  routing: RoutingEntry | undefined,
): Record<TierName | "default", TierCandidates> {
  const input = { models, routing, requirements: noRequirements, exclusions: new Exclusions() };
  const candidates = (tier: TierName | "default"): TierCandidates =>
    candidatesForTier({ ...input, tier });
  return {
    simple: candidates("simple"),
    standard: candidates("standard"),
    complex: candidates("complex"),
    reasoning: candidates("reasoning"),
    default: candidates("default"),
  };
}

/** What the candidates of any tier are computed from. */
export interface CandidatesInput {
  readonly models: readonly ListedModel[];
  readonly routing: RoutingEntry | undefined;
  readonly requirements: Requirements;
  /** Finds a configured model that is not in `models`. */
  readonly resolve?: ((name: string) => ListedModel | undefined) | undefined;
  /** Models that cannot serve the request are added here. */
  readonly exclusions: Exclusions;
  /** The harness lists models for the request's role. */
  readonly listedOnly?: boolean;
}

type TierInput = CandidatesInput & { readonly tier: TierName | "default" };

/**
 * The models that serve a tier for a request. When none of the tier's own can, the tiers above are tried, then
 * those below, then all of them without the schema; at last the most capable model is asked all the same. Where the
 * harness lists models for the tier, only listed ones are tried, and there may be none.
 */
export function candidatesForTier(input: TierInput): TierCandidates {
  const own = ownCandidates(input);
  if (own.models.length > 0) return own;
  const staysListed = isListedOnly(input);
  const rank = input.tier === "default" ? 1 : tierRank(input.tier);
  const others = [...tiers.slice(rank + 1), ...tiers.slice(0, rank).toReversed()];
  for (const tier of others) {
    if (staysListed && input.routing?.tiers?.[tier] === undefined) continue;
    const candidates = ownCandidates({ ...input, tier });
    if (candidates.models.length > 0)
      return { ...candidates, why: `${input.tier} has no model for this, ${tier} has` };
  }
  const { requirements } = input;
  // A schema in the prompt is better than no answer.
  if (requirements.schemaOutput) {
    const relaxed = { ...input, requirements: { ...requirements, schemaOutput: false } };
    return { ...candidatesForTier(relaxed), ignoresSchema: true };
  }
  if (staysListed) return largestListed(input);
  const beyond = computedCandidates(input);
  return beyond.models.length > 0 ? beyond : lastResort(input);
}

/**
 * Listed models that only lack room for the request: its length is an estimate, and clients know what to do with the
 * provider's own refusal. There may be none.
 */
function largestListed(input: TierInput): TierCandidates {
  const { models, resolve, requirements, exclusions, routing } = input;
  const ids = [input.tier, ...tiers].flatMap((tier) => routing?.tiers?.[tier] ?? []);
  const unbounded = { ...requirements, inputTokens: 0, outputTokens: 0 };
  const able = configuredCandidates({ models, resolve, requirements: unbounded, exclusions }, ids);
  const window = ({ info }: ListedModel): number => info.contextWindow ?? 0;
  const largest = able.models.toSorted((a, b) => window(b) - window(a)).slice(0, 1);
  return { models: largest, origin: "configured", why: "none of the listed models can serve this" };
}

/** Whether only models that the harness lists may serve the tier. */
function isListedOnly({ routing, tier, listedOnly }: TierInput): boolean {
  if (routing?.beyond_tiers === true) return false;
  return listedOnly === true || routing?.tiers?.[tier] !== undefined;
}

function ownCandidates(input: TierInput): TierCandidates {
  const configured = input.routing?.tiers?.[input.tier];
  return configured === undefined
    ? computedCandidates(input)
    : configuredCandidates(input, configured);
}

/** Configured models in their order, without those that cannot serve the request. */
export function configuredCandidates(
  { models, requirements, exclusions, resolve }: Omit<CandidatesInput, "routing">,
  ids: readonly string[],
): TierCandidates {
  const candidates = ids.flatMap((id) => {
    const model = models.find((candidate) => candidate.id === id) ?? resolve?.(id);
    const why = model === undefined ? notReachable : exclusionReason(model, requirements);
    if (why !== undefined) exclusions.add({ id, why });
    return model === undefined || why !== undefined ? [] : model;
  });
  return {
    models: candidates.slice(0, maxCandidates),
    origin: "configured",
    why: "configured",
  };
}

/** Why a configured model is passed over that is not among those the request may use. */
export const notReachable = "not listed by any provider, or not allowed here";

function computedCandidates(input: TierInput): TierCandidates {
  const tier = input.tier === "default" ? "standard" : input.tier;
  const suitable = suitableModels(input);
  const cheapest = suitable.find(({ capability }) => capability >= capabilityFloors[tier]);
  if (cheapest === undefined) return belowFloor(suitable, tier);
  const candidates = [cheapest, ...fallbacksFor(cheapest, suitable, capabilityFloors[tier])];
  return {
    models: candidates.map(({ model }) => model),
    origin: "filled",
    why: cheapestReason(cheapest, tier),
  };
}

function belowFloor(suitable: readonly RankedModel[], tier: TierName): TierCandidates {
  const strongest = suitable.toSorted((a, b) => b.capability - a.capability).slice(0, 2);
  const [best] = strongest;
  if (best === undefined) return { models: [], origin: "filled", why: "no model is able" };
  return {
    models: strongest.map(({ model }) => model),
    origin: "filled",
    why: `most capable there is (${Math.round(best.capability)}), below ${tier}'s floor ${capabilityFloors[tier]}`,
  };
}

/** The two cheapest of other connections that reach the floor; without one, the most capable other model. */
function fallbacksFor(
  first: RankedModel,
  suitable: readonly RankedModel[],
  floor: number,
): RankedModel[] {
  const fallbacks: RankedModel[] = [];
  const usedConnections = new Set([first.model.connection.id]);
  for (const ranked of suitable) {
    if (fallbacks.length === 2) return fallbacks;
    if (ranked.capability < floor || usedConnections.has(ranked.model.connection.id)) continue;
    usedConnections.add(ranked.model.connection.id);
    fallbacks.push(ranked);
  }
  if (fallbacks.length > 0) return fallbacks;
  const isElsewhere = ({ model }: RankedModel): boolean =>
    model.connection.id !== first.model.connection.id;
  const other =
    mostCapable(suitable.filter(isElsewhere)) ??
    mostCapable(suitable.filter((ranked) => ranked !== first));
  return other ? [other] : [];
}

function mostCapable(ranked: readonly RankedModel[]): RankedModel | undefined {
  return ranked.reduce<RankedModel | undefined>(
    (best, one) => (best && best.capability >= one.capability ? best : one),
    undefined,
  );
}

function cheapestReason({ price, capability, model }: RankedModel, tier: TierName): string {
  const known = price === Infinity ? "price unknown" : `$${Number(price.toPrecision(3))}/M`;
  const cost = model.connection.subscription ? "subscription" : known;
  return `cheapest model rated ${capabilityFloors[tier]}+ (this one: ${Math.round(capability)}), ${cost}`;
}

/** No model is known to fit: the most capable ones are asked, and the provider's answer decides. */
function lastResort({ models, tier }: TierInput): TierCandidates {
  const chat = chatModels(models);
  const possible = chat.length > 0 ? chat : withoutDemo(models);
  return {
    models: possible.toSorted((a, b) => capabilityOf(b) - capabilityOf(a)).slice(0, 2),
    origin: "filled",
    why: `no model is known to fit this ${tier} request: most capable`,
  };
}

/** The models of all tiers for one request. */
export interface TierMembers {
  /** Rank (0..3) of the highest tier that each model serves, by id. */
  readonly ranks: ReadonlyMap<string, number>;
  readonly models: readonly ListedModel[];
  /** Id of each tier's first model, weakest tier first; of a tier without one, that of the tier below. */
  readonly primaries: readonly string[];
}

/**
 * The models of all tiers, each with the highest tier of which it is the primary, or else a fallback: a fallback
 * is the second choice of its tier, not its equal.
 */
export function tierMembers(input: CandidatesInput): TierMembers {
  const byTier = tiers.map((tier) => ownCandidates({ ...input, tier }).models);
  const ranks = new Map<string, number>();
  const models = new Map<string, ListedModel>();
  byTier.forEach(([primary], rank) => primary && ranks.set(primary.id, rank));
  for (let rank = byTier.length - 1; rank >= 0; rank--) {
    for (const model of byTier[rank] ?? []) {
      models.set(model.id, model);
      if (!ranks.has(model.id)) ranks.set(model.id, rank);
    }
  }
  return { ranks, models: [...models.values()], primaries: primariesOf(byTier) };
}

function primariesOf(byTier: readonly (readonly ListedModel[])[]): string[] {
  const primaries: string[] = [];
  for (const [primary] of byTier) primaries.push(primary?.id ?? primaries.at(-1) ?? "");
  return primaries;
}
