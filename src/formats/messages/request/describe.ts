/** What the gateway reads off a Messages request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon, positive } from "../../../translation/describe.ts";

export function describe(body: JsonObject): RequestDescription {
  const maxOutput = positive(body["max_tokens"]);
  const conversation = asString(asObject(body["metadata"])?.["session_id"]);
  return {
    ...describeCommon(body),
    wantsUsage: true,
    answers: 1,
    stored: false,
    ...(maxOutput !== undefined && { maxOutput }),
    ...(conversation !== undefined && { conversation }),
  };
}
