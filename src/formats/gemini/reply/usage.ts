/** Token counts of Gemini's answers. */
import { asCount, asString, type JsonObject } from "../../../lib/json.ts";
import { knownCounts, type Usage } from "../../../core/usage.ts";

/** The counts of one `usageMetadata`. Tokens of built-in tools' results count as input, thoughts as output. */
export function readUsage(metadata: JsonObject): Usage {
  const prompt = asCount(metadata["promptTokenCount"]);
  const toolUse = asCount(metadata["toolUsePromptTokenCount"]);
  const cached = asCount(metadata["cachedContentTokenCount"]);
  const answer = asCount(metadata["candidatesTokenCount"]);
  const thoughts = asCount(metadata["thoughtsTokenCount"]);
  const serviceTier = asString(metadata["serviceTier"])?.toLowerCase();
  const usage: Usage = knownCounts({
    input: prompt === undefined ? undefined : prompt + (toolUse ?? 0),
    cacheRead: cached,
    output:
      answer === undefined && thoughts === undefined ? undefined : (answer ?? 0) + (thoughts ?? 0),
    reasoning: thoughts,
  });
  if (serviceTier !== undefined) usage.serviceTier = serviceTier;
  return usage;
}

/**
 * The latest of the running totals. A chunk whose counts add up to its total is complete (zeros are left out on the
 * wire); any other holds only some counts, and the rest stays as it was. Always an object of its own: chunks are read into
 * one that is used again.
 */
export function laterCounts(before: JsonObject, after: JsonObject): JsonObject {
  const parts = [
    "promptTokenCount",
    "toolUsePromptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
  ];
  const sum = parts.reduce((total, name) => total + (asCount(after[name]) ?? 0), 0);
  return asCount(after["totalTokenCount"]) === sum && sum > 0
    ? { ...after }
    : { ...before, ...after };
}

/** `usageMetadata` of an answer. Parts that are zero are left out, as on Google's wire. */
export function writeUsage({
  input = 0,
  output = 0,
  cacheRead = 0,
  reasoning = 0,
}: Usage): JsonObject {
  const thoughts = Math.min(reasoning, output);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: input + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  };
}
