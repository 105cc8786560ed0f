/** Every model that a workspace's connections serve, and what a client's `model` means among them. */
import type { Prices } from "../../core/model.ts";
import type { ProviderEntry } from "../../store/config.ts";
import { connectionOf, type Connection, type ListedModel } from "../connection/connection.ts";
import { billedPrices } from "./billed-prices.ts";
import { globOf, globWeight } from "../connection/glob.ts";
import {
  guessedModel,
  idsWithoutConversation,
  isUnknown,
  listed,
  modelsOf,
  subscriptionMark,
  type FetchedLists,
} from "./models.ts";

export interface Directory {
  /** In the order of the configuration. */
  connections: ReadonlyMap<string, Connection>;
  /** In the order of connections and of their lists. */
  models: readonly ListedModel[];
  byId: ReadonlyMap<string, ListedModel>;
  /** By the listed id without its connection; several when more than one connection serves it. */
  byBareId: ReadonlyMap<string, readonly ListedModel[]>;
  /** Listed models that hold no conversations, by the listed id without its connection; made when first asked for. */
  others(): ReadonlyMap<string, readonly ListedModel[]>;
  /** Connections whose own list has not been read. */
  unknown: ReadonlySet<string>;
  /** Epoch ms of its making: guesses are priced for this moment. */
  now: number;
}

/** Price conditions begin and end at half hours. */
const priceSlot = 30 * 60 * 1000;

interface Kept {
  lists: FetchedLists;
  slot: number;
  directory: Directory;
}

const kept = new WeakMap<readonly ProviderEntry[], Kept>();

/** The directory of a configuration. Made once for the same entries, lists and half hour. */
export function directoryOf(
  entries: readonly ProviderEntry[],
  lists: FetchedLists,
  now: number,
): Directory {
  const slot = Math.floor(now / priceSlot);
  const known = kept.get(entries);
  if (known && known.slot === slot && sameLists(known.lists, lists, entries))
    return known.directory;
  const directory = buildDirectory(entries, lists, now);
  kept.set(entries, { lists: { ...lists }, slot, directory });
  return directory;
}

function sameLists(a: FetchedLists, b: FetchedLists, entries: readonly ProviderEntry[]): boolean {
  return entries.every(({ id }) => a[id]?.at === b[id]?.at);
}

function buildDirectory(
  entries: readonly ProviderEntry[],
  lists: FetchedLists,
  now: number,
): Directory {
  const connections = new Map<string, Connection>();
  const byId = new Map<string, ListedModel>();
  const byBareId = new Map<string, ListedModel[]>();
  const unknown = new Set<string>();
  for (const entry of entries) {
    const connection = connectionOf(entry);
    const fetched = Object.hasOwn(lists, entry.id) ? lists[entry.id] : undefined;
    connections.set(connection.id, connection);
    if (isUnknown(connection, fetched)) unknown.add(connection.id);
    for (const info of modelsOf(connection, fetched, now)) {
      const model = listed(connection, info);
      if (byId.has(model.id)) continue;
      byId.set(model.id, model);
      const bare = model.id.slice(connection.id.length + 1);
      const same = byBareId.get(bare);
      if (same) same.push(model);
      else byBareId.set(bare, [model]);
    }
  }
  const others = once(() => modelsWithoutConversation([...connections.values()], lists, now));
  return { connections, models: [...byId.values()], byId, byBareId, others, unknown, now };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function modelsWithoutConversation(
  connections: readonly Connection[],
  lists: FetchedLists,
  now: number,
): ReadonlyMap<string, readonly ListedModel[]> {
  const byBareId = new Map<string, ListedModel[]>();
  for (const connection of connections) {
    const fetched = Object.hasOwn(lists, connection.id) ? lists[connection.id] : undefined;
    for (const id of idsWithoutConversation(connection, fetched)) {
      const model = guessedModel(connection, id, now);
      const bare = model.id.slice(connection.id.length + 1);
      byBareId.set(bare, [...(byBareId.get(bare) ?? []), model]);
    }
  }
  return byBareId;
}

export type Found =
  /** `auto`, by its own name or through an alias. */
  | { kind: "auto"; dial?: AutoDial }
  | { kind: "model"; model: ListedModel }
  /** Not listed, but the list of this connection has not been read: read it, then ask again. `model` is the guess. */
  | { kind: "unread"; model: ListedModel }
  | { kind: "none" };

/** What a client wants of `auto` by the name under which it asks for it. */
export interface AutoDial {
  readonly quality?: "eco" | "balanced" | "quality";
  /** What the conversation may cost, in USD. */
  readonly budget?: number;
}

/** Names by which a client leaves the choice to the gateway. The ones with a dial are listed where clients can show them. */
const autoNames: ReadonlyMap<string, AutoDial | undefined> = new Map([
  ["auto", undefined],
  ["claude-auto", undefined],
  ["auto:eco", { quality: "eco" }],
  ["auto:balanced", { quality: "balanced" }],
  ["auto:quality", { quality: "quality" }],
  ["claude-auto-eco", { quality: "eco" }],
  ["claude-auto-quality", { quality: "quality" }],
]);

/** `auto:$2`, `auto:$0.50` */
const budgetName = /^auto:\$(\d{1,7}(?:\.\d{1,6})?)$/;

/** `auto`, with what its name asks for; undefined for any other name. */
function autoMeaning(text: string): Found | undefined {
  if (autoNames.has(text)) {
    const dial = autoNames.get(text);
    return { kind: "auto", ...(dial !== undefined && { dial }) };
  }
  const budget = Number(budgetName.exec(text)?.[1] ?? 0);
  return budget > 0 ? { kind: "auto", dial: { budget } } : undefined;
}

/**
 * What a client's `model` means: `auto`, an exact alias, a listed id, a bare id of exactly one connection,
 * the longest pattern alias. Aliases do not chain.
 */
export function lookup(
  text: string,
  directory: Directory,
  aliases: Readonly<Record<string, string>> = {},
): Found {
  const auto = autoMeaning(text);
  if (auto !== undefined) return auto;
  const exact = Object.hasOwn(aliases, text) ? aliases[text] : undefined;
  if (exact !== undefined) return withoutAliases(exact, directory);
  const plain = withoutAliases(text, directory);
  if (plain.kind === "model") return plain;
  const pattern = longestPattern(text, aliases);
  return pattern === undefined ? plain : withoutAliases(pattern, directory);
}

/** The same without aliases: for names in tiers, header rules and fallbacks. */
export function withoutAliases(text: string, directory: Directory): Found {
  const found = plainMeaning(text, directory);
  const plain = listedName(text);
  return found.kind === "none" && plain !== text ? plainMeaning(plain, directory) : found;
}

function plainMeaning(text: string, directory: Directory): Found {
  const auto = autoMeaning(text);
  if (auto !== undefined) return auto;
  const model = directory.byId.get(text);
  if (model) return { kind: "model", model };
  // A subscription that alone serves the model is meant by its plain name too.
  const bare = directory.byBareId.get(text) ?? directory.byBareId.get(text + subscriptionMark);
  if (bare?.length === 1 && bare[0]) return { kind: "model", model: bare[0] };
  return unreadModel(text, directory) ?? { kind: "none" };
}

/** Claude Code's picker shows no name without its maker's, so that every model is listed under one with it too. */
const shownPrefix = "anthropic.";

/** The name under which that picker shows a listed model. */
export function shownName(id: string): string {
  return shownPrefix + id;
}

/** What such a name stands for. Ids of connections have no dots, so that it can be nothing else. */
export function listedName(name: string): string {
  return name.startsWith(shownPrefix) && name.includes("/") ? name.slice(shownPrefix.length) : name;
}

function unreadModel(text: string, directory: Directory): Found | undefined {
  const slash = text.indexOf("/");
  const connection = slash > 0 ? directory.connections.get(text.slice(0, slash)) : undefined;
  if (connection === undefined || !directory.unknown.has(connection.id)) return undefined;
  const rest = text.slice(slash + 1);
  if (connection.subscription && !rest.endsWith(subscriptionMark)) return undefined;
  const id = connection.subscription ? rest.slice(0, -subscriptionMark.length) : rest;
  return id === ""
    ? undefined
    : { kind: "unread", model: guessedModel(connection, id, directory.now) };
}

/**
 * Prices of a model that the provider ran itself for a call of `asked` (an advisor, a fallback), by the
 * provider's id. One without known prices is charged like the one that was asked.
 */
export function pricesBeside(
  asked: ListedModel,
  id: string | undefined,
  directory: Directory,
): Prices | undefined {
  const { connection, info } = asked;
  if (id === undefined || id === info.id) return billedPrices(asked);
  const model =
    directory.byId.get(listed(connection, { id }).id) ??
    guessedModel(connection, id, directory.now);
  const { prices } = model.info;
  return prices?.input === undefined || prices.output === undefined ? billedPrices(asked) : prices;
}

function longestPattern(
  text: string,
  aliases: Readonly<Record<string, string>>,
): string | undefined {
  let best: string | undefined;
  let weight = -1;
  for (const [pattern, target] of Object.entries(aliases)) {
    if (!pattern.includes("*") || globWeight(pattern) <= weight || !globOf(pattern)(text)) continue;
    [best, weight] = [target, globWeight(pattern)];
  }
  return best;
}
