/**
 * Opaque state of one provider, that travels through clients of another format. The gateway keeps nothing: the
 * client brings the state back inside a field that its own format hands back unread.
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { asString, isObject, parseJson, type JsonObject, type JsonValue } from "../lib/json.ts";
import { isFormat, type FormatName } from "../core/format-name.ts";
import type { OpaqueState } from "../core/request.ts";

/** First characters of every state that this gateway wrapped. */
export const stateTag = "gw1.";

/** The same at the head of a text that is written in base64 once more, as far as it does not depend on what follows. */
export const encodedStateTag = "Z3cxL";

/** Whether a request may hold state that this gateway wrapped. */
export function mayHoldState(text: string): boolean {
  return text.includes(stateTag) || text.includes(encodedStateTag);
}

/** The state as one text of the characters `[A-Za-z0-9_.-]`. Meant for states with an origin. */
export function wrapState(state: OpaqueState): string {
  return stateTag + base64url(new TextEncoder().encode(JSON.stringify(packState(state))));
}

/** The state as JSON with short names. */
export function packState({ format, origin, type, data }: OpaqueState): JsonObject {
  return { f: format, ...(origin !== undefined && { o: origin }), t: type, d: data };
}

/** What `wrapState` wrapped; undefined for any other text, a damaged one included. */
export function unwrapState(text: string): OpaqueState | undefined {
  if (!text.startsWith(stateTag)) return undefined;
  const bytes = fromBase64url(text.slice(stateTag.length));
  return bytes && unpackState(parseJson(new TextDecoder().decode(bytes)));
}

/** What `packState` packed. */
export function unpackState(value: JsonValue | undefined): OpaqueState | undefined {
  if (!isObject(value)) return undefined;
  const format = asString(value["f"]) ?? "";
  const [origin, type, data] = [asString(value["o"]), asString(value["t"]), asString(value["d"])];
  if (!isFormat(format) || type === undefined || data === undefined) return undefined;
  return { format, type, data, ...(origin !== undefined && { origin }) };
}

/** Whose state a text holds: its own block's, or that of the call after or before it. */
export type StateOwner = "self" | "next" | "previous";

const ownerSuffixes: Readonly<Record<StateOwner, string>> = {
  self: "",
  next: ".next",
  previous: ".prev",
};

/** The state with a suffix that tells its owner, for formats whose calls have no member for state. */
export function wrapOwnedState(state: OpaqueState, owner: StateOwner): string {
  return wrapState(state) + ownerSuffixes[owner];
}

/** What `wrapOwnedState` wrapped; undefined for any other text, a damaged one included. */
export function unwrapOwnedState(
  text: string,
): { readonly state: OpaqueState; readonly owner: StateOwner } | undefined {
  const owner =
    (["next", "previous"] as const).find((name) => text.endsWith(ownerSuffixes[name])) ?? "self";
  const state = unwrapState(text.slice(0, text.length - ownerSuffixes[owner].length));
  return state && { state, owner };
}

/** Whether this gateway made the text. */
export function isTagged(text: string): boolean {
  return text.startsWith(stateTag);
}

/** Whether this target made the state, so that it alone may read it. */
export function belongsTo(
  state: OpaqueState,
  target: { connection: string; format: FormatName },
): boolean {
  return state.origin === target.connection && state.format === target.format;
}
