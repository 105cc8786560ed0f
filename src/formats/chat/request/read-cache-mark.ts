/** Cache breakpoints that a chat client set. */
import type { CacheMark } from "../../../core/request.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";

/** Members of a part that stand beside its content. */
export const partMembers = ["type", "cache_control", "prompt_cache_breakpoint"];

const markMembers = new Set(["type", "ttl"]);
const breakpointMembers = new Set(["mode"]);

/** The cache breakpoint on a part or a tool. */
export function readCacheMark(part: JsonObject, position: Position): CacheMark | undefined {
  const mark = asObject(part["cache_control"]);
  if (mark) {
    const at = within(position, "cache_control");
    noteUnknownMembers(mark, markMembers, at);
    const ttl = asString(mark["ttl"]);
    return { path: at.path, ...(ttl !== undefined && { ttl }) };
  }
  const point = asObject(part["prompt_cache_breakpoint"]);
  if (!point) return undefined;
  const at = within(position, "prompt_cache_breakpoint");
  noteUnknownMembers(point, breakpointMembers, at);
  return { path: at.path };
}
