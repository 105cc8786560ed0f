/** Cache breakpoints in a Messages request: where they are set, and which of them the provider takes. */
import type { CacheMark } from "../../../core/request.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

export interface MessagesWriteContext extends WriteContext {
  /** Objects that were given a cache breakpoint, in the order of the prompt. */
  readonly cacheMarks: { readonly holder: JsonObject; readonly path: string }[];
}

/** The object with the breakpoint that its block or tool carries. */
export function withCacheMark(
  holder: JsonObject,
  cache: CacheMark | undefined,
  context: MessagesWriteContext,
): JsonObject {
  if (!cache) return holder;
  const hour = cache.ttl !== undefined && /^\d+h$/.test(cache.ttl);
  const marked: JsonObject = {
    ...holder,
    cache_control: { type: "ephemeral", ...(hour && { ttl: "1h" }) },
  };
  context.cacheMarks.push({ holder: marked, path: cache.path });
  return marked;
}

const mostMarks = 4;

/**
 * Keeps, in place, the breakpoints that the provider takes: the last four, since a later one covers all before it;
 * and none that lives an hour behind one that lives shorter.
 */
export function limitCacheMarks({ cacheMarks, dropped }: MessagesWriteContext): void {
  const surplus = Math.max(0, cacheMarks.length - mostMarks);
  for (const { holder, path } of cacheMarks.slice(0, surplus)) {
    delete holder["cache_control"];
    dropped.add(path);
  }
  let short = false;
  for (const { holder, path } of cacheMarks.slice(surplus)) {
    const mark = holder["cache_control"];
    const hour = isObject(mark) && mark["ttl"] !== undefined;
    if (hour && short) {
      holder["cache_control"] = { type: "ephemeral" };
      dropped.add(`${path}.ttl`);
    }
    short ||= !hour;
  }
}
