/** Which models serve which tier: as configured, and for tiers left out as computed from what is connected. */
import type { ListedModel } from "../providers/contract.ts";
import type { RoutingEntry } from "../store/config.ts";
import { blendedPrice, capabilityOf } from "./capability.ts";
import { obstacle, unknowns } from "./constraints.ts";
import type { Demands } from "./constraints.ts";
import { tiers } from "./decision.ts";
import type { Excluded, TierName } from "./decision.ts";
import { rankOf, tierAt } from "./need.ts";

export const longestChain = 6;

export interface Chain {
  models: ListedModel[];
  /** configured: the harness names them; filled: computed. */
  origin: "configured" | "filled";
  /** Why these, in words. */
  why: string;
}

/** The least capability that a tier's work asks for. */
const floors: Record<TierName, number> = { simple: 0, standard: 40, complex: 58, reasoning: 70 };

interface Ranked {
  model: ListedModel;
  capability: number;
  /** 0 for subscriptions, Infinity where unknown. */
  price: number;
}

/** Per list of models: every model with its estimates, cheapest first. Recomputed whenever the list is another. */
const rankings = new WeakMap<readonly ListedModel[], Ranked[]>();

const plain: Demands = {
  tools: false,
  images: false,
  documents: false,
  audio: false,
  structured: false,
  input: 0,
  output: 0,
};

function rankingOf(models: readonly ListedModel[]): Ranked[] {
  const known = rankings.get(models);
  if (known) return known;
  const pool = withoutDemo(models).filter((model) => obstacle(model, plain) === undefined);
  const ranked = pool.map((model) => ({
    model,
    capability: capabilityOf(model),
    price: model.connection.subscription ? 0 : (blendedPrice(model.info.prices) ?? Infinity),
  }));
  ranked.sort((a, b) => compareNumbers(a.price, b.price) || b.capability - a.capability);
  rankings.set(models, ranked);
  return ranked;
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
  const others = [...tiers.slice(rank + 1), ...tiers.slice(0, rank).reverse()];
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

function filled({ tier, models, demands, excluded }: ChainInput): Chain {
  const name = tier === "default" ? "standard" : tier;
  const able: Ranked[] = [];
  for (const ranked of rankingOf(models)) {
    const why = obstacle(ranked.model, demands);
    if (why === undefined) able.push(ranked);
    else note(excluded, ranked.model.id, why);
  }
  const over = able.filter(({ capability }) => capability >= floors[name]);
  const pool = over.length > 0 ? over : mostCapable(able);
  // What is known to meet the demands goes before what may; the sort keeps the order by price.
  const sorted = pool.toSorted((a, b) => unknowns(a.model, demands) - unknowns(b.model, demands));
  const first = sorted[0];
  if (first === undefined) return { models: [], origin: "filled", why: "no model is able" };
  return {
    models: withFallbacks(first, sorted),
    origin: "filled",
    why: whyFirst(first, { name, over: over.length > 0 }),
  };
}

function mostCapable(able: readonly Ranked[]): Ranked[] {
  return able.toSorted((a, b) => b.capability - a.capability).slice(0, 3);
}

/** Two more from other connections, cheapest first; from the same one where there is no other. */
function withFallbacks(first: Ranked, sorted: readonly Ranked[]): ListedModel[] {
  const chain = [first.model];
  const used = new Set([first.model.connection.id]);
  for (const { model } of sorted) {
    if (chain.length > 2) break;
    if (used.has(model.connection.id)) continue;
    used.add(model.connection.id);
    chain.push(model);
  }
  if (chain.length === 1 && sorted[1]) chain.push(sorted[1].model);
  return chain;
}

function whyFirst(
  { price, capability, model }: Ranked,
  { name, over }: { name: TierName; over: boolean },
): string {
  if (!over)
    return `most capable there is (${Math.round(capability)}), below ${name}'s floor ${floors[name]}`;
  const cost = model.connection.subscription
    ? "subscription"
    : price === Infinity
      ? "price unknown"
      : `$${round(price)}/M`;
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

/** Ids of all tiers' models, dearest tier first: where a conversation may stand. */
export function standingPlaces(input: Omit<ChainInput, "tier" | "excluded">): Map<string, number> {
  const places = new Map<string, number>();
  for (let rank = tiers.length - 1; rank >= 0; rank--) {
    const chain = ownChain({ ...input, tier: tierAt(rank), excluded: [] });
    for (const { id } of chain.models) if (!places.has(id)) places.set(id, rank);
  }
  return places;
}
