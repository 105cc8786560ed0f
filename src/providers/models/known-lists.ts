/**
 * Providers' own model lists, kept so that a request never waits for one: in the isolate's memory, behind
 * it a key-value store, behind that the provider, which is asked in the background. A list outlives its
 * provider: what was read once stays until something newer is read.
 */
import type { ModelInfo } from "../../core/model.ts";
import type { Clock } from "../../lib/clock.ts";
import { isObject, parseJson } from "../../lib/json.ts";
import type { ProviderEntry } from "../../store/config.ts";
import type { Reach } from "../../store/env.ts";
import { modelListsPrefix } from "../../store/kv-names.ts";
import { connectionOf, type Connection } from "../connection/connection.ts";
import { lacksCredential, type Credentials } from "../connection/credentials.ts";
import { fetchList } from "./fetch-list.ts";
import { hasList, type FetchedList, type FetchedLists } from "./models.ts";

/** The part of a key-value namespace that is needed. */
interface ListStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
}

export interface ListsContext {
  workspace: string;
  reach: Reach;
  store: ListStore;
  now: Clock;
  /** Keeps work going after the answer (`waitUntil`). */
  background: (work: Promise<unknown>) => void;
  credentials: (connection: Connection) => Promise<Credentials>;
}

/** After this a list is read anew in the background; and how long after a failure, or a read under way, nobody asks again. */
const freshFor = 10 * 60 * 1000;
const quietFor = 30 * 1000;

interface Slot {
  list: FetchedList | undefined;
  /** Whether the store was asked. */
  stored: boolean;
  /** Epoch ms of the last question to the provider. */
  askedAt: number;
  /** Epoch ms of the last answer that was no list. */
  failedAt: number;
}

const slots = new Map<string, Slot>();
const mostSlots = 2000;

/** The lists of all connections as far as they are known, at once; what is old or missing is read in the background. */
export async function knownLists(
  context: ListsContext,
  entries: readonly ProviderEntry[],
): Promise<FetchedLists> {
  const lists: Record<string, FetchedList | undefined> = {};
  await Promise.all(
    entries.map(async (entry) => {
      const connection = connectionOf(entry);
      if (!hasList(connection)) return;
      const slot = await slotFor(context, connection);
      if (isDue(slot, context.now())) context.background(refreshList(context, connection));
      lists[entry.id] = slot.list;
    }),
  );
  return lists;
}

/** Asks the provider now. The list that is known afterwards: the old one if it failed. */
export async function refreshList(
  context: ListsContext,
  connection: Connection,
): Promise<FetchedList | undefined> {
  const key = keyOf(context, connection);
  const slot = await slotFor(context, connection);
  slot.askedAt = context.now();
  const credentials = await context.credentials(connection);
  if (lacksCredential(connection, credentials.secret)) return slot.list;
  const answer = await fetchList(connection, credentials, context.reach);
  if (!answer.ok) {
    slot.failedAt = context.now();
    return slot.list;
  }
  slot.list = { models: answer.models, at: context.now() };
  await store(context, key, slot.list);
  return slot.list;
}

/** A list that cannot be stored is known to this isolate alone: no request fails for that. */
async function store(
  { store: lists }: ListsContext,
  key: string,
  list: FetchedList,
): Promise<void> {
  await lists
    .put(key, JSON.stringify(list))
    .catch((error: unknown) => console.error("a model list could not be stored:", String(error)));
}

/**
 * Whether waiting for the provider right now makes sense: not when it failed a moment ago. While the first
 * reading is under way it is asked once more, because one request cannot wait for what another began.
 */
export async function mayAsk(context: ListsContext, connection: Connection): Promise<boolean> {
  if (!hasList(connection)) return false;
  const slot = await slotFor(context, connection);
  const last = slot.list === undefined ? slot.failedAt : slot.askedAt;
  return context.now() - last >= quietFor;
}

function isDue(slot: Slot, now: number): boolean {
  const age = slot.list === undefined ? Infinity : now - slot.list.at;
  return age > freshFor && now - slot.askedAt >= quietFor;
}

async function slotFor(context: ListsContext, connection: Connection): Promise<Slot> {
  const key = keyOf(context, connection);
  let slot = slots.get(key);
  if (slot === undefined) {
    slot = { list: undefined, stored: false, askedAt: -Infinity, failedAt: -Infinity };
    if (slots.size >= mostSlots) slots.clear();
    slots.set(key, slot);
  }
  if (!slot.stored) {
    const found = readStored(await context.store.get(key));
    // Somebody else may have read a newer one meanwhile.
    slot.list ??= found;
    slot.stored = true;
  }
  return slot;
}

/** Worked out once for an entry, because every request asks. */
const sources = new WeakMap<ProviderEntry, string>();

/** A list belongs to what it was read from: another address, kind or credential has its own. */
function keyOf({ workspace }: ListsContext, connection: Connection): string {
  const { entry } = connection;
  let source = sources.get(entry);
  if (source === undefined) {
    const { kind, format = "", api_key = "", headers = {} } = entry;
    source = fingerprint(JSON.stringify([kind, format, connection.baseUrl, api_key, headers]));
    sources.set(entry, source);
  }
  return `${modelListsPrefix(workspace)}${connection.id}:${source}`;
}

/** FNV-1a in two lanes: tells sources apart, proves nothing. */
function fingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193) >>> 0;
    b = Math.imul(b ^ (code + at), 0x85ebca6b) >>> 0;
  }
  return a.toString(36) + b.toString(36);
}

function readStored(text: string | null): FetchedList | undefined {
  const value = text === null ? undefined : parseJson(text);
  if (!isObject(value) || typeof value["at"] !== "number" || !Array.isArray(value["models"]))
    return undefined;
  // Written by `refreshList` above, and nobody else writes under these keys.
  return { at: value["at"], models: value["models"] as unknown as ModelInfo[] };
}
