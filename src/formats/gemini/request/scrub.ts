/** Takes tagged state of other makers out of a body of this format. */
import { asArray, asObject, isObject, type JsonObject } from "../../../lib/json.ts";
import { isTagged } from "../../../translation/opaque-state.ts";
import { isOwnSignature } from "../shared/part-signature.ts";

/**
 * Removes every thought signature that is this gateway's wrapping of somebody's state: what Gemini itself made
 * never carries the tag. Returns the paths.
 */
export function scrub(body: JsonObject): string[] {
  let found = false;
  for (const content of asArray(body["contents"])) {
    for (const part of asArray(asObject(content)?.["parts"])) {
      if (!isObject(part)) continue;
      for (const name of ["thoughtSignature", "thought_signature"]) {
        const signature = part[name];
        if (typeof signature !== "string") continue;
        if (!isTagged(signature) && !isOwnSignature(signature)) continue;
        delete part[name];
        found = true;
      }
    }
  }
  return found ? ["contents[].parts[].thoughtSignature"] : [];
}
