/** Finds which item of the stream an item of the final `output` repeats, without a search through all of them. */
import { asString, type JsonObject } from "../../../lib/json.ts";
import type { Item } from "./read-item.ts";

/** The items of a stream that were not repeated yet. */
export interface OpenItems {
  /** The item that this one repeats, which is then no longer open. */
  take(whole: JsonObject, type: string): Item | undefined;
}

/** The open items under one key, in the order of the stream. */
interface Candidates {
  readonly items: Item[];
  /** All before this were taken. */
  next: number;
}

/** The items in their order. */
export function openItems(items: readonly Item[]): OpenItems {
  const places = new Map(items.map((item, at) => [item, at]));
  const byKey = new Map<string, Candidates>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const known = byKey.get(key);
      if (known) known.items.push(item);
      else byKey.set(key, { items: [item], next: 0 });
    }
  /** The first that is open. */
  const first = (key: string): Item | undefined => {
    const found = byKey.get(key);
    if (!found) return undefined;
    for (; found.next < found.items.length; found.next++) {
      const item = found.items[found.next];
      if (item && places.has(item)) return item;
    }
    return undefined;
  };
  const earlier = (one: Item | undefined, other: Item | undefined): Item | undefined => {
    if (!one || !other) return one ?? other;
    return (places.get(one) ?? 0) < (places.get(other) ?? 0) ? one : other;
  };
  return {
    take(whole, type) {
      const id = asString(whole["id"]) ?? "";
      const callId = asString(whole["call_id"]);
      const sameId = id === "" ? undefined : first(`id ${type}\n${id}`);
      const sameCall =
        callId === undefined
          ? first(`type ${type}`)
          : earlier(first(`uncalled ${type}`), first(`call ${type}\n${callId}`));
      const found = sameId ?? sameCall;
      if (found) places.delete(found);
      return found;
    },
  };
}

function keysOf({ type, id, callId }: Item): string[] {
  return [
    `type ${type}`,
    callId === undefined ? `uncalled ${type}` : `call ${type}\n${callId}`,
    ...(id === undefined ? [] : [`id ${type}\n${id}`]),
  ];
}
