/** Takes tagged state of other makers out of a body of this format. */
import { stateTag } from "../../../translation/opaque-state.ts";
import { asArray, asObject, isObject, type JsonObject } from "../../../lib/json.ts";

/**
 * Removes every thought signature that is this gateway's wrapping of somebody's state: what Gemini itself made
 * never carries the tag. Returns the paths.
 */
export function scrub(body: JsonObject): string[] {
  let found = false;
  for (const content of asArray(body["contents"])) {
    for (const part of asArray(asObject(content)?.["parts"])) {
      if (!isObject(part)) continue;
      const signature = part["thoughtSignature"];
      if (typeof signature !== "string" || !signature.startsWith(stateTag)) continue;
      delete part["thoughtSignature"];
      found = true;
    }
  }
  return found ? ["contents[].parts[].thoughtSignature"] : [];
}
