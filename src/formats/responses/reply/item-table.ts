/** Which item an event is about. Servers differ in what they give: places, ids, both, or ids that change. */
import type { ReadContext } from "../../../core/format.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import {
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Blocks } from "./event-collector.ts";
import { isCall, newItem, type Item } from "./read-item.ts";

export interface ItemTable {
  /** The item that began: `output_item.added`. */
  added(event: JsonObject): void;
  /** The item that is complete: `output_item.done`. */
  finished(event: JsonObject): void;
  /** The item that a piece is about; one of that kind is made when none was heard of. */
  of(event: JsonObject, type: string): Item;
  /** The terminal event: says what only its `output` brought, and closes everything. */
  complete(output: readonly JsonValue[]): void;
  /** Whether the client was asked to do something. */
  called(): boolean;
}

/** `seed`: tells this answer from others, for calls without an id. */
export function itemTable(at: {
  blocks: Blocks;
  context: ReadContext;
  seed: () => string;
}): ItemTable {
  const items: Item[] = [];
  const byIndex = new Map<number, Item>();
  const byId = new Map<string, Item>();
  const taken = new Set<string>();

  const make = (type: string, head: JsonObject | undefined): Item => {
    const spare = `call_${shortHash(`${at.seed()}\n${items.length}`)}`;
    const item = newItem(type, { ...at, spare, taken });
    const callId = asString(head?.["call_id"]);
    if (callId !== undefined && callId !== "") item.callId = callId;
    items.push(item);
    return item;
  };

  /** By its place, since some servers give an item another id in every event; else by its id; else the last one. */
  const find = (event: JsonObject): Item | undefined => {
    const index = asNumber(event["output_index"]);
    if (index !== undefined) return byIndex.get(index);
    const id = idOf(event);
    return id === undefined ? items.at(-1) : byId.get(id);
  };

  const create = (event: JsonObject, type: string): Item => {
    const item = make(type, asObject(event["item"]));
    const [index, id] = [asNumber(event["output_index"]), idOf(event)];
    if (index !== undefined) byIndex.set(index, item);
    if (id !== undefined) {
      item.id = id;
      byId.set(id, item);
    }
    return item;
  };

  const finish = (item: Item, whole: JsonObject): void => {
    if (item.done) return;
    item.reader.finish(whole);
    close(item);
  };

  const close = (item: Item): void => {
    if (item.done) return;
    item.reader.close();
    item.done = true;
  };

  return {
    added(event) {
      const head = asObject(event["item"]);
      const type = asString(head?.["type"]);
      if (!head || type === undefined) return;
      const known = find(event);
      const id = asString(head["id"]);
      const same =
        known?.type === type && !known.done && (known.id === undefined || known.id === id);
      (same ? known : create(event, type)).reader.begin?.(head);
    },
    finished(event) {
      const whole = asObject(event["item"]);
      const type = asString(whole?.["type"]);
      if (!whole || type === undefined) return;
      const known = find(event);
      // A server that counts all items as 0 still says which one it means.
      const same = known?.type === type && (!known.done || known.id === asString(whole["id"]));
      finish(same ? known : create(event, type), whole);
    },
    of(event, type) {
      const known = find(event);
      if (known && (known.type === type || (isCall(known.type) && isCall(type)))) return known;
      return create(event, type);
    },
    complete(output) {
      let open = items.slice();
      for (const whole of output) {
        const type = isObject(whole) ? asString(whole["type"]) : undefined;
        if (!isObject(whole) || type === undefined) continue;
        const known = matching(open, whole, type);
        open = open[0] === known ? open.slice(1) : open.filter((item) => item !== known);
        finish(known ?? make(type, whole), whole);
      }
      for (const item of items) close(item);
    },
    called: () => items.some((item) => item.reader.calls()),
  };
}

function idOf(event: JsonObject): string | undefined {
  const id = asString(event["item_id"]) ?? asString(asObject(event["item"])?.["id"]);
  return id === "" ? undefined : id;
}

/** The item of the stream that an item of the terminal event repeats. */
function matching(items: readonly Item[], whole: JsonObject, type: string): Item | undefined {
  const id = asString(whole["id"]);
  const callId = asString(whole["call_id"]);
  const named = (item: Item): boolean => id !== undefined && id !== "" && item.id === id;
  const [first] = items;
  if (first?.type === type && named(first)) return first;
  return (
    items.find((item) => item.type === type && named(item)) ??
    items.find(
      (item) =>
        item.type === type &&
        (callId === undefined || item.callId === undefined || item.callId === callId),
    )
  );
}
