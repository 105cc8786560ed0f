/** A client's chat request for a provider that speaks chat too. */
import type { Relay, RelayedRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { relayBody } from "../../../translation/relay.ts";
import { wantsUsage } from "./describe.ts";
import { savedWriters } from "./parameters.ts";

export function relayRequest(relay: Relay): RelayedRequest {
  const { target, asIs } = relay;
  if (asIs) return relayBody(relay, savedWriters);
  const renamed = target.traits.renamesMaxTokens ? renameLimit(relay.body, target) : relay.body;
  const relayed = relayBody({ ...relay, body: renamed }, savedWriters);
  const asks = askForUsage(relayed.body, target);
  return { ...relayed, hidesUsage: asks && !wantsUsage(relay.body) };
}

/** The limit of output tokens under the one name that this server takes. */
function renameLimit(body: JsonObject, target: Target): JsonObject {
  const field = target.traits.maxTokensField;
  const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const { [other]: limit, ...rest } = body;
  if (limit === undefined) return body;
  return { ...rest, [field]: rest[field] ?? limit };
}

/** Streams of chat providers report usage only when they are asked to. Whether they will. */
function askForUsage(body: JsonObject, target: Target): boolean {
  if (!target.stream || !target.traits.streamUsage) return false;
  const options = body["stream_options"];
  body["stream_options"] = { ...(isObject(options) ? options : {}), include_usage: true };
  return true;
}
