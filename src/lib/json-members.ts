/** The members of a JSON object as texts: what is handed on need not be parsed and written again. */
import { closingQuote } from "./json.ts";

/**
 * Each member's value as it is written, by its name; of one name the last counts, as in `JSON.parse`. Undefined where
 * the text is no object. What stands inside of values is not checked: whoever parses them finds what is wrong.
 *
 *     jsonMembers('{"a": [1, 2], "b": "x"}')?.get("a"); // "[1, 2]"
 */
export function jsonMembers(text: string): Map<string, string> | undefined {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return undefined;
  at = skipSpace(text, at + 1);
  if (text[at] === "}") return isOver(text, at + 1) ? members : undefined;
  for (;;) {
    const colon = endOfName(text, at);
    const name = colon === undefined ? undefined : nameOf(text.slice(at, colon).trimEnd());
    if (colon === undefined || name === undefined) return undefined;
    const from = skipSpace(text, colon + 1);
    const to = endOfValue(text, from);
    if (to === undefined) return undefined;
    members.set(name, text.slice(from, to));
    at = skipSpace(text, to);
    if (text[at] === "}") return isOver(text, at + 1) ? members : undefined;
    if (text[at] !== ",") return undefined;
    at = skipSpace(text, at + 1);
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isOver(text: string, from: number): boolean {
  return skipSpace(text, from) === text.length;
}

/** Where the colon behind a name stands. */
function endOfName(text: string, from: number): number | undefined {
  if (text[from] !== '"') return undefined;
  const colon = skipSpace(text, closingQuote(text, from) + 1);
  return text[colon] === ":" ? colon : undefined;
}

function nameOf(quoted: string): string | undefined {
  try {
    const name: unknown = JSON.parse(quoted);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Behind the value; undefined where it has no end. */
function endOfValue(text: string, from: number): number | undefined {
  const first = text[from];
  if (first === '"') {
    const quote = closingQuote(text, from);
    return quote < text.length ? quote + 1 : undefined;
  }
  return first === "{" || first === "[" ? endOfNested(text, from) : endOfPlain(text, from);
}

const [quote, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d];

function endOfNested(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Numbers, `true`, `false` and `null`. */
const plainValue = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function endOfPlain(text: string, from: number): number | undefined {
  plainValue.lastIndex = from;
  const found = plainValue.exec(text);
  return found === null ? undefined : from + found[0].length;
}
