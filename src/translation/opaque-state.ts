/**
 * Opaque state of one provider, that travels through clients of another format. The gateway keeps nothing: the
 * client brings the state back inside a field that its own format hands back unread.
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { asString, isObject, parseJson } from "../lib/json.ts";
import { isFormat, type FormatName } from "../core/format-name.ts";
import type { OpaqueState } from "../core/request.ts";

/** First characters of every state that this gateway wrapped. */
export const stateTag = "gw1.";

/** The state as one text of the characters `[A-Za-z0-9_.-]`. Meant for states with an origin. */
export function wrapState(state: OpaqueState): string {
  const { format, origin, type, data } = state;
  const json = JSON.stringify({
    f: format,
    ...(origin !== undefined && { o: origin }),
    t: type,
    d: data,
  });
  return stateTag + base64url(new TextEncoder().encode(json));
}

/** What `wrapState` wrapped; undefined for any other text, a damaged one included. */
export function unwrapState(text: string): OpaqueState | undefined {
  if (!text.startsWith(stateTag)) return undefined;
  const bytes = fromBase64url(text.slice(stateTag.length));
  const value = bytes && parseJson(new TextDecoder().decode(bytes));
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
