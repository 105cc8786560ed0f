/** A client's request for a provider that speaks the same format. */
import type { Relay, RelayedRequest } from "../../../core/format.ts";
import { relayBody } from "../../../translation/relay.ts";
import { savedWriters } from "./parameters.ts";

export function relayRequest(relay: Relay): RelayedRequest {
  return relayBody(relay, savedWriters);
}
