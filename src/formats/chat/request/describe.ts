/** What the gateway reads off a chat request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon, positive } from "../../../translation/describe.ts";

export function describe(body: JsonObject): RequestDescription {
  const maxOutput =
    positive(body["max_completion_tokens"]) ??
    positive(body["max_output_tokens"]) ??
    positive(body["max_tokens"]);
  const conversation =
    asString(body["prompt_cache_key"]) ?? asString(asObject(body["metadata"])?.["session_id"]);
  return {
    ...describeCommon(body),
    wantsUsage: wantsUsage(body),
    answers: positive(body["n"]) ?? 1,
    stored: false,
    ...(maxOutput !== undefined && { maxOutput }),
    ...(conversation !== undefined && { conversation }),
  };
}

/** Whether the client asked for the chunk with the usage. */
export function wantsUsage(body: JsonObject): boolean {
  return asObject(body["stream_options"])?.["include_usage"] === true;
}
