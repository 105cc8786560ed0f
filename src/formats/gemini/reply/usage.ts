/** Token counts of Gemini's answers. */
import { asCount, asObject, asString, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { knownCounts, type MediaTokens, type Usage } from "../../../core/usage.ts";
import { knownMedia, readStatedCost } from "../../../translation/read-bill.ts";

/**
 * The counts of one `usageMetadata`. Tokens of built-in tools' results count as input, thoughts as output. `drew`: the
 * answer holds images, so that output whose kind is not told is taken for theirs.
 */
export function readUsage(metadata: JsonObject, drew = false): Usage {
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
  const media = readMedia(metadata, drew ? answer : undefined);
  if (media !== undefined) usage.media = media;
  const cost = readStatedCost(metadata);
  if (cost !== undefined) usage.cost = cost;
  return usage;
}

/** Tokens by modality; documents and videos are charged as text is. */
function readMedia(metadata: JsonObject, drawn: number | undefined): MediaTokens | undefined {
  const read = byModality(metadata["promptTokensDetails"]);
  const cached = byModality(metadata["cacheTokensDetails"]);
  const written = byModality(metadata["candidatesTokensDetails"]);
  if (read === undefined && cached === undefined && written === undefined && drawn === undefined)
    return undefined;
  return knownMedia({
    inputImage: (read?.image ?? 0) - (cached?.image ?? 0),
    inputAudio: (read?.audio ?? 0) - (cached?.audio ?? 0),
    cachedImage: cached?.image ?? 0,
    cachedAudio: cached?.audio ?? 0,
    outputImage: written?.image ?? (written === undefined ? (drawn ?? 0) : 0),
    outputAudio: written?.audio ?? 0,
  });
}

interface Modalities {
  image: number;
  audio: number;
}

function byModality(details: JsonValue | undefined): Modalities | undefined {
  if (!Array.isArray(details)) return undefined;
  const tokens: Modalities = { image: 0, audio: 0 };
  for (const entry of details) {
    const detail = asObject(entry);
    const count = asCount(detail?.["tokenCount"]) ?? 0;
    if (detail?.["modality"] === "IMAGE") tokens.image += count;
    if (detail?.["modality"] === "AUDIO") tokens.audio += count;
  }
  return tokens;
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
  media = {},
}: Usage): JsonObject {
  const thoughts = Math.min(reasoning, output);
  const { inputImage = 0, inputAudio = 0, outputImage = 0, outputAudio = 0 } = media;
  const read = writeModalities(input, { image: inputImage, audio: inputAudio });
  const written = writeModalities(output - thoughts, { image: outputImage, audio: outputAudio });
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: input + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(read.length > 0 && { promptTokensDetails: read }),
    ...(written.length > 0 && { candidatesTokensDetails: written }),
  };
}

/** What is left of all is text; nothing where all of it is. */
function writeModalities(all: number, { image, audio }: Modalities): JsonObject[] {
  if (image + audio === 0) return [];
  const parts = { TEXT: Math.max(0, all - image - audio), IMAGE: image, AUDIO: audio };
  return Object.entries(parts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }));
}
