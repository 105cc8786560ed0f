/** Saved parameters in a Gemini body, and a client's body for a provider that speaks Gemini too. */
import type { Relay, RelayedRequest, SavedParameters } from "../../../core/format.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { relayBody } from "../../../translation/relay.ts";
import { extraParameters, putInside } from "../../../translation/saved-parameters.ts";

/** The model stands in the path. */
export function relayRequest(relay: Relay): RelayedRequest {
  const relayed = relayBody({ ...relay, parameters: {} }, () => undefined);
  const { model: _, ...body } = relayed.body;
  writeExtraParameters(body, relay.asIs ? {} : relay.parameters);
  return { ...relayed, body };
}

/** Into `generationConfig`, as they stand. */
export function writeExtraParameters(body: JsonObject, parameters: SavedParameters): void {
  for (const [name, value] of extraParameters(parameters)) {
    putInside(body, ["generationConfig", name], value);
    // Gemini takes either spelling of a name, but not both at once.
    const twin = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const config = body["generationConfig"];
    if (twin !== name && isObject(config)) delete config[twin];
  }
}
