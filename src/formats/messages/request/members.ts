/** Members that many blocks have. */
import { asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { CacheMark } from "../../../core/request.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";

/** A member that must be a string. */
export function needString(part: JsonObject, key: string, path: string): string {
  const value = part[key];
  if (typeof value !== "string") throw invalid(`${path}.${key}`, "must be a string");
  return value;
}

const markKeys = new Set(["type", "ttl"]);

/** The cache breakpoint on a block or tool. */
export function readCache(part: JsonObject, path: string, notes: Notes): { cache?: CacheMark } {
  const mark = part["cache_control"];
  if (!isObject(mark)) return {};
  noteUnknownMembers(notes, mark, { path: `${path}.cache_control`, known: markKeys });
  const ttl = asString(mark["ttl"]);
  return { cache: { path: `${path}.cache_control`, ...(ttl !== undefined && { ttl }) } };
}
