/** Which models serve which tier: as configured, and for tiers left out as computed from what is connected. */
import type { ListedModel } from "../providers/connection/connection.ts";
import type { RoutingEntry } from "../store/config.ts";
import { capabilityOf } from "./capability.ts";
import { obstacle } from "./constraints.ts";
import type { Demands } from "./constraints.ts";
import { tiers } from "./decision.ts";
import type { Excluded, TierName } from "./decision.ts";
import { rankOf } from "./need.ts";
import { ableModels, chatModels, note, withoutDemo } from "./ranking.ts";
import type { Ranked } from "./ranking.ts";

export const longestChain = 6;

export interface Chain {
  models: ListedModel[];
  /** configured: the harness names them; filled: computed. */
  origin: "configured" | "filled";
  /** Why these, in words. */
  why: string;
  /** They cannot be held to the schema that the request demands. */
  loose?: true;
}

/** The least capability that a tier's work asks for. */
const floors: Record<TierName, number> = { simple: 22, standard: 40, complex: 58, reasoning: 70 };

const plain: Demands = {
  tools: false,
  images: false,
  documents: false,
  audio: false,
  structured: false,
  refers: false,
  input: 0,
  output: 0,
};

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
  /** What a configured name means that is not in the list. */
  resolve?: ((name: string) => ListedModel | undefined) | undefined;
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
  // A schema that nobody can be held to is still better described than not asked for.
  const { demands } = input;
  if (demands.structured)
    return { ...chainFor({ ...input, demands: { ...demands, structured: false } }), loose: true };
  return lastResort(input);
}

function ownChain(input: ChainInput): Chain {
  const configured = input.routing?.tiers?.[input.tier];
  return configured === undefined ? filled(input) : listed(input, configured);
}

/** Configured models in their order; those that cannot serve the request are passed over, with the reason. */
export function listed(
  { models, demands, excluded, resolve }: Omit<ChainInput, "tier" | "routing">,
  ids: readonly string[],
): Chain {
  const chain: ListedModel[] = [];
  for (const id of ids) {
    const model = models.find((candidate) => candidate.id === id) ?? resolve?.(id);
    const why = model === undefined ? "not listed by any provider" : obstacle(model, demands);
    if (model === undefined || why !== undefined) note(excluded, id, why ?? "");
    else chain.push(model);
  }
  return { models: chain.slice(0, longestChain), origin: "configured", why: "configured" };
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
  const talking = chatModels(models);
  const configurable = talking.length > 0 ? talking : withoutDemo(models);
  const best = configurable.toSorted((a, b) => capabilityOf(b) - capabilityOf(a)).slice(0, 2);
  return {
    models: best,
    origin: "filled",
    why: `no model is known to fit this ${tier} request: most capable`,
  };
}

export interface Places {
  /** Highest tier (0..3) by id. */
  ranks: Map<string, number>;
  models: ListedModel[];
}

/**
 * Where a conversation may stand: all tiers' models with the highest tier of which each is the primary, or else
 * a fallback. A fallback of a higher tier is a stopgap there, not its equal.
 */
export function standingPlaces(input: Omit<ChainInput, "tier">): Places {
  const chains = tiers.map((tier) => ownChain({ ...input, tier }).models);
  const ranks = new Map<string, number>();
  const models = new Map<string, ListedModel>();
  chains.forEach(([primary], rank) => primary && ranks.set(primary.id, rank));
  for (let rank = chains.length - 1; rank >= 0; rank--) {
    for (const model of chains[rank] ?? []) {
      models.set(model.id, model);
      if (!ranks.has(model.id)) ranks.set(model.id, rank);
    }
  }
  return { ranks, models: [...models.values()] };
}
