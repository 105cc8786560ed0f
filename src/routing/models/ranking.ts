/** The chat models of a list by price, and which of them can serve a request. Cached per list. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { ExcludedModel } from "../contract/decision.ts";
import { blendedPrice, capabilityOf, isOutdatedModel } from "./capability.ts";
import { Exclusions } from "./exclusions.ts";
import {
  capabilityBits,
  missingCapability,
  nonChatReason,
  requestSpecificReason,
  unknownCapabilities,
  type Requirements,
} from "./requirements.ts";

/** A model with its estimates. */
export interface RankedModel {
  readonly model: ListedModel;
  /** 0..100 */
  readonly capability: number;
  /** USD per million tokens; 0 for subscriptions, Infinity where unknown. */
  readonly price: number;
  /** Sort key: the price, or a multiple of it for outdated models. */
  readonly sortPrice: number;
}

/** The chat models of one list. */
interface ModelRanking {
  readonly list: readonly ListedModel[];
  readonly general: ModelGroup;
  /** Used only where no general model can serve a request. */
  readonly specialized: ModelGroup;
}

interface ModelGroup {
  /** Cheapest first. */
  readonly ranked: readonly RankedModel[];
  /** Suitable models by `capabilityBits`. */
  readonly byCapabilities: Map<number, SuitableModels>;
}

interface SuitableModels {
  readonly ranked: readonly RankedModel[];
  readonly excluded: readonly ExcludedModel[];
}

/** By the first model of the list: lists are built for every request, their models are not. */
const rankings = new WeakMap<ListedModel, ModelRanking>();
/** An outdated model is preferred only where it is this many times cheaper. */
const outdatedPriceFactor = 5;

/** Models for other purposes than conversation and tools, which can chat all the same. */
const specializedNames =
  /image|audio|search|computer-use|deep-research|:batch|vision-preview|-live|robotics|omni|roleplay|translat|ocr|\.ft-|multi-agent/i;

function rankingOf(list: readonly ListedModel[]): ModelRanking {
  const [first] = list;
  if (first === undefined) return { list, general: groupOf([]), specialized: groupOf([]) };
  const cached = rankings.get(first);
  if (cached && isSameList(cached.list, list)) return cached;
  const chat = chatModels(list);
  const isSpecialized = ({ info }: ListedModel): boolean => specializedNames.test(info.id);
  const ranking = {
    list,
    general: groupOf(chat.filter((model) => !isSpecialized(model))),
    specialized: groupOf(chat.filter(isSpecialized)),
  };
  rankings.set(first, ranking);
  return ranking;
}

function groupOf(models: readonly ListedModel[]): ModelGroup {
  const ranked = models
    .map(rankModel)
    .toSorted((a, b) => comparePrices(a.sortPrice, b.sortPrice) || b.capability - a.capability);
  return { ranked, byCapabilities: new Map() };
}

/** The chat models of a list, without the demo model unless it is the only one. */
export function chatModels(models: readonly ListedModel[]): ListedModel[] {
  return withoutDemo(models).filter((model) => nonChatReason(model) === undefined);
}

/** The built-in demo model serves only while nothing else is connected. */
export function withoutDemo(models: readonly ListedModel[]): readonly ListedModel[] {
  const others = models.filter(({ connection }) => connection.kind !== "demo");
  return others.length > 0 ? others : models;
}

function isSameList(a: readonly ListedModel[], b: readonly ListedModel[]): boolean {
  return a === b || (a.length === b.length && a.every((model, at) => model === b[at]));
}

function rankModel(model: ListedModel): RankedModel {
  const price = model.connection.subscription ? 0 : (blendedPrice(model.info.prices) ?? Infinity);
  const sortPrice = isOutdatedModel(model) ? price * outdatedPriceFactor : price;
  return { model, capability: capabilityOf(model), price, sortPrice };
}

/** Not a difference: Infinity minus Infinity is NaN. */
function comparePrices(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Where suitable models are looked for. */
export interface SuitableModelsInput {
  readonly models: readonly ListedModel[];
  readonly requirements: Requirements;
  /** Models that cannot serve the request are added here. */
  readonly exclusions: Exclusions;
}

/** Models that can serve a request: those known to meet its requirements first, then by price. */
export function suitableModels(input: SuitableModelsInput): readonly RankedModel[] {
  const { general, specialized } = rankingOf(input.models);
  const suitable = suitableInGroup(general, input);
  return suitable.length > 0 ? suitable : suitableInGroup(specialized, input);
}

function suitableInGroup(
  group: ModelGroup,
  { requirements, exclusions }: SuitableModelsInput,
): readonly RankedModel[] {
  const { ranked, excluded } = suitableByCapabilities(group, requirements);
  for (const one of excluded) exclusions.add(one);
  return ranked.filter(({ model }) => {
    const why = requestSpecificReason(model, requirements);
    if (why !== undefined) exclusions.add({ id: model.id, why });
    return why === undefined;
  });
}

function suitableByCapabilities(
  { ranked, byCapabilities }: ModelGroup,
  requirements: Requirements,
): SuitableModels {
  const bits = capabilityBits(requirements);
  const cached = byCapabilities.get(bits);
  if (cached) return cached;
  const exclusions = new Exclusions();
  const byUnknowns: RankedModel[][] = [];
  for (const one of ranked) {
    const why = missingCapability(one.model, requirements);
    if (why === undefined)
      (byUnknowns[unknownCapabilities(one.model, requirements)] ??= []).push(one);
    else exclusions.add({ id: one.model.id, why });
  }
  const suitable = { ranked: byUnknowns.flat(), excluded: exclusions.models };
  byCapabilities.set(bits, suitable);
  return suitable;
}
