/** Writes citations and searches as `groundingMetadata`: queries, sources, and the passages that they support by their UTF-8 bytes. */
import type { Citation } from "../../../core/request.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";

const encoder = new TextEncoder();

/** What an answer rests on. */
export interface Grounds {
  readonly citations: readonly Citation[];
  readonly searches: readonly WebSearchRun[];
}

/** The metadata of an answer whose whole text is `text`; undefined where it names no source and no search. */
export function writeGrounding(
  { citations, searches }: Grounds,
  text: string,
): JsonObject | undefined {
  const places = new Map<string, number>();
  const chunks: JsonObject[] = [];
  const supports: JsonObject[] = [];
  const placeOf = (source: JsonObject): number => {
    // A page stands once, with the title under which it came first.
    const key = asString(asObject(source["web"])?.["uri"]) ?? JSON.stringify(source);
    const place = places.get(key) ?? chunks.push(source) - 1;
    places.set(key, place);
    return place;
  };
  for (const citation of citations) {
    const source = sourceOf(citation);
    if (source === undefined) continue;
    const place = placeOf(source);
    const segment = segmentOf(citation, text);
    if (segment) supports.push({ segment, groundingChunkIndices: [place] });
  }
  for (const { url, title } of searches.flatMap(({ sources }) => sources))
    placeOf(webPage(url, title));
  const queries = queriesOf(searches);
  if (chunks.length + queries.length === 0) return undefined;
  return {
    ...(queries.length > 0 && { webSearchQueries: queries }),
    ...(chunks.length > 0 && { groundingChunks: chunks }),
    ...(supports.length > 0 && { groundingSupports: supports }),
  };
}

/** Of the searches that were made. */
function queriesOf(searches: readonly WebSearchRun[]): string[] {
  const made = searches.filter(({ fault }) => fault === undefined || fault === "failed");
  return [...new Set(made.flatMap(({ query = "" }) => (query === "" ? [] : [query])))];
}

function webPage(url: string, title = url): JsonObject {
  return { web: { uri: url, title } };
}

function sourceOf({ type, url, title, text }: Citation): JsonObject | undefined {
  if (type === "document") {
    const named = { ...(url !== undefined && { uri: url }), title: title ?? "document" };
    return { retrievedContext: { ...named, ...(text !== undefined && { text }) } };
  }
  return url === undefined ? undefined : webPage(url, title);
}

function segmentOf({ start, end }: Citation, text: string): JsonObject | undefined {
  if (end === undefined) return undefined;
  const from = Math.min(start ?? 0, text.length);
  const to = Math.min(Math.max(end, from), text.length);
  const startIndex = bytesOf(text.slice(0, from));
  const passage = text.slice(from, to);
  return { startIndex, endIndex: startIndex + bytesOf(passage), text: passage };
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
