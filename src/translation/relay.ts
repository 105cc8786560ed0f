/** What relays of every format have in common: a client's body with only what has to change. */
import type { Relay, RelayedRequest } from "../core/format.ts";
import { openAiFields } from "../core/parameters.ts";
import type { JsonObject } from "../lib/json.ts";
import { writeSavedParameters, type ParameterWriters } from "./saved-parameters.ts";

/** A copy of the body's top level with the provider's model id and the saved parameters; `writers` are the format's own. */
export function relayBody(
  { body, target, parameters, asIs }: Relay,
  writers: ParameterWriters,
): RelayedRequest {
  const copy: JsonObject = { ...body, model: target.model };
  if (asIs) return { body: copy, quiet: [], hidesUsage: false };
  const quiet = writeSavedParameters(copy, parameters, { target, writers });
  if (!target.traits.openAiFields) dropOpenAiFields(copy, quiet);
  return { body: copy, quiet: quiet.length < 2 ? quiet : [...new Set(quiet)], hidesUsage: false };
}

function dropOpenAiFields(body: JsonObject, quiet: string[]): void {
  for (const field of openAiFields) {
    if (!Object.hasOwn(body, field)) continue;
    delete body[field];
    quiet.push(field);
  }
}
