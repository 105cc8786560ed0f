/** Takes this gateway's tagged state out of a relayed request. */
import { belongsTo, isTagged, unwrapOwnedState } from "../../../translation/opaque-state.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";

/**
 * In place. A reasoning item whose state another provider made goes as a whole: without its state the provider
 * would look its id up, and the text is not the model's own. State that this very connection made is unwrapped.
 */
export function scrub(body: JsonObject, origin: string): string[] {
  const input = body["input"];
  if (!Array.isArray(input)) return [];
  const out = new Set<string>();
  const kept = input.filter((item) => {
    if (!isObject(item)) return true;
    const data = item["encrypted_content"];
    if (typeof data !== "string" || !isTagged(data)) return true;
    const own = unwrapOwnedState(data);
    if (
      own?.owner === "self" &&
      belongsTo(own.state, { connection: origin, format: "responses" })
    ) {
      item["encrypted_content"] = own.state.data;
      return true;
    }
    out.add(item["type"] === "reasoning" ? "input[]" : "input[].encrypted_content");
    if (item["type"] === "reasoning") return false;
    delete item["encrypted_content"];
    return true;
  });
  if (out.size > 0) body["input"] = kept;
  return [...out];
}
