/** Sources that Gemini names for its text: grounding (search, files, maps) and recitation. */
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

/** Each passage is looked up in the text: a bound on that work. */
const mostSupports = 500;

/** The citations of one candidate for the text that was said so far. */
export function readCitations(candidate: JsonObject, text: string): Citation[] {
  const grounding = asObject(candidate["groundingMetadata"]);
  const recited = asObject(candidate["citationMetadata"]);
  return [
    ...(grounding ? grounded(grounding, text) : []),
    ...(recited ? recitations(recited, text) : []),
  ];
}

function grounded(metadata: JsonObject, text: string): Citation[] {
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
  if (page) return named("url", page);
  const context = asObject(chunk["retrievedContext"]);
  return context && named("document", context);
}

function named(type: "url" | "document", from: JsonObject): Citation {
  const [url, title] = [asString(from["uri"]), asString(from["title"])];
  return { type, ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
}

function recitations(metadata: JsonObject, text: string): Citation[] {
  const list = asArray(metadata["citations"] ?? metadata["citationSources"])
    .filter(isObject)
    .slice(0, mostSupports);
  return list.map((one) => ({ ...named("url", one), ...segmentRange(one, text) }));
}

/**
 * The passage in UTF-16 units. Gemini counts bytes of UTF-8; where its own copy of the passage disagrees (several
 * parts joined into one text), the passage is looked up.
 */
function segmentRange(
  segment: JsonObject | undefined,
  text: string,
): Pick<Citation, "text" | "start" | "end"> {
  if (!segment) return {};
  const passage = asString(segment["text"]);
  const endByte = asNumber(segment["endIndex"]);
  const said = passage !== undefined && { text: passage };
  if (endByte === undefined) return { ...said };
  const start = unitOffset(text, asNumber(segment["startIndex"]) ?? 0);
  const end = unitOffset(text, endByte);
  if (passage === undefined || text.slice(start, end) === passage) return { ...said, start, end };
  const found = text.indexOf(passage);
  return found < 0 ? { ...said } : { ...said, start: found, end: found + passage.length };
}

/** Where the byte offset of the UTF-8 form falls in the string. */
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
