/** A client's body for a provider that speaks Gemini too. */
import type { Relay, RelayedRequest } from "../../../core/format.ts";
import { relayBody } from "../../../translation/relay.ts";
import { writeExtraParameters } from "./parameters.ts";

/** The model stands in the path. */
export function relayRequest(relay: Relay): RelayedRequest {
  const relayed = relayBody({ ...relay, parameters: {} }, {});
  const { model: _, ...body } = relayed.body;
  writeExtraParameters(body, relay.asIs ? {} : relay.parameters);
  return { ...relayed, body };
}
