/** Members that many blocks have. */
import { asString, isObject, type JsonObject } from "../../lib/json.ts";
import { invalid } from "../../core/problem.ts";
import type { CacheMark } from "../../core/turn.ts";

/** A member that must be a string. */
export function needString(part: JsonObject, key: string, path: string): string {
  const value = part[key];
  if (typeof value !== "string") throw invalid(`${path}.${key}`, "must be a string");
  return value;
}

/** The cache breakpoint on a block or tool. */
export function readCache(part: JsonObject, path: string): { cache?: CacheMark } {
  const mark = part["cache_control"];
  if (!isObject(mark)) return {};
  const ttl = asString(mark["ttl"]);
  return { cache: { path: `${path}.cache_control`, ...(ttl !== undefined && { ttl }) } };
}
