/** Reads usage off the answers of operations, whole ones and events. */
import { asCount, asNumber, asObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { Usage } from "../core/usage.ts";

/** The usage of an answer in OpenAI's form; undefined where it says none. */
export function readOperationUsage(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const seconds = asNumber(usage["seconds"]);
  if (usage["type"] === "duration" && seconds !== undefined)
    return { input: 0, output: 0, audioSeconds: seconds };
  const input = asCount(usage["input_tokens"] ?? usage["prompt_tokens"]);
  const total = asCount(usage["total_tokens"]);
  const output = asCount(usage["output_tokens"] ?? usage["completion_tokens"]);
  if (input === undefined && total === undefined) return undefined;
  return {
    input: input ?? Math.max(0, (total ?? 0) - (output ?? 0)),
    output: output ?? 0,
    ...cachedPart(usage),
    ...mediaParts(usage),
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
  const media = {
    inputImage: asCount(read?.["image_tokens"]) ?? 0,
    inputAudio: asCount(read?.["audio_tokens"]) ?? 0,
    outputImage: asCount(written?.["image_tokens"]) ?? 0,
    outputAudio: asCount(written?.["audio_tokens"]) ?? 0,
  };
  return Object.values(media).some((count) => count > 0) ? { media } : {};
}

/** The usage of an answer in Gemini's form. */
export function readGeminiUsage(value: JsonValue | undefined): Usage | undefined {
  const input = asCount(asObject(value)?.["promptTokenCount"]);
  return input === undefined ? undefined : { input, output: 0 };
}
