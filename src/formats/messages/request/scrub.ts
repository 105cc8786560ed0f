/** What a relay of this format must not hand on: state and citations that only this gateway's tag explains. */
import { asArray, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { isForeignCitation } from "../shared/citations.ts";
import { isForeignResult, resultText } from "../shared/search-results.ts";
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
    const searches = foreignSearches(before);
    const after = before.flatMap((part) => scrubPart(part, { origin, searches }, taken));
    if (after.length < before.length || after.some((part, at) => part !== before[at]))
      message["content"] = after;
    return after.length > 0 || before.length === 0;
  });
  if (kept.length < messages.length) body["messages"] = kept;
  return [...taken];
}

/** Ids of the uses whose results the gateway wrote. */
function foreignSearches(content: readonly JsonValue[]): ReadonlySet<JsonValue | undefined> {
  const results = content.filter(isObject).filter(isForeignResult);
  return new Set(results.map((result) => result["tool_use_id"]));
}

interface Scrubbed {
  readonly origin: string;
  readonly searches: ReadonlySet<JsonValue | undefined>;
}

function scrubPart(
  part: JsonValue,
  { origin, searches }: Scrubbed,
  taken: Set<string>,
): JsonValue[] {
  if (!isObject(part)) return [part];
  if (isForeignResult(part)) return [{ type: "text", text: resultText(part) }];
  if (part["type"] === "server_tool_use" && searches.has(part["id"])) return [];
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
