/** Cache breakpoints in a Messages request: where they are set, and which of them the provider takes. */
import type { CacheMark } from "../../../core/request.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import type { WireMessage } from "./write-messages.ts";

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

/** What a client is given that said nothing about caching, which without it pays in full for every turn. */
export function writeCacheMarks(
  { system, messages }: { system: readonly JsonObject[]; messages: readonly WireMessage[] },
  { cacheMarks, target }: MessagesWriteContext,
): JsonObject {
  const { promptCache } = target.traits;
  if (cacheMarks.length > 0 || promptCache === "none") return {};
  const mark = { type: "ephemeral" };
  if (promptCache === "top") return { cache_control: mark };
  const markable = messages
    .at(-1)
    ?.content.findLast((block) => !String(block["type"]).endsWith("thinking"));
  for (const block of [system.at(-1), markable]) if (block) block["cache_control"] = { ...mark };
  return {};
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
