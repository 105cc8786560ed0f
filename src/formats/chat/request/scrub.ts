/** Takes the gateway's own tagged state out of a chat request that is about to be relayed. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { belongsTo, stateTag, unwrapState } from "../../../translation/opaque-state.ts";

/**
 * Changes the body in place and names what it took out. State that this very provider made through another client is
 * put back in its own form instead.
 */
export function scrub(body: JsonObject, origin: string): string[] {
  const taken = new Set<string>();
  for (const message of asArray(body["messages"])) {
    if (!isObject(message)) continue;
    if (Array.isArray(message["reasoning_details"])) scrubDetails(message, origin, taken);
    for (const call of asArray(message["tool_calls"]))
      if (isObject(call)) scrubCall(call, origin, taken);
  }
  return [...taken];
}

function scrubDetails(message: JsonObject, origin: string, taken: Set<string>): void {
  const entries = asArray(message["reasoning_details"]);
  if (!entries.some((entry) => tagOf(entry) !== undefined)) return;
  const kept = entries.flatMap((entry) => {
    const tag = tagOf(entry);
    if (tag === undefined) return [entry];
    const own = ownState(tag, origin);
    if (own === undefined) taken.add("messages[].reasoning_details");
    return asArray(own);
  });
  if (kept.length > 0) message["reasoning_details"] = kept;
  else delete message["reasoning_details"];
}

function scrubCall(call: JsonObject, origin: string, taken: Set<string>): void {
  const signature = asString(
    asObject(asObject(call["extra_content"])?.["google"])?.["thought_signature"],
  );
  if (signature === undefined || !signature.startsWith(stateTag)) return;
  const own = asObject(ownState(signature, origin));
  if (own) {
    call["extra_content"] = own;
    return;
  }
  delete call["extra_content"];
  taken.add("messages[].tool_calls[].extra_content");
}

function tagOf(entry: JsonValue): string | undefined {
  const detail = asObject(entry);
  const text = asString(detail?.["signature"]) ?? asString(detail?.["data"]);
  return text?.startsWith(stateTag) === true ? text : undefined;
}

/** The provider's own value, if it made the state. */
function ownState(text: string, origin: string): JsonValue | undefined {
  const state = unwrapState(text);
  if (!state || !belongsTo(state, { connection: origin, format: "chat" })) return undefined;
  return parseJson(state.data);
}
