/** What the gateway reads off a chat request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon } from "../../../translation/describe.ts";

/** Of output tokens. */
const limitNames = ["max_completion_tokens", "max_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const conversation =
    asString(body["prompt_cache_key"]) ?? asString(asObject(body["metadata"])?.["session_id"]);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: wantsUsage(body),
    stored: false,
    // One search is what such a model makes before it answers.
    ...(asObject(body["web_search_options"]) && { toolUses: { webSearch: 1 } }),
    ...(conversation !== undefined && { conversation }),
  };
}

/** Whether the client asked for the chunk with the usage. */
export function wantsUsage(body: JsonObject): boolean {
  return asObject(body["stream_options"])?.["include_usage"] === true;
}
