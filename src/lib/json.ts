/** JSON values as types, and the few checks every reader needs. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Levels of nesting, at most: far beyond what is real, and within what can be read and written by recursion. */
export const deepestJson = 500;

/** Whether a JSON text is nested deeper than `deepestJson`; in one pass without recursion, most of which is native. */
export function isTooDeep(text: string): boolean {
  // Every level has two characters, and a bracket that opens it.
  if (text.length <= 2 * deepestJson || !opensMoreThan(text, deepestJson)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code === openBrace || code === openBracket) {
      if (++depth > deepestJson) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}

/** Whether more than `most` brackets that open stand in the text, those in strings included. */
function opensMoreThan(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (left-- === 0) return true;
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Escaped quotes stand close together: so many characters behind one are looked at one by one, before the native search. */
const nearby = 64;

/** Index of the quote that ends the string which begins at `from`; the text's end where there is none. */
export function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(text, at)) {
    let next = at + 1;
    const end = Math.min(text.length, next + nearby);
    while (next < end && text.charCodeAt(next) !== quote)
      next += text.charCodeAt(next) === backslash ? 2 : 1;
    if (next < end) return next;
    at = text.indexOf('"', next);
  }
  return at < 0 ? text.length : at;
}

/** Whether the quote in a string has an odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

/** The value parsed, or undefined when the text is not JSON or nested too deep. */
export function parseJson(text: string): JsonValue | undefined {
  return isTooDeep(text) ? undefined : parseShallowJson(text);
}

/** The same for a text whose depth is known to be bounded. */
export function parseShallowJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns exactly the JsonValue union.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a string that is not empty. */
export function asFilledString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A number of things: rounded, never negative, within what integers are exact for. */
export function asCount(value: JsonValue | undefined): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER / 4
    ? Math.round(number)
    : undefined;
}

/** The array itself, or an empty one. */
export function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Whether two values have the same JSON text, members in the same order. */
export function sameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
