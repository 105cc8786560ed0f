/** Cache breakpoints that a Responses client set. */
import type { CacheMark } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers, type Position } from "../../../translation/unsupported.ts";

const markMembers = new Set(["mode"]);

/** The cache breakpoint on a part. */
export function readCacheMark(part: JsonObject, position: Position): { cache?: CacheMark } {
  const mark = asObject(part["prompt_cache_breakpoint"]);
  if (!mark) return {};
  const path = `${position.path}.prompt_cache_breakpoint`;
  noteUnknownMembers(mark, markMembers, { path, unsupported: position.unsupported });
  return { cache: { path } };
}
