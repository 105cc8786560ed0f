/** Which models a connection offers and what is known of each: table, rules, the provider's own list, configuration. */
import type { ModelInfo, Prices } from "../../core/model.ts";
import type { ModelEntry } from "../../store/config.ts";
import type { KindRecord } from "../catalogue/record.ts";
import type { TableRow } from "../catalogue/read-rows.ts";
import { pricesAt, rowFor, tableOf } from "../catalogue/table.ts";
import { recordFor, type Connection, type ListedModel } from "../connection/connection.ts";
import { isExcluded, rulesFor } from "../connection/model-rules.ts";

/** The ending of ids whose connection is paid by subscription. */
export const subscriptionMark = "-subscription";

/** A provider's own list as it was read last. */
export interface FetchedList {
  models: ModelInfo[];
  /** Epoch ms. */
  at: number;
}

/** Fetched lists by connection id. */
export type FetchedLists = Readonly<Record<string, FetchedList | undefined>>;

/** The models of one connection: configured ones first, then its own list, else what the catalogue knows. */
export function modelsOf(
  connection: Connection,
  fetched: FetchedList | undefined,
  now: number,
): ModelInfo[] {
  const record = recordFor(connection);
  const configured = connection.entry.models ?? [];
  const own = offered(connection, record, fetched);
  const byId = new Map<string, ModelInfo>();
  for (const entry of configured) {
    const said = own.find((info) => info.id === entry.id) ?? { id: entry.id };
    byId.set(entry.id, configuredInfo(record, entry, describe(record, said, now)));
  }
  for (const info of own) if (!byId.has(info.id)) byId.set(info.id, describe(record, info, now));
  return connection.subscription ? [...byId.values()].map(free) : [...byId.values()];
}

/** A model about which nothing but its name is known for certain: table and rules may still know it. */
export function guessedModel(connection: Connection, id: string, now: number): ListedModel {
  const info = describe(recordFor(connection), { id }, now);
  return listed(connection, connection.subscription ? free(info) : info);
}

export function listed(connection: Connection, info: ModelInfo): ListedModel {
  return {
    id: `${connection.id}/${info.id}${connection.subscription ? subscriptionMark : ""}`,
    connection,
    info,
  };
}

/** Whether nothing is known yet of what this connection serves. */
export function isUnknown(connection: Connection, fetched: FetchedList | undefined): boolean {
  if (fetched !== undefined) return false;
  const record = recordFor(connection);
  if (isSettled(connection)) return false;
  return record.models === undefined;
}

/** Whether the connection has a list that could be asked for. */
export function hasList(connection: Connection): boolean {
  return recordFor(connection).list !== false && !isSettled(connection);
}

/** Whether the configuration says all there is to say of its models: a custom endpoint with a list of its own. */
export function isSettled(connection: Connection): boolean {
  return recordFor(connection).endpoints.length === 0 && connection.entry.models !== undefined;
}

function offered(
  connection: Connection,
  record: KindRecord,
  fetched: FetchedList | undefined,
): ModelInfo[] {
  if (record.models !== undefined) return [...record.models];
  // A custom endpoint with configured models has said all there is to say.
  if (!hasList(connection) && record.endpoints.length === 0) return [];
  return inList(record, fetched).filter((info) => !isExcluded(record, info.id));
}

/** Ids of the connection that no conversation can be held with: its list may leave them out, so the table's too. */
export function idsWithoutConversation(
  connection: Connection,
  fetched: FetchedList | undefined,
): ReadonlySet<string> {
  const record = recordFor(connection);
  const known = [...inList(record, fetched), ...inList(record, undefined)];
  return new Set(known.map(({ id }) => id).filter((id) => isExcluded(record, id)));
}

/** Its own list, or while that is not known the table's. */
function inList(record: KindRecord, fetched: FetchedList | undefined): readonly ModelInfo[] {
  return fetched?.models ?? (record.offered === false ? [] : fromTable(record));
}

function fromTable(record: KindRecord): ModelInfo[] {
  if (record.source === undefined) return [];
  return tableOf(record.source)
    .filter((row) => row.old === undefined)
    .map((row) => ({ id: row.id }));
}

/** What is known by name, under what the provider itself said. */
function describe(record: KindRecord, said: ModelInfo, now: number): ModelInfo {
  const row = rowOf(record, said.id);
  const prices = row === undefined ? undefined : pricesAt(row, now);
  const info: ModelInfo = { id: said.id };
  if (row?.w !== undefined) info.contextWindow = row.w;
  if (row?.n !== undefined) info.displayName = row.n;
  for (const rule of rulesFor(record, said.id)) Object.assign(info, rule.info);
  const fees = feesOf(record, said.id);
  if (prices !== undefined) info.prices = pricesWith(prices, fees);
  if (said.prices === undefined) return Object.assign(info, said);
  return Object.assign(info, said, {
    prices: pricesWith(pricesWith(prices ?? {}, fees), said.prices),
  });
}

/** The table's row of a model, by the model's own name where the name says how to serve it too. */
function rowOf({ source, variants = [] }: KindRecord, id: string): TableRow | undefined {
  if (source === undefined) return undefined;
  const ending = variants.find((each) => id.endsWith(each));
  const row = rowFor(source, id);
  return row !== undefined || ending === undefined
    ? row
    : rowFor(source, id.slice(0, -ending.length));
}

/** Factors, fees and prices by kind beside the usual token prices. */
function feesOf(record: KindRecord, id: string): Prices {
  return rulesFor(record, id).reduce<Prices>(
    (known, { prices }) => (prices === undefined ? known : pricesWith(known, prices)),
    {},
  );
}

/** The later ones go before the earlier ones, of fees and kinds one by one. */
function pricesWith(before: Prices, after: Prices): Prices {
  return {
    ...before,
    ...after,
    ...(before.toolUses &&
      after.toolUses && { toolUses: { ...before.toolUses, ...after.toolUses } }),
    ...(before.media && after.media && { media: { ...before.media, ...after.media } }),
  };
}

function configuredInfo(record: KindRecord, entry: ModelEntry, known: ModelInfo): ModelInfo {
  const { capabilities, cost } = entry;
  const prices = cost && {
    ...(cost.input !== undefined && { input: cost.input }),
    ...(cost.output !== undefined && { output: cost.output }),
    ...(cost.cache_read !== undefined && { cacheRead: cost.cache_read }),
    ...(cost.cache_write !== undefined && { cacheWrite: cost.cache_write }),
  };
  return {
    ...known,
    ...(entry.context_window !== undefined && { contextWindow: entry.context_window }),
    ...(entry.max_output !== undefined && { maxOutput: entry.max_output }),
    ...(capabilities?.input_modalities && { inputModalities: capabilities.input_modalities }),
    ...(capabilities?.output_modalities && { outputModalities: capabilities.output_modalities }),
    ...(capabilities?.features && { features: capabilities.features }),
    // Configured prices stand for themselves: steps and hour-long writes of the table don't mix with them.
    ...(prices && {
      prices: { ...feesOf(record, entry.id), ...withoutSteps(known.prices), ...prices },
    }),
  };
}

function withoutSteps(prices: ModelInfo["prices"]): ModelInfo["prices"] {
  if (prices === undefined) return undefined;
  const { tiers: _, cacheWrite1h: __, ...plain } = prices;
  return plain;
}

const nothing = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  free: "subscription",
} as const;

function free(info: ModelInfo): ModelInfo {
  return { ...info, prices: nothing };
}
