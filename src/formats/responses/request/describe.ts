/** What the gateway reads off a Responses request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon, positive } from "../../../translation/describe.ts";

export function describe(body: JsonObject): RequestDescription {
  const maxOutput = positive(body["max_output_tokens"]);
  const conversation = conversationOf(body);
  return {
    ...describeCommon(body),
    wantsUsage: true,
    answers: 1,
    stored: body["store"] !== false,
    ...(maxOutput !== undefined && { maxOutput }),
    ...(conversation !== undefined && { conversation }),
  };
}

function conversationOf(body: JsonObject): string | undefined {
  return (
    asString(body["conversation"]) ??
    asString(asObject(body["conversation"])?.["id"]) ??
    asString(body["prompt_cache_key"]) ??
    asString(asObject(body["metadata"])?.["session_id"])
  );
}
