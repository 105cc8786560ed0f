/** A client's request for a provider that speaks the same format. */
import type { Relay, RelayedRequest } from "../../../core/format.ts";
import { relayBody } from "../../../translation/relay.ts";
import { savedWriters } from "./parameters.ts";
import { takeSafeguards } from "./safeguards.ts";

export function relayRequest(relay: Relay): RelayedRequest {
  const relayed = relayBody(relay, savedWriters);
  if (!relay.target.traits.makersOwn) takeSafeguards(relayed.body);
  return relayed;
}
