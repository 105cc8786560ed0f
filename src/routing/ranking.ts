/** All chat models of a list, cheapest first, and which of them can serve a kind of request. Kept per list. */
import type { ListedModel } from "../providers/connection/connection.ts";
import { blendedPrice, capabilityOf, isOvertaken } from "./capability.ts";
import { demandBits, demandObstacle, kindObstacle, ownObstacle, unknowns } from "./constraints.ts";
import type { Demands } from "./constraints.ts";
import type { Excluded } from "./decision.ts";

export interface Ranked {
  model: ListedModel;
  capability: number;
  /** 0 for subscriptions, Infinity where unknown. */
  price: number;
  /** Its place in the order: the price, or a multiple of it for what may be gone tomorrow. */
  order: number;
}

/** What is kept of a list of models: every chat model with its estimates, cheapest first. */
interface Ranking {
  models: readonly ListedModel[];
  usual: Kind;
  /** Asked only where no usual one can serve a request. */
  special: Kind;
}

interface Kind {
  ranked: Ranked[];
  /** Models that meet demands that many requests share, by the demands' bits. */
  able: Map<number, { ranked: Ranked[]; excluded: Excluded[] }>;
}

/** By the first model: lists are made anew for every request, their models are not. */
const rankings = new WeakMap<ListedModel, Ranking>();
/** An overtaken model is taken only when it is this much cheaper. */
const overtakenFactor = 5;

/** Made for something else than conversation and tools, though they would answer. */
const special =
  /image|audio|search|computer-use|deep-research|:batch|vision-preview|-live|robotics|omni|roleplay|translat|ocr|\.ft-|multi-agent/i;

function rankingOf(models: readonly ListedModel[]): Ranking {
  const [first] = models;
  if (first === undefined) return { models, usual: kindOf([]), special: kindOf([]) };
  const known = rankings.get(first);
  if (known && isSame(known.models, models)) return known;
  const chat = chatModels(models);
  const ranking = {
    models,
    usual: kindOf(chat.filter(({ info }) => !special.test(info.id))),
    special: kindOf(chat.filter(({ info }) => special.test(info.id))),
  };
  rankings.set(first, ranking);
  return ranking;
}

function kindOf(models: readonly ListedModel[]): Kind {
  const ranked = models
    .map(rankedModel)
    .toSorted((a, b) => compareNumbers(a.order, b.order) || b.capability - a.capability);
  return { ranked, able: new Map() };
}

/** Models that answer in words at all. */
export function chatModels(models: readonly ListedModel[]): ListedModel[] {
  return withoutDemo(models).filter((model) => kindObstacle(model) === undefined);
}

function isSame(a: readonly ListedModel[], b: readonly ListedModel[]): boolean {
  return a === b || (a.length === b.length && a.every((model, at) => model === b[at]));
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
export function withoutDemo(models: readonly ListedModel[]): readonly ListedModel[] {
  const others = models.filter(({ connection }) => connection.kind !== "demo");
  return others.length > 0 ? others : models;
}

export interface AbleInput {
  models: readonly ListedModel[];
  demands: Demands;
  /** Models that were passed over are added here. */
  excluded: Excluded[];
}

/** Models that can serve the request, cheapest first, those known to meet its demands before those that may. */
export function ableModels(input: AbleInput): Ranked[] {
  const { usual, special: others } = rankingOf(input.models);
  const able = ableOf(usual, input);
  return able.length > 0 ? able : ableOf(others, input);
}

function ableOf(kind: Kind, { demands, excluded }: AbleInput): Ranked[] {
  const kinds = ableByKind(kind, demands);
  for (const { id, why } of kinds.excluded) note(excluded, id, why);
  return kinds.ranked.filter(({ model }) => {
    const why = ownObstacle(model, demands);
    if (why !== undefined) note(excluded, model.id, why);
    return why === undefined;
  });
}

function ableByKind(
  { ranked, able }: Kind,
  demands: Demands,
): { ranked: Ranked[]; excluded: Excluded[] } {
  const bits = demandBits(demands);
  const known = able.get(bits);
  if (known) return known;
  const excluded: Excluded[] = [];
  const buckets: Ranked[][] = [];
  for (const one of ranked) {
    const why = demandObstacle(one.model, demands);
    if (why === undefined) (buckets[unknowns(one.model, demands)] ??= []).push(one);
    else note(excluded, one.model.id, why);
  }
  const found = { ranked: buckets.flat(), excluded };
  able.set(bits, found);
  return found;
}

/** Reasons are kept for so many models. */
const mostNotes = 200;

/** Which models a list of reasons names already. */
const noted = new WeakMap<Excluded[], Set<string>>();

/** Adds a reason, once for each model. */
export function note(excluded: Excluded[], id: string, why: string): void {
  if (excluded.length >= mostNotes) return;
  const ids = noted.get(excluded) ?? new Set();
  noted.set(excluded, ids);
  if (ids.has(id)) return;
  ids.add(id);
  excluded.push({ id, why });
}
