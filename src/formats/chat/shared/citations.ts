/** Citations: `annotations`, and the `citations` and `search_results` lists of some servers. */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Citation } from "../../../core/request.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";

/** The citations in `annotations` of a message or delta; positions count in the whole text. */
export function readAnnotations(value: JsonValue | undefined): Citation[] {
  return asArray(value).flatMap((entry) => (isObject(entry) ? [readAnnotation(entry)] : []));
}

function readAnnotation(entry: JsonObject): Citation {
  const source =
    asObject(entry["url_citation"]) ?? (entry["type"] === "url_citation" ? entry : undefined);
  const url = asString(source?.["url"]);
  if (!source || url === undefined) return { type: "other", raw: { format: "chat", value: entry } };
  const [title, text] = [asString(source["title"]), asString(source["content"])];
  const [start, end] = [asNumber(source["start_index"]), asNumber(source["end_index"])];
  return {
    type: "url",
    url,
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

const annotationMembers = new Set(["type", "url_citation"]);
const citedMembers = new Set(["url", "title", "start_index", "end_index"]);
const flatMembers = new Set(["type", ...citedMembers]);

/** Notes members of a brought back annotation that other formats have no member for. */
export function noteCitation(
  entry: JsonObject | undefined,
  path: string,
  unsupported: Set<string>,
): void {
  const at: Position = { path: `${path}[]`, unsupported };
  const nested = asObject(entry?.["url_citation"]);
  noteUnknownMembers(entry, nested ? annotationMembers : flatMembers, at);
  noteUnknownMembers(nested, citedMembers, within(at, "url_citation"));
}

/** The citations in lists beside the choices: URLs, or objects with title and URL, without positions. */
export function readSources(body: JsonObject): Citation[] {
  const results = asArray(body["search_results"]);
  const list = results.length > 0 ? results : asArray(body["citations"]);
  return list.flatMap((entry) => {
    const url = asString(entry) ?? asString(asObject(entry)?.["url"]);
    const title = asString(asObject(entry)?.["title"]);
    return url === undefined
      ? []
      : [{ type: "url", url, ...(title !== undefined && { title }) } as const];
  });
}

/** The citation moved by so many characters, from a block's text to the whole text or back. */
export function shiftCitation(citation: Citation, by: number): Citation {
  const { start, end } = citation;
  if (by === 0) return citation;
  return {
    ...citation,
    ...(start !== undefined && { start: Math.max(0, start + by) }),
    ...(end !== undefined && { end: Math.max(0, end + by) }),
  };
}

/**
 * The citation of a block at its place in the whole text. `from`: where the block begins; `length`: of the block, which a
 * citation without positions covers as a whole.
 */
export function placedCitation(
  citation: Citation,
  { from, length }: { readonly from: number; readonly length: number },
): Citation {
  const { start = 0, end = length } = citation;
  return shiftCitation({ ...citation, start, end }, from);
}

/** `url_citation`s; citations without a URL cannot be written. */
export function writeAnnotations(citations: readonly Citation[]): JsonObject[] {
  return citations.flatMap(({ type, url, title, text, start, end }) =>
    type !== "url" || url === undefined
      ? []
      : [
          {
            type: "url_citation",
            url_citation: {
              url,
              title: title ?? url,
              start_index: start ?? 0,
              end_index: end ?? 0,
              ...(text !== undefined && { content: text }),
            },
          },
        ],
  );
}
