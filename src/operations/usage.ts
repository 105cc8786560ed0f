/** Reads usage off the answers of operations, whole ones and events. */
import { asCount, asNumber, asObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { Usage } from "../core/usage.ts";
import { readBillTerms, readMediaTokens } from "../translation/read-bill.ts";

/** The usage of an answer in OpenAI's form; undefined where it says none. */
export function readOperationUsage(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const seconds = asNumber(usage["seconds"]);
  const terms = readBillTerms(usage);
  if (usage["type"] === "duration" && seconds !== undefined)
    return { input: 0, output: 0, audioSeconds: seconds, ...terms };
  const input = asCount(usage["input_tokens"] ?? usage["prompt_tokens"]);
  const total = asCount(usage["total_tokens"]);
  const output = asCount(usage["output_tokens"] ?? usage["completion_tokens"]);
  if (input === undefined && total === undefined)
    return terms.cost === undefined ? undefined : terms;
  return {
    input: input ?? Math.max(0, (total ?? 0) - (output ?? 0)),
    output: output ?? 0,
    ...cachedPart(usage),
    ...mediaParts(usage),
    ...terms,
  };
}

function cachedPart(usage: JsonObject): Pick<Usage, "cacheRead"> {
  const details = asObject(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const cacheRead = asCount(details?.["cached_tokens"]);
  return cacheRead === undefined ? {} : { cacheRead };
}

function mediaParts(usage: JsonObject): Pick<Usage, "media"> {
  const read = asObject(usage["input_tokens_details"] ?? usage["input_token_details"]);
  const written = asObject(usage["output_tokens_details"] ?? usage["output_token_details"]);
  const media = readMediaTokens(read, written);
  return media === undefined ? {} : { media };
}

/** The usage of an answer in Gemini's form. */
export function readGeminiUsage(value: JsonValue | undefined): Usage | undefined {
  const input = asCount(asObject(value)?.["promptTokenCount"]);
  return input === undefined ? undefined : { input, output: 0 };
}
