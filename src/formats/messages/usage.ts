/** Token counts: Anthropic keeps cached input apart from `input_tokens`, the neutral form counts it in. */
import { asCount, isObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Usage } from "../../core/usage.ts";

/** Running totals of a stream: later events replace earlier ones member by member, null says nothing. */
export function mergeUsage(before: JsonObject, after: JsonValue | undefined): JsonObject {
  if (!isObject(after)) return before;
  const merged = { ...before };
  for (const key in after) if (after[key] !== null) merged[key] = after[key];
  return merged;
}

export function readUsage(raw: JsonObject): Usage {
  const cacheRead = asCount(raw["cache_read_input_tokens"]);
  const cacheWrite = asCount(raw["cache_creation_input_tokens"]);
  const fresh = asCount(raw["input_tokens"]);
  const output = asCount(raw["output_tokens"]);
  const hour = member(raw["cache_creation"], "ephemeral_1h_input_tokens");
  const reasoning = member(raw["output_tokens_details"], "thinking_tokens");
  const known = fresh !== undefined || cacheRead !== undefined || cacheWrite !== undefined;
  return {
    ...(known && { input: (fresh ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(hour !== undefined && { cacheWrite1h: hour }),
    ...(output !== undefined && { output }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function member(value: JsonValue | undefined, key: string): number | undefined {
  return isObject(value) ? asCount(value[key]) : undefined;
}

/** All counts as integers; what is unknown is 0, as the clients' types demand. */
export function writeUsage(usage: Usage): JsonObject {
  // Some providers count the same tokens as read and as written: the parts must not exceed the whole.
  const input = usage.input === undefined ? Infinity : whole(usage.input);
  const read = Math.min(whole(usage.cacheRead), input);
  const write = Math.min(whole(usage.cacheWrite), input - read);
  const hour = Math.min(whole(usage.cacheWrite1h), write);
  return {
    input_tokens: Number.isFinite(input) ? input - read - write : 0,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    output_tokens: whole(usage.output),
    ...(usage.cacheWrite1h !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, write - hour),
        ephemeral_1h_input_tokens: hour,
      },
    }),
    ...(usage.reasoning !== undefined && {
      output_tokens_details: { thinking_tokens: whole(usage.reasoning) },
    }),
  };
}

function whole(count: number | undefined): number {
  return Math.max(0, Math.round(count ?? 0));
}
