/** Finds members of a JSON object in its text, so that one of them can be read or replaced without parsing the rest. */
import { closingQuote } from "./json.ts";

/** Where the value of a member stands. */
export interface MemberSpan {
  readonly start: number;
  readonly end: number;
}

/** Members of a name at the top of an object: the last one counts, as everywhere in JSON. */
export interface FoundMember extends MemberSpan {
  /** How often the name stands there. */
  readonly times: number;
}

/**
 * The members of these names at the top of the object that the text is; undefined where it is no object that closes.
 * Each character is looked at once, long strings natively; values are not checked.
 *
 *     topMembers('{"a": [1, 2], "model": "m"}', ["model"])?.get("model"); // { start: 23, end: 26, times: 1 }
 */
export function topMembers(
  text: string,
  names: readonly string[],
): ReadonlyMap<string, FoundMember> | undefined {
  const found = new Map<string, FoundMember>();
  let at = afterSpace(text, 0);
  if (text[at] !== "{") return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] === '"') {
    const key = closingQuote(text, at);
    const colon = afterSpace(text, key + 1);
    if (text[colon] !== ":") return undefined;
    const start = afterSpace(text, colon + 1);
    const end = valueEnd(text, start);
    const name = nameIn(text.slice(at, key + 1));
    if (names.includes(name))
      found.set(name, { start, end, times: (found.get(name)?.times ?? 0) + 1 });
    at = afterSpace(text, end);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
  return text[at] === "}" && afterSpace(text, at + 1) === text.length ? found : undefined;
}

/** The text with the value at the span replaced. */
export function withValue(text: string, { start, end }: MemberSpan, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

const [space, quote, comma] = [0x20, 0x22, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= space) at++;
  return at;
}

/** Most names have no escapes. */
function nameIn(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Index behind the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(text, at);
      if (depth === 0) return at + 1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === comma || code <= space)) return at;
  }
  return text.length;
}
