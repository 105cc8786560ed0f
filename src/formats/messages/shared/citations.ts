/** Citations: Anthropic's forms and the neutral one. */
import { asObject, asString, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { stateTag } from "../../../translation/opaque-state.ts";
import type { Citation } from "../../../core/request.ts";

/** In place of a provider's encrypted index; it is tagged, so that it is taken out of later requests. */
const foreignIndex = `${stateTag}citation`;

/** The neutral citation; undefined when the value is no object. */
export function readCitation(value: JsonValue | undefined): Citation | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  const url = asString(raw["url"]) ?? httpUrl(asString(raw["source"]));
  const title = asString(raw["title"]) ?? asString(raw["document_title"]);
  const text = asString(raw["cited_text"]);
  const type =
    url !== undefined ? "url" : raw["document_index"] === undefined ? "other" : "document";
  // Anthropic's positions are those of the cited document, not of the answer: they stay in `raw`.
  return {
    type,
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(!isForeignCitation(raw) && { raw: { format: "messages", value: raw } }),
  };
}

/** The citation in its own form if it is Anthropic's, else as a web search result; undefined without a URL. */
export function writeCitation(citation: Citation): JsonObject | undefined {
  if (citation.raw?.format === "messages") return asObject(citation.raw.value);
  if (citation.url === undefined) return undefined;
  return {
    type: "web_search_result_location",
    url: citation.url,
    title: citation.title ?? null,
    cited_text: citation.text ?? "",
    encrypted_index: foreignIndex,
  };
}

/** Whether the gateway wrote this citation for one of another provider. */
export function isForeignCitation(value: JsonValue | undefined): boolean {
  return asObject(value)?.["encrypted_index"] === foreignIndex;
}

function httpUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//.test(text) ? text : undefined;
}
