/** Citations: annotations of `output_text` parts, and the neutral form. */
import type { Citation } from "../../../core/request.ts";
import { asNumber, asString, type JsonObject } from "../../../lib/json.ts";

/** The citation of an annotation, which keeps the annotation itself. */
export function readAnnotation(annotation: JsonObject): Citation {
  const raw = { format: "responses" as const, value: annotation };
  const start = asNumber(annotation["start_index"]);
  const end = asNumber(annotation["end_index"]);
  const span = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  if (annotation["type"] === "url_citation") {
    const [url, title] = [asString(annotation["url"]), asString(annotation["title"])];
    return {
      type: "url",
      ...(url !== undefined && { url }),
      ...(title !== undefined && { title }),
      ...span,
      raw,
    };
  }
  const title = asString(annotation["filename"]);
  const type = title === undefined ? "other" : "document";
  return { type, ...(title !== undefined && { title }), ...span, raw };
}

/**
 * The annotation of a citation; undefined when Responses has none for it. `length`: of the cited text, which a citation
 * without positions covers as a whole.
 */
export function writeAnnotation(citation: Citation, length: number): JsonObject | undefined {
  // A raw value of this format was an annotation object when it was read.
  if (citation.raw?.format === "responses") return citation.raw.value as JsonObject;
  if (citation.url === undefined) return undefined;
  return {
    type: "url_citation",
    start_index: citation.start ?? 0,
    end_index: citation.end ?? length,
    url: citation.url,
    title: citation.title ?? citation.url,
  };
}
