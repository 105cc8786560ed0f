/** Citations in Gemini's answers: grounding (search, files, maps) and recitation. */
import type { Citation } from "../../../core/request.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** Most passages that are looked up in the text: a bound on that work. */
const mostSupports = 500;

/** The citations of one candidate for its text so far. */
export function readCitations(candidate: JsonObject, text: string): Citation[] {
  const grounding = asObject(candidate["groundingMetadata"]);
  const recitation = asObject(candidate["citationMetadata"]);
  return [
    ...(grounding ? groundedCitations(grounding, text) : []),
    ...(recitation ? recitedCitations(recitation, text) : []),
  ];
}

function groundedCitations(metadata: JsonObject, text: string): Citation[] {
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

function recitedCitations(metadata: JsonObject, text: string): Citation[] {
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
  text: string,
): Pick<Citation, "text" | "start" | "end"> {
  if (!segment) return {};
  const passage = asString(segment["text"]);
  const endByte = asNumber(segment["endIndex"]);
  const cited = passage !== undefined && { text: passage };
  if (endByte === undefined) return { ...cited };
  const start = unitOffset(text, asNumber(segment["startIndex"]) ?? 0);
  const end = unitOffset(text, endByte);
  if (passage === undefined || text.slice(start, end) === passage) return { ...cited, start, end };
  const found = text.indexOf(passage);
  return found < 0 ? { ...cited } : { ...cited, start: found, end: found + passage.length };
}

/** Index in the string of a byte offset in its UTF-8 form. */
function unitOffset(text: string, bytes: number): number {
  let left = bytes;
  let at = 0;
  while (left > 0 && at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}
