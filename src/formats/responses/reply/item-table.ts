/** Finds the item that an event belongs to. Servers identify items by position, by id, by both, or by changing ids. */
import type { ReadContext } from "../../../core/format.ts";
import type { ToolUses } from "../../../core/usage.ts";
import {
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import type { EventCollector } from "./event-collector.ts";
import { isCall } from "./read-calls.ts";
import { openItems } from "./open-items.ts";
import { newItem, type Item } from "./read-item.ts";
import { itemUses } from "./usage.ts";

/** The items of one answer. */
export interface ItemTable {
  /** `output_item.added`: an item begins. */
  added(event: JsonObject): void;
  /** `output_item.done`: an item is finished. */
  finished(event: JsonObject): void;
  /** The item that a piece belongs to; one of that type is made when none is known. */
  itemOf(event: JsonObject, type: string): Item;
  /** The final `output`: emits what only it brought, and closes everything. */
  complete(output: readonly JsonValue[]): void;
  /** Whether the client was asked to do something. */
  hasActions(): boolean;
  /** Uses of the service's own tools, by the items that are finished. */
  toolUses(): ToolUses;
}

/** What the items are read with. */
export interface ItemTableOptions {
  events: EventCollector;
  context: ReadContext;
  /** Tells this answer from others; ids of calls that came without one are made of it. */
  seed: () => string;
}

/** A table without items. */
export function itemTable(options: ItemTableOptions): ItemTable {
  const items: Item[] = [];
  const byIndex = new Map<number, Item>();
  const byId = new Map<string, Item>();
  const takenIds = new Set<string>();
  const used = itemUses();

  const finish = (item: Item, whole: JsonObject): void => {
    if (item.done) return;
    used.add(whole);
    item.reader.finish(whole);
    close(item);
  };
  const make = (type: string, head: JsonObject | undefined): Item => {
    const fallbackId = `call_${shortHash(`${options.seed()}\n${items.length}`)}`;
    const item = newItem(type, { ...options, fallbackId, takenIds });
    const callId = asString(head?.["call_id"]);
    if (callId !== undefined && callId !== "") item.callId = callId;
    items.push(item);
    return item;
  };
  /** By position, since some servers give an item another id in every event; else by id; else the last one. */
  const find = (event: JsonObject): Item | undefined => {
    const index = asNumber(event["output_index"]);
    if (index !== undefined) return byIndex.get(index);
    const id = itemId(event);
    return id === undefined ? items.at(-1) : byId.get(id);
  };
  const create = (event: JsonObject, type: string): Item => {
    const item = make(type, asObject(event["item"]));
    const [index, id] = [asNumber(event["output_index"]), itemId(event)];
    if (index !== undefined) byIndex.set(index, item);
    if (id !== undefined) {
      item.id = id;
      byId.set(id, item);
    }
    return item;
  };
  return {
    added(event) {
      const head = asObject(event["item"]);
      const type = asString(head?.["type"]);
      if (!head || type === undefined) return;
      const known = find(event);
      const id = asString(head["id"]);
      const isSame =
        known?.type === type && !known.done && (known.id === undefined || known.id === id);
      (isSame ? known : create(event, type)).reader.begin?.(head);
    },
    finished(event) {
      const whole = asObject(event["item"]);
      const type = asString(whole?.["type"]);
      if (!whole || type === undefined) return;
      const known = find(event);
      // A server that gives every item the index 0 still gives the right id.
      const isSame = known?.type === type && (!known.done || known.id === asString(whole["id"]));
      finish(isSame ? known : create(event, type), whole);
    },
    itemOf(event, type) {
      const known = find(event);
      if (known && (known.type === type || (isCall(known.type) && isCall(type)))) return known;
      return create(event, type);
    },
    complete(output) {
      const open = openItems(items);
      for (const whole of output) {
        const type = isObject(whole) ? asString(whole["type"]) : undefined;
        if (!isObject(whole) || type === undefined) continue;
        finish(open.take(whole, type) ?? make(type, whole), whole);
      }
      for (const item of items) close(item);
    },
    hasActions: () => items.some((item) => item.reader.isAction()),
    toolUses: used.uses,
  };
}

function close(item: Item): void {
  if (item.done) return;
  item.reader.close();
  item.done = true;
}

function itemId(event: JsonObject): string | undefined {
  const id = asString(event["item_id"]) ?? asString(asObject(event["item"])?.["id"]);
  return id === "" ? undefined : id;
}
