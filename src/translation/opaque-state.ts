/**
 * Opaque state of one provider, carried through clients of another dialect. The gateway keeps nothing: the
 * client brings the state back inside a field that its own dialect hands back unread.
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { asString, isObject, parseJson } from "../lib/json.ts";
import type { FormatName } from "../core/format-name.ts";
import type { OpaqueState } from "../core/request.ts";

/** First characters of every state that this gateway wrapped. */
export const stateTag = "gw1.";

const formats: Record<FormatName, true> = {
  chat: true,
  responses: true,
  messages: true,
  gemini: true,
};

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
  const format = formatOf(asString(value["f"]));
  const [origin, type, data] = [asString(value["o"]), asString(value["t"]), asString(value["d"])];
  if (!format || type === undefined || data === undefined) return undefined;
  return { format, type, data, ...(origin !== undefined && { origin }) };
}

/** Whether this target made the state, so that it alone may read it. */
export function belongsTo(
  state: OpaqueState,
  target: { connection: string; format: FormatName },
): boolean {
  return state.origin === target.connection && state.format === target.format;
}

function formatOf(text: string | undefined): FormatName | undefined {
  // hasOwn on the record of all names makes the text one of its keys.
  return text !== undefined && Object.hasOwn(formats, text) ? (text as FormatName) : undefined;
}
