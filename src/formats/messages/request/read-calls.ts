/** Tool calls and their results in the history of a Messages request. */
import type { CallBlock, ResultBlock } from "../../../core/request.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { cacheMarkOf } from "./read-cache-mark.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";
import type { NestedReader } from "./read-media.ts";

const useKeys = new Set(["type", "id", "name", "input", "cache_control"]);
/** Called by the model itself is what every call is in other formats. */
const directUseKeys = new Set([...useKeys, "caller"]);
const callerKeys = new Set(["type"]);
const resultKeys = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);

export function readCall(part: JsonObject, path: string, context: RequestReadContext): CallBlock {
  const { caller } = part;
  const direct = isObject(caller) && caller["type"] === "direct";
  if (direct) noteUnknown(caller, { path: `${path}.caller`, known: callerKeys }, context);
  noteUnknown(part, { path, known: direct ? directUseKeys : useKeys }, context);
  const input = part["input"] ?? {};
  const call: CallBlock = {
    kind: "call",
    id: needString(part, "id", path),
    name: needString(part, "name", path),
    call: "function",
    input: JSON.stringify(input),
    ...(isObject(input) && { object: input }),
  };
  const cache = cacheMarkOf(part, path, context);
  if (cache) call.cache = cache;
  return call;
}

export function readResult(part: JsonObject, path: string, nested: NestedReader): ResultBlock {
  const { context, readContent } = nested;
  noteUnknown(part, { path, known: resultKeys }, context);
  const result: ResultBlock = {
    kind: "result",
    id: needString(part, "tool_use_id", path),
    call: "function",
    blocks: readContent(part["content"], `${path}.content`, context),
    path,
  };
  const cache = cacheMarkOf(part, path, context);
  if (part["is_error"] === true) result.isError = true;
  if (cache) result.cache = cache;
  return result;
}
