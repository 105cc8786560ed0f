/**
 * Integers beyond 2^53 digit by digit. Parsed as numbers they lose their last digits; where the runtime can, they are
 * kept as `JSON.rawJSON` values instead: frozen objects that only `JSON.stringify` understands. To anything else they
 * look like an object, so a tree that holds them is written again as it stands, never checked or rebuilt.
 */
import { closingQuote, type JsonObject, type JsonValue } from "./json.ts";

/** What newer engines have; the types know nothing of it yet. */
interface RawJson {
  rawJSON?(text: string): JsonValue;
  isRawJSON?(value: unknown): boolean;
}

// The declared JSON has no member that contradicts these.
const { rawJSON, isRawJSON } = JSON as RawJson;

/** A text of more long integers than can be kept exact: each costs as much as a hundred others. */
export class TooManyIntegers extends RangeError {}

/** Long integers that are kept exact in one text. */
export const mostIntegers = 50_000;

/**
 * The value that `text` was parsed to: itself, or once more with its long integers exact if it has any. Throws
 * TooManyIntegers for more than `mostIntegers`.
 */
export function exactly<T extends JsonValue>(value: T, text: string): T {
  // The same text has the same shape.
  return rawJSON && losesDigits(value) ? (parseExact(text, rawJSON) as T) : value;
}

/** A deep copy of what `exactly` gave: `structuredClone` refuses exact numbers. */
export function copyExact<T extends JsonValue>(value: T): T {
  const text = JSON.stringify(value);
  // Written and read again it is what it was.
  return exactly(JSON.parse(text) as T, text);
}

/** A number that is kept by its digits. */
export function isExact(value: unknown): boolean {
  return isRawJSON?.(value) === true;
}

/** Whether an integer beyond those that are told apart stands in a value, at any depth that real bodies have. */
export function losesDigits(value: JsonValue | undefined): boolean {
  return isBeyond(value, 500);
}

/** Every request passes here: strings, which are most of it, cost no call. */
function isBeyond(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value === "number")
    return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
  if (typeof value !== "object" || value === null || levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item !== "string" && isBeyond(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "string" && isBeyond(member, levels - 1)) return true;
  }
  return false;
}

/** A reviver that sees the sources would do the same, at fifteen times the price of a parse. */
function parseExact(text: string, raw: (text: string) => JsonValue): JsonValue {
  const mark = `${crypto.randomUUID()} `;
  const marked = withMarks(text, mark);
  // Each became a string with the mark in it.
  if (marked.length - text.length > mostIntegers * (mark.length + 2)) throw new TooManyIntegers();
  const root = [JSON.parse(marked) as JsonValue];
  const open: (JsonValue[] | JsonObject)[] = [root];
  const read = (value: JsonValue): JsonValue => {
    if (typeof value === "object" && value !== null) open.push(value);
    if (typeof value !== "string" || !value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return String(Number(digits)) === digits ? Number(digits) : raw(digits);
  };
  // Without recursion: calls of functions cost more.
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) rewrite(holder, read);
  return root[0] ?? null;
}

function rewrite(holder: JsonValue[] | JsonObject, read: (value: JsonValue) => JsonValue): void {
  if (Array.isArray(holder)) {
    for (let at = 0; at < holder.length; at++) holder[at] = read(holder[at] ?? null);
    return;
  }
  // Own members only, so that even `__proto__` is set as one.
  for (const name in holder) holder[name] = read(holder[name] ?? null);
}

/** Not a part of a fraction or an exponent. */
const longInteger = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const shortest = 16;

/** A JSON text with its long integers as strings behind the mark. */
function withMarks(text: string, mark: string): string {
  const pieces: string[] = [];
  let written = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    if (end - at >= shortest) {
      pieces.push(
        text.slice(written, at),
        text.slice(at, end).replaceAll(longInteger, `"${mark}$&"`),
      );
      written = end;
    }
    at = quote < 0 ? end : closingQuote(text, quote) + 1;
  }
  pieces.push(text.slice(written));
  return pieces.join("");
}
