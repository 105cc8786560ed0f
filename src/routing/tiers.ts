/** Which models serve which tier: as configured, and for tiers left out as computed from what is connected. */
import type { ListedModel } from "../providers/contract.ts";
import type { RoutingEntry } from "../store/config.ts";
import { blendedPrice, capabilityOf, isOvertaken } from "./capability.ts";
import { demandObstacle, kindObstacle, obstacle, unknowns } from "./constraints.ts";
import type { Demands } from "./constraints.ts";
import { tiers } from "./decision.ts";
import type { Excluded, TierName } from "./decision.ts";
import { rankOf } from "./need.ts";

export const longestChain = 6;

export interface Chain {
  models: ListedModel[];
  /** configured: the harness names them; filled: computed. */
  origin: "configured" | "filled";
  /** Why these, in words. */
  why: string;
}

/** The least capability that a tier's work asks for. */
const floors: Record<TierName, number> = { simple: 22, standard: 40, complex: 58, reasoning: 70 };

interface Ranked {
  model: ListedModel;
  capability: number;
  /** 0 for subscriptions, Infinity where unknown. */
  price: number;
  /** Its place in the order: the price, or a multiple of it for what may be gone tomorrow. */
  order: number;
}

/** Per list of models: every chat model with its estimates, cheapest first. Recomputed whenever the list is another. */
const rankings = new WeakMap<readonly ListedModel[], Ranked[]>();
/** An overtaken model is taken only when it is this much cheaper. */
const overtakenFactor = 5;

const plain: Demands = {
  tools: false,
  images: false,
  documents: false,
  audio: false,
  structured: false,
  input: 0,
  output: 0,
};

/** Made for something else than conversation and tools, though they would answer. */
const special =
  /image|audio|search|computer-use|deep-research|:batch|vision-preview|-live|robotics|omni|roleplay|translat|ocr|\.ft-|multi-agent/i;

function rankingOf(models: readonly ListedModel[]): Ranked[] {
  const known = rankings.get(models);
  if (known) return known;
  const chat = withoutDemo(models).filter((model) => kindObstacle(model) === undefined);
  const usual = chat.filter(({ info }) => !special.test(info.id));
  const ranked = (usual.length > 0 ? usual : chat).map(rankedModel);
  ranked.sort((a, b) => compareNumbers(a.order, b.order) || b.capability - a.capability);
  rankings.set(models, ranked);
  return ranked;
}

function rankedModel(model: ListedModel): Ranked {
  const price = model.connection.subscription ? 0 : (blendedPrice(model.info.prices) ?? Infinity);
  const order = isOvertaken(model) ? price * overtakenFactor : price;
  return { model, capability: capabilityOf(model), price, order };
}

/** Infinity minus itself is no number. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The built-in demo model serves only while nothing else is connected. */
function withoutDemo(models: readonly ListedModel[]): readonly ListedModel[] {
  const others = models.filter(({ connection }) => connection.kind !== "demo");
  return others.length > 0 ? others : models;
}

/** Highest tier whose floor a model is over, by the estimate. */
export function rankByCapability(model: ListedModel): number {
  const capability = capabilityOf(model);
  return tiers.reduce((rank, tier, index) => (capability >= floors[tier] ? index : rank), 0);
}

/** The chain of every tier for requests without special demands: what the dashboard shows. */
export function tierTable(
  models: readonly ListedModel[],
  routing: RoutingEntry | undefined,
): Record<TierName | "default", Chain> {
  const chain = (tier: TierName | "default"): Chain =>
    chainFor({ tier, models, routing, demands: plain, excluded: [] });
  return {
    simple: chain("simple"),
    standard: chain("standard"),
    complex: chain("complex"),
    reasoning: chain("reasoning"),
    default: chain("default"),
  };
}

export interface ChainInput {
  tier: TierName | "default";
  models: readonly ListedModel[];
  routing: RoutingEntry | undefined;
  demands: Demands;
  /** Models that were passed over are added here. */
  excluded: Excluded[];
}

/**
 * The models that serve a tier for a request. When none of a configured tier can, the tiers above it are
 * asked, then those below; at last the most capable model there is.
 */
export function chainFor(input: ChainInput): Chain {
  const own = ownChain(input);
  if (own.models.length > 0) return own;
  const rank = input.tier === "default" ? 1 : rankOf(input.tier);
  const others = [...tiers.slice(rank + 1), ...tiers.slice(0, rank).toReversed()];
  for (const tier of others) {
    const chain = ownChain({ ...input, tier });
    if (chain.models.length > 0)
      return { ...chain, why: `${input.tier} has no model for this, ${tier} has` };
  }
  return lastResort(input);
}

function ownChain(input: ChainInput): Chain {
  const configured = input.routing?.tiers?.[input.tier];
  return configured === undefined ? filled(input) : listed(input, configured);
}

/** Configured models in their order; those that cannot serve the request are passed over, with the reason. */
export function listed(
  { models, demands, excluded }: Pick<ChainInput, "models" | "demands" | "excluded">,
  ids: readonly string[],
): Chain {
  const chain: ListedModel[] = [];
  for (const id of ids) {
    const model = models.find((candidate) => candidate.id === id);
    const why = model === undefined ? "not listed by any provider" : obstacle(model, demands);
    if (model === undefined || why !== undefined) note(excluded, id, why ?? "");
    else chain.push(model);
  }
  return { models: chain.slice(0, longestChain), origin: "configured", why: "configured" };
}

/** Reasons are kept for so many models. */
const mostNotes = 200;

function note(excluded: Excluded[], id: string, why: string): void {
  if (excluded.length < mostNotes && !excluded.some((other) => other.id === id))
    excluded.push({ id, why });
}

function filled(input: ChainInput): Chain {
  const name = input.tier === "default" ? "standard" : input.tier;
  const able = ableModels(input);
  const first = able.find(({ capability }) => capability >= floors[name]);
  if (first !== undefined) {
    const chain = [first, ...fallbacks(first, able, floors[name])];
    return {
      models: chain.map(({ model }) => model),
      origin: "filled",
      why: whyFirst(first, name),
    };
  }
  const [best, second] = able.toSorted((a, b) => b.capability - a.capability);
  if (best === undefined) return { models: [], origin: "filled", why: "no model is able" };
  const models = second === undefined ? [best.model] : [best.model, second.model];
  return {
    models,
    origin: "filled",
    why: `most capable there is (${Math.round(best.capability)}), below ${name}'s floor ${floors[name]}`,
  };
}

/** One request's demands are one object: what is able is worked out once for all tiers. */
const ableFor = new WeakMap<Demands, Ranked[]>();

/** Models that can serve the request, cheapest first, those known to meet its demands before those that may. */
function ableModels({ models, demands, excluded }: ChainInput): Ranked[] {
  const known = demands === plain ? undefined : ableFor.get(demands);
  if (known) return known;
  const buckets: Ranked[][] = [];
  for (const ranked of rankingOf(models)) {
    const why = demandObstacle(ranked.model, demands);
    if (why === undefined) (buckets[unknowns(ranked.model, demands)] ??= []).push(ranked);
    else note(excluded, ranked.model.id, why);
  }
  const able = buckets.flat();
  ableFor.set(demands, able);
  return able;
}

/** Two more: from other connections and over the floor, cheapest first; else the most capable stopgap elsewhere. */
function fallbacks(first: Ranked, able: readonly Ranked[], floor: number): Ranked[] {
  const chain: Ranked[] = [];
  const used = new Set([first.model.connection.id]);
  for (const ranked of able) {
    if (chain.length === 2) return chain;
    if (ranked.capability < floor || used.has(ranked.model.connection.id)) continue;
    used.add(ranked.model.connection.id);
    chain.push(ranked);
  }
  if (chain.length > 0) return chain;
  const elsewhere = (ranked: Ranked): boolean =>
    ranked.model.connection.id !== first.model.connection.id;
  const stopgap =
    mostCapable(able.filter(elsewhere)) ?? mostCapable(able.filter((ranked) => ranked !== first));
  return stopgap ? [stopgap] : [];
}

function mostCapable(able: readonly Ranked[]): Ranked | undefined {
  return able.reduce<Ranked | undefined>(
    (best, ranked) => (best && best.capability >= ranked.capability ? best : ranked),
    undefined,
  );
}

function whyFirst({ price, capability, model }: Ranked, name: TierName): string {
  const known = price === Infinity ? "price unknown" : `$${round(price)}/M`;
  const cost = model.connection.subscription ? "subscription" : known;
  return `cheapest over ${name}'s floor ${floors[name]}: capability ${Math.round(capability)}, ${cost}`;
}

function round(price: number): number {
  return Number(price.toPrecision(3));
}

/** Nothing fits: the most capable model is asked all the same, and the provider's own words decide. */
function lastResort({ models, tier }: ChainInput): Chain {
  const configurable = withoutDemo(models);
  const best = configurable.toSorted((a, b) => capabilityOf(b) - capabilityOf(a)).slice(0, 2);
  return {
    models: best,
    origin: "filled",
    why: `no model is known to fit this ${tier} request: most capable`,
  };
}

/**
 * Where a conversation may stand: ids of all tiers' models with the highest tier of which each is the primary,
 * or else a fallback. A fallback of a higher tier is a stopgap there, not its equal.
 */
export function standingPlaces(input: Omit<ChainInput, "tier">): Map<string, number> {
  const chains = tiers.map((tier) => ownChain({ ...input, tier }).models);
  const places = new Map<string, number>();
  chains.forEach(([primary], rank) => primary && places.set(primary.id, rank));
  chains.toReversed().forEach((chain, back) => {
    const rank = chains.length - 1 - back;
    for (const { id } of chain) if (!places.has(id)) places.set(id, rank);
  });
  return places;
}
