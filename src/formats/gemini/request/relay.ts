/** A client's body for a provider that speaks Gemini too. */
import type { Relay, RelayedRequest } from "../../../core/format.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { isChatParameter, writeSavedParameters } from "../../../translation/saved-parameters.ts";
import { savedWriters, writeExtraParameters } from "./parameters.ts";
import { camelCase } from "./read-members.ts";

/** The model stands in the path. Without saved parameters the body stays as it is. */
export function relayRequest({ body, target, parameters, asIs }: Relay): RelayedRequest {
  const { model: _, ...copy } = body;
  if (asIs || Object.keys(parameters).length === 0)
    return { body: copy, quiet: [], hidesUsage: false };
  const settable = withPlainSettings(copy);
  const known = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => isChatParameter(name)),
  );
  const quiet = writeSavedParameters(settable, known, { target, writers: savedWriters });
  writeExtraParameters(settable, parameters);
  return { body: settable, quiet: [...new Set(quiet)], hidesUsage: false };
}

/** Members that settings are written into. */
const settable: ReadonlySet<string> = new Set(["generationConfig", "toolConfig", "serviceTier"]);

/** The settings in one spelling: the service refuses a member that stands there in both. */
function withPlainSettings(body: JsonObject): JsonObject {
  const plain: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const camel = camelCase(name);
    if (value === undefined) continue;
    if (!settable.has(camel)) putMember(plain, name, value);
    else putMember(plain, camel, isObject(value) ? plainMembers(value) : value);
  }
  return plain;
}

function plainMembers(settings: JsonObject): JsonObject {
  const plain: JsonObject = {};
  for (const [name, value] of Object.entries(settings))
    if (value !== undefined) putMember(plain, camelCase(name), value);
  return plain;
}
