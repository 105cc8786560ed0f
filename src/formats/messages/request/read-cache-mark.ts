/** Cache breakpoints that a Messages client set. */
import type { CacheMark } from "../../../core/request.ts";
import { asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

const markKeys = new Set(["type", "ttl"]);

/** The cache breakpoint on a block or tool, as a member to spread. */
export function readCacheMark(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): { cache?: CacheMark } {
  const cache = cacheMarkOf(part, path, context);
  return cache === undefined ? {} : { cache };
}

/** The cache breakpoint on a block or tool, if it has one. */
export function cacheMarkOf(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): CacheMark | undefined {
  const mark = part["cache_control"];
  if (!isObject(mark)) return undefined;
  noteUnknown(mark, { path: `${path}.cache_control`, known: markKeys }, context);
  const ttl = asString(mark["ttl"]);
  return { path: `${path}.cache_control`, ...(ttl !== undefined && { ttl }) };
}
