/** Cache breakpoints that a Messages client set. */
import type { CacheMark } from "../../../core/request.ts";
import { asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

const markKeys = new Set(["type", "ttl"]);

/** The cache breakpoint on a block or tool. */
export function readCacheMark(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): { cache?: CacheMark } {
  const mark = part["cache_control"];
  if (!isObject(mark)) return {};
  noteUnknown(mark, { path: `${path}.cache_control`, known: markKeys }, context);
  const ttl = asString(mark["ttl"]);
  return { cache: { path: `${path}.cache_control`, ...(ttl !== undefined && { ttl }) } };
}
