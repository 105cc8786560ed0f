/** Writes citations as `groundingMetadata`: sources, and the passages that they support by their UTF-8 bytes. */
import type { Citation } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";

const encoder = new TextEncoder();

/** The metadata of an answer whose whole text is `text`; undefined where no citation names a source. */
export function writeGrounding(
  citations: readonly Citation[],
  text: string,
): JsonObject | undefined {
  const places = new Map<string, number>();
  const chunks: JsonObject[] = [];
  const supports: JsonObject[] = [];
  for (const citation of citations) {
    const source = sourceOf(citation);
    if (source === undefined) continue;
    const key = JSON.stringify(source);
    const place = places.get(key) ?? chunks.push(source) - 1;
    places.set(key, place);
    const segment = segmentOf(citation, text);
    if (segment) supports.push({ segment, groundingChunkIndices: [place] });
  }
  if (chunks.length === 0) return undefined;
  return {
    groundingChunks: chunks,
    ...(supports.length > 0 && { groundingSupports: supports }),
  };
}

function sourceOf({ type, url, title, text }: Citation): JsonObject | undefined {
  if (type === "document") {
    const named = { ...(url !== undefined && { uri: url }), title: title ?? "document" };
    return { retrievedContext: { ...named, ...(text !== undefined && { text }) } };
  }
  return url === undefined ? undefined : { web: { uri: url, title: title ?? url } };
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
