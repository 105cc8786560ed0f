/**
 * Other makers' opaque state in a Gemini client's `thoughtSignature`. Clients drop thought parts from the history and
 * keep the signatures of calls and texts, so one signature carries all states that came since the one before it.
 * Typed clients decode the member from base64 and encode it again, in either alphabet: the text is base64 itself.
 */
import { base64, fromBase64 } from "../../../lib/ids.ts";
import { asArray, asObject, parseJson, type JsonValue } from "../../../lib/json.ts";
import type { OpaqueState } from "../../../core/request.ts";
import {
  encodedStateTag,
  isTagged,
  packState,
  stateTag,
  unpackState,
} from "../../../translation/opaque-state.ts";

/** A state, and whether it is that of the part which carries it or of thinking before that part. */
export interface CarriedState {
  readonly state: OpaqueState;
  readonly owner: "part" | "thinking";
}

/** One signature for all of them, in their order. */
export function writeSignature(states: readonly CarriedState[]): string {
  const packed = states.map(({ state, owner }) => ({ ...packState(state), w: owner }));
  return base64(new TextEncoder().encode(stateTag + JSON.stringify(packed)));
}

/**
 * The states that a signature carries; none where it is damaged. Undefined for a signature that this gateway did not
 * write.
 */
export function readSignature(signature: string): CarriedState[] | undefined {
  if (!isCarried(signature)) return undefined;
  const bytes = fromBase64(signature);
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  return asArray(parseJson(text.slice(stateTag.length))).flatMap((entry) => {
    const state = unpackState(entry);
    const owner = asObject(entry)?.["w"] === "part" ? "part" : "thinking";
    return state ? [{ state, owner }] : [];
  });
}

/** Whether a value is a signature that this gateway wrote, damaged or not. */
export function isCarried(value: JsonValue | undefined): boolean {
  return typeof value === "string" && (isTagged(value) || value.startsWith(encodedStateTag));
}
