/** Token counts: what chat servers call them, and how the gateway says them. */
import { asNumber, asObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Usage } from "../../core/usage.ts";

/** A `usage` object of whatever server; undefined when it holds no counts. */
export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const counts = asObject(value);
  if (!counts) return undefined;
  const read =
    asObject(counts["prompt_tokens_details"]) ?? asObject(counts["input_tokens_details"]);
  const written =
    asObject(counts["completion_tokens_details"]) ?? asObject(counts["output_tokens_details"]);
  const input = count(counts["prompt_tokens"]) ?? count(counts["input_tokens"]);
  const reasoning = count(written?.["reasoning_tokens"]) ?? count(counts["reasoning_tokens"]);
  const output = wholeOutput(counts, input, reasoning);
  const cacheRead =
    count(read?.["cached_tokens"]) ??
    count(counts["prompt_cache_hit_tokens"]) ??
    count(counts["cached_tokens"]);
  const cacheWrite =
    count(read?.["cache_write_tokens"]) ??
    count(read?.["cache_creation_tokens"]) ??
    count(counts["cache_creation_input_tokens"]);
  if (input === undefined && output === undefined) return undefined;
  return {
    ...(input !== undefined && { input }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(output !== undefined && { output }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function count(value: JsonValue | undefined): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 ? Math.round(number) : undefined;
}

/** Some servers count reasoning beside the completion, which only their total tells. */
function wholeOutput(
  counts: JsonObject,
  input: number | undefined,
  reasoning: number | undefined,
): number | undefined {
  const output = count(counts["completion_tokens"]) ?? count(counts["output_tokens"]);
  const total = count(counts["total_tokens"]);
  if (output === undefined || reasoning === undefined || reasoning === 0) return output;
  return total === (input ?? 0) + output + reasoning ? output + reasoning : output;
}

/** The `usage` object that chat clients expect: integers throughout, zeros for what nobody counted. */
export function writeUsage(usage: Usage): JsonObject {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
