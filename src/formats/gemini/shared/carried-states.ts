/**
 * Other makers' opaque state in a Gemini client's `thoughtSignature`. Clients drop thought parts from the history and
 * keep the signatures of calls and texts, so one signature carries all states that came since the one before it.
 * Typed clients decode the member from base64 and encode it again, in either alphabet: the text is base64 itself.
 */
import { fromBase64url } from "../../../lib/ids.ts";
import { asArray, asObject, asString, parseJson } from "../../../lib/json.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { isTagged, stateTag, unwrapState, wrapState } from "../../../translation/opaque-state.ts";

/** A state, and whether it is that of the part which carries it or of thinking before that part. */
export interface CarriedState {
  readonly state: OpaqueState;
  readonly owner: "part" | "thinking";
}

/** What every such signature begins with: the tag in base64. */
export const carriedTag = btoa(stateTag.slice(0, 3));

/** One signature for all of them, in their order. */
export function writeSignature(states: readonly CarriedState[]): string {
  const entries = states.map(({ state, owner }) => ({ s: wrapState(state), o: owner[0] ?? "" }));
  return btoa(stateTag + JSON.stringify(entries));
}

/**
 * The states that a signature carries; none where it is damaged. Undefined for a signature that this gateway did not
 * write.
 */
export function readSignature(signature: string): CarriedState[] | undefined {
  if (isTagged(signature)) return [];
  if (!signature.startsWith(carriedTag)) return undefined;
  const bytes = fromBase64url(urlAlphabet(signature));
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  if (!isTagged(text)) return undefined;
  return asArray(parseJson(text.slice(stateTag.length))).flatMap((entry) => {
    const { s, o } = asObject(entry) ?? {};
    const state = unwrapState(asString(s) ?? "");
    return state ? [{ state, owner: o === "p" ? "part" : "thinking" } as const] : [];
  });
}

function urlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
