/** Token counts in Responses answers. */
import { knownCounts, type Usage } from "../../../core/usage.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** What a response tells of its bill: counts, the tier that served it, and the tools of the service that it used. */
export function readBill(response: JsonObject): Usage | undefined {
  const counts = readUsage(response["usage"]);
  if (counts === undefined) return undefined;
  const serviceTier = asString(response["service_tier"]);
  const types = asArray(response["output"]).map((item) => asObject(item)?.["type"]);
  const webSearch = types.filter((type) => type === "web_search_call").length;
  const fileSearch = types.filter((type) => type === "file_search_call").length;
  if (serviceTier !== undefined) counts.serviceTier = serviceTier;
  if (webSearch + fileSearch > 0) counts.toolUses = { webSearch, fileSearch };
  return counts;
}

/** The counts of a `usage` object; undefined when it holds none. */
export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (!usage) return undefined;
  const input = asCount(usage["input_tokens"]) ?? asCount(usage["prompt_tokens"]);
  const output = asCount(usage["output_tokens"]) ?? asCount(usage["completion_tokens"]);
  const inputDetails = asObject(usage["input_tokens_details"]);
  const cacheRead = asCount(inputDetails?.["cached_tokens"]);
  const cacheWrite = asCount(inputDetails?.["cache_write_tokens"]);
  const reasoning = asCount(asObject(usage["output_tokens_details"])?.["reasoning_tokens"]);
  const counts: Usage = knownCounts({ input, cacheRead, cacheWrite, output, reasoning });
  return Object.keys(counts).length > 0 ? counts : undefined;
}

/** The `usage` object that Responses clients expect: every count is an integer, an unknown count is 0. */
export function writeUsage(usage: Usage): JsonObject {
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead ?? 0,
      cache_write_tokens: usage.cacheWrite ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + output,
  };
}
