/** Citations in Gemini's answers: grounding (search, files, maps) and recitation. */
import type { Citation } from "../../../core/request.ts";
import type { WebSource } from "../../../core/web-search.ts";
import type { TextOffsets } from "./text-offsets.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** Most passages of one chunk that are read. */
const mostSupports = 500;
/** Most passages of an answer that are looked up in its text: a bound on that work. */
const mostLookups = 2000;

/** A text block in which passages are looked up. */
export interface CitedText {
  text: string;
  readonly offsets: TextOffsets;
  /** Passages that may still be looked up in the answer. */
  readonly lookups: { left: number };
}

/** The lookups of one answer. */
export function newLookups(): CitedText["lookups"] {
  return { left: mostLookups };
}

/** The citations of one candidate for its text so far. */
export function readCitations(candidate: JsonObject, text: CitedText): Citation[] {
  const grounding = asObject(candidate["groundingMetadata"]);
  const recitation = asObject(candidate["citationMetadata"]);
  return [
    ...(grounding ? groundedCitations(grounding, text) : []),
    ...(recitation ? recitedCitations(recitation, text) : []),
  ];
}

/** Most sources of an answer's searches that are told. */
const mostSources = 100;

/** Adds what a grounded answer says of its searches. */
export function noteSearches(
  { queries, sources }: { queries: Set<string>; sources: Map<string, WebSource> },
  metadata: JsonObject,
): void {
  for (const query of asArray(metadata["webSearchQueries"]))
    if (typeof query === "string") queries.add(query);
  for (const chunk of asArray(metadata["groundingChunks"]).slice(0, mostSources)) {
    const { url, title } = source(chunk) ?? {};
    if (url !== undefined) sources.set(url, { url, ...(title !== undefined && { title }) });
  }
}

function groundedCitations(metadata: JsonObject, text: CitedText): Citation[] {
  const sources = asArray(metadata["groundingChunks"]).map(source);
  const supports = asArray(metadata["groundingSupports"]).filter(isObject);
  if (supports.length === 0) return sources.filter((one) => one !== undefined);
  const citations: Citation[] = [];
  for (const support of supports.slice(0, mostSupports)) {
    const range = segmentRange(asObject(support["segment"]), text);
    for (const index of asArray(support["groundingChunkIndices"])) {
      const found = typeof index === "number" ? sources[index] : undefined;
      if (found) citations.push({ ...found, ...range });
    }
  }
  return citations;
}

function source(chunk: JsonValue): Citation | undefined {
  if (!isObject(chunk)) return undefined;
  const page = asObject(chunk["web"]) ?? asObject(chunk["maps"]);
  if (page) return citedSource("url", page);
  const context = asObject(chunk["retrievedContext"]);
  return context && citedSource("document", context);
}

function citedSource(type: "url" | "document", from: JsonObject): Citation {
  const [url, title] = [asString(from["uri"]), asString(from["title"])];
  return { type, ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
}

function recitedCitations(metadata: JsonObject, text: CitedText): Citation[] {
  const list = asArray(metadata["citations"] ?? metadata["citationSources"])
    .filter(isObject)
    .slice(0, mostSupports);
  return list.map((one) => ({ ...citedSource("url", one), ...segmentRange(one, text) }));
}

/**
 * The passage in UTF-16 units. Gemini counts bytes of UTF-8, and from the start of a part: where its copy of the passage
 * is not at that place of the joined text, the passage is looked up.
 */
function segmentRange(
  segment: JsonObject | undefined,
  { text, offsets, lookups }: CitedText,
): Pick<Citation, "text" | "start" | "end"> {
  if (!segment) return {};
  const passage = asString(segment["text"]);
  const endByte = asNumber(segment["endIndex"]);
  const cited = passage !== undefined && { text: passage };
  if (endByte === undefined || lookups.left === 0) return { ...cited };
  lookups.left--;
  const start = offsets.unitAt(text, asNumber(segment["startIndex"]) ?? 0);
  const end = offsets.unitAt(text, endByte);
  if (passage === undefined || text.slice(start, end) === passage) return { ...cited, start, end };
  const found = text.indexOf(passage);
  return found < 0 ? { ...cited } : { ...cited, start: found, end: found + passage.length };
}
