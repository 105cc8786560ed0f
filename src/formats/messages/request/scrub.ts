/** What a relay of this format must not hand on: state and citations that only this gateway's tag explains. */
import { asArray, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { isForeignCitation } from "../shared/citations.ts";
import { isTagged, unwrapOwnedState } from "../../../translation/opaque-state.ts";

/**
 * Takes them out of the request in place; state that this very connection made gets its own form again. Returns
 * the paths of what was taken out.
 */
export function scrub(body: JsonObject, origin: string): string[] {
  const taken = new Set<string>();
  const messages = asArray(body["messages"]);
  const kept = messages.filter((message) => {
    if (!isObject(message) || !Array.isArray(message["content"])) return true;
    const before = message["content"];
    const after = before.flatMap((part) => scrubPart(part, origin, taken));
    if (after.length < before.length || after.some((part, at) => part !== before[at]))
      message["content"] = after;
    return after.length > 0 || before.length === 0;
  });
  if (kept.length < messages.length) body["messages"] = kept;
  return [...taken];
}

function scrubPart(part: JsonValue, origin: string, taken: Set<string>): JsonValue[] {
  if (!isObject(part)) return [part];
  const signature = part["type"] === "redacted_thinking" ? part["data"] : part["signature"];
  if (typeof signature === "string" && isTagged(signature)) {
    const own = ownForm(part, signature, origin);
    if (own) return [own];
    taken.add("messages[].content[]");
    return [];
  }
  scrubCitations(part, taken);
  return [part];
}

function ownForm(part: JsonObject, signature: string, origin: string): JsonObject | undefined {
  const state = unwrapOwnedState(signature)?.state;
  if (state?.format !== "messages" || state.origin !== origin) return undefined;
  return state.type === "redacted"
    ? { type: "redacted_thinking", data: state.data }
    : { type: "thinking", thinking: part["thinking"] ?? "", signature: state.data };
}

function scrubCitations(part: JsonObject, taken: Set<string>): void {
  const { citations } = part;
  if (!Array.isArray(citations) || !citations.some(isForeignCitation)) return;
  const kept = citations.filter((citation) => !isForeignCitation(citation));
  if (kept.length > 0) part["citations"] = kept;
  else delete part["citations"];
  taken.add("messages[].content[].citations");
}
