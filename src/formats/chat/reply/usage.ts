/** Token counts in chat answers: the forms of many servers are read, one form is written. */
import { asCount, asObject, asString, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { knownCounts, type Usage } from "../../../core/usage.ts";
import { readBillTerms, readMediaTokens } from "../../../translation/read-bill.ts";

/** What a chunk tells of its bill: the counts of one of these objects, and the tier that served it. */
export function readBill(
  chunk: JsonObject,
  places: readonly (JsonValue | undefined)[],
): Usage | undefined {
  for (const place of places) {
    const counts = readUsage(place);
    if (counts === undefined) continue;
    const serviceTier = asString(chunk["service_tier"]);
    return serviceTier === undefined ? counts : { ...counts, serviceTier };
  }
  return undefined;
}

/** The counts of a server's `usage` object; undefined when it holds none. */
export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const counts = asObject(value);
  if (!counts) return undefined;
  const read =
    asObject(counts["prompt_tokens_details"]) ?? asObject(counts["input_tokens_details"]);
  const written =
    asObject(counts["completion_tokens_details"]) ?? asObject(counts["output_tokens_details"]);
  const input = asCount(counts["prompt_tokens"]) ?? asCount(counts["input_tokens"]);
  const reasoning = asCount(written?.["reasoning_tokens"]) ?? asCount(counts["reasoning_tokens"]);
  const output = outputWithReasoning(counts, input, reasoning);
  const cacheRead =
    asCount(read?.["cached_tokens"]) ??
    asCount(counts["prompt_cache_hit_tokens"]) ??
    asCount(counts["cached_tokens"]);
  const cacheWrite =
    asCount(read?.["cache_write_tokens"]) ??
    asCount(read?.["cache_creation_tokens"]) ??
    asCount(counts["cache_creation_input_tokens"]);
  const terms = readBillTerms(counts);
  if (input === undefined && output === undefined && terms.cost === undefined) return undefined;
  const media = readMediaTokens(read, written);
  const usage = knownCounts({ input, cacheRead, cacheWrite, output, reasoning });
  return Object.assign(usage, terms, media && { media });
}

/** Some servers count reasoning beside the completion, which only their total shows. */
function outputWithReasoning(
  counts: JsonObject,
  input: number | undefined,
  reasoning: number | undefined,
): number | undefined {
  const output = asCount(counts["completion_tokens"]) ?? asCount(counts["output_tokens"]);
  const total = asCount(counts["total_tokens"]);
  if (output === undefined || reasoning === undefined || reasoning === 0) return output;
  return total === (input ?? 0) + output + reasoning ? output + reasoning : output;
}

/** The `usage` object that chat clients expect: every count is an integer, an unknown count is 0. */
export function writeUsage(usage: Usage): JsonObject {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite, reasoning = 0, media = {} } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
      ...writeMedia(media.inputAudio, media.inputImage),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      ...writeMedia(media.outputAudio, media.outputImage),
    },
  };
}

function writeMedia(audio = 0, image = 0): JsonObject {
  return { ...(audio > 0 && { audio_tokens: audio }), ...(image > 0 && { image_tokens: image }) };
}
