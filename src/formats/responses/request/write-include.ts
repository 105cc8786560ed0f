/** What an answer of Responses holds only where the request names it: `include`. */
import type { JsonObject } from "../../../lib/json.ts";
import { isSearch } from "../../../translation/web-search.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

/** Reasoning comes back encrypted, since nothing is stored at the provider; other formats tell what a search found. */
export function writeInclude({ request, target: { traits } }: WriteContext): JsonObject {
  const searches =
    request.format !== "responses" && traits.webSearch && request.tools.some(isSearch);
  const include = [
    ...(traits.reasoning === "none" ? [] : ["reasoning.encrypted_content"]),
    ...(searches ? ["web_search_call.action.sources"] : []),
  ];
  return include.length === 0 ? {} : { include };
}
