/** Searches of the web that this format's clients see, where another provider or the gateway ran them. */
import type { WebSearchFault, WebSearchRun, WebSource } from "../../../core/web-search.ts";
import { base64url, fromBase64url } from "../../../lib/ids.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { stateTag } from "../../../translation/opaque-state.ts";

/** In front of what a source said, in place of a provider's encrypted text: tagged, so that relays take it out. */
const foreignContent = `${stateTag}search.`;

/** Characters of a source that the client carries. */
const longestSource = 4_000;

const errorCodes: Readonly<Record<WebSearchFault, string>> = {
  unavailable: "unavailable",
  failed: "unavailable",
  spent: "max_uses_exceeded",
};

/** The use of the tool and its result, as two blocks of the answer. `id`: of the use. */
export function writeSearch(search: WebSearchRun, id: string): [JsonObject, JsonObject] {
  const { query = "", sources, fault } = search;
  const use = { type: "server_tool_use", id, name: "web_search", input: { query } };
  const content: JsonObject[] | JsonObject =
    fault === undefined
      ? sources.map(writeSource)
      : { type: "web_search_tool_result_error", error_code: errorCodes[fault] };
  return [use, { type: "web_search_tool_result", tool_use_id: id, content }];
}

function writeSource({ url, title, text = "" }: WebSource): JsonObject {
  const kept = new TextEncoder().encode(text.slice(0, longestSource).toWellFormed());
  return {
    type: "web_search_result",
    url,
    title: title ?? url,
    encrypted_content: foreignContent + base64url(kept),
    page_age: null,
  };
}

/** What a result of the format says: Anthropic's own, and those that `writeSearch` wrote. */
export function readSources(content: JsonObject[string]): WebSource[] {
  return asArray(content).flatMap((result) => {
    const url = isObject(result) ? asString(result["url"]) : undefined;
    if (!isObject(result) || url === undefined) return [];
    const title = asString(result["title"]);
    const text = ownText(asString(result["encrypted_content"]) ?? "");
    return [{ url, ...(title !== undefined && { title }), ...(text !== "" && { text }) }];
  });
}

/** Whether the gateway wrote this block of results. */
export function isForeignResult(part: JsonObject): boolean {
  return (
    part["type"] === "web_search_tool_result" &&
    asArray(part["content"]).some(
      (result) =>
        isObject(result) &&
        asString(result["encrypted_content"])?.startsWith(foreignContent) === true,
    )
  );
}

/** Such a block in words, for whoever cannot be sent it. */
export function resultText(part: JsonObject): string {
  const lines = readSources(part["content"]).map(({ url, title, text }) =>
    [`- ${title ?? url}: ${url}`, ...(text === undefined ? [] : [text])].join("\n"),
  );
  return `Web search results:\n${lines.join("\n")}`;
}

function ownText(content: string): string {
  if (!content.startsWith(foreignContent)) return "";
  const bytes = fromBase64url(content.slice(foreignContent.length));
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}
