/**
 * Parses JSON texts most of which repeat the one before but for a few strings and numbers, as the events of a streamed
 * answer do: what stays the same is compared, which costs a quarter of parsing it again.
 */
import {
  closingQuote,
  isObject,
  parseShallowJson,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "./json.ts";

/** What may change between two texts. */
export interface Repeats {
  /** Names of the members whose strings and whole numbers change. */
  readonly changing: ReadonlySet<string>;
  /** Whether what changes in such a value is read at once: its object is used again for the next text. */
  reusable(value: JsonObject): boolean;
}

/**
 * A function that gives what `parseJson` gives. An object that is `reusable` holds until the next call.
 *
 *     const parse = repeatParser({ changing: new Set(["text"]), reusable: () => true });
 *     parse('{"id":1,"text":"a"}');
 */
export function repeatParser(repeats: Repeats): (text: string) => JsonValue | undefined {
  let pattern: Pattern | undefined;
  /** The text before, unless it fitted: a pattern is made of two that did not. */
  let before = "";
  let credit = firstCredit;
  return (text) => {
    if (pattern !== undefined && fill(pattern, text)) {
      if (credit < firstCredit) credit += earned;
      before = "";
      return pattern.value;
    }
    const value = parseJson(text);
    if (credit < 1 || text.length > longestText) return value;
    if (before !== "" && resemble(before, text)) {
      credit -= 1;
      pattern = patternOf(before, text, repeats) ?? pattern;
    }
    before = text;
    return value;
  };
}

/** Whether a comparison is worth its price: an answer's last events look like no others. */
function resemble(before: string, text: string): boolean {
  return standsAt(text, before.slice(0, 16), 0) && before.slice(-2) === text.slice(-2);
}

/** Attempts to find a pattern, each of which costs a few parses: those at the beginning, and what each match earns. */
const firstCredit = 8;
const earned = 1 / 8;
/** Longest text that a pattern is made of, in characters, and most places in it that change. */
const longestText = 2000;
const mostHoles = 4;

/** The pieces that stay, with the places between them that change. */
interface Pattern {
  readonly value: JsonObject;
  readonly first: string;
  readonly holes: readonly Hole[];
}

interface Hole {
  readonly isText: boolean;
  readonly holder: JsonObject;
  readonly name: string;
  /** What follows it. */
  readonly after: string;
}

/** Whether a text fits the pattern, whose value is then that of the text. */
function fill({ first, holes }: Pattern, text: string): boolean {
  if (!standsAt(text, first, 0)) return false;
  let at = first.length;
  for (const hole of holes) {
    const end = hole.isText ? textEnd(text, at) : numberEnd(text, at);
    if (end < 0 || !standsAt(text, hole.after, end)) return false;
    const value = hole.isText ? textOf(text, at, end) : Number(text.slice(at, end));
    if (value === undefined) return false;
    hole.holder[hole.name] = value;
    at = end + hole.after.length;
  }
  return at === text.length;
}

/** `startsWith` and loops over characters take ten times as long in this engine. */
function standsAt(text: string, piece: string, at: number): boolean {
  return text.slice(at, at + piece.length) === piece;
}

/** What a string of JSON cannot hold as it is. */
// eslint-disable-next-line no-control-regex
const special = /[\\\u0000-\u001f]/;

/** Index of the quote that ends the string whose inside begins at `from`; -1 where none does. */
function textEnd(text: string, from: number): number {
  const end = closingQuote(text, from - 1);
  return end < text.length ? end : -1;
}

function textOf(text: string, from: number, end: number): JsonValue | undefined {
  const inside = text.slice(from, end);
  return special.test(inside) ? parseShallowJson(`"${inside}"`) : inside;
}

/** Digits up to which every whole number is exact. */
const mostDigits = 15;

/** Index behind a whole number as JSON writes it; -1 where there is none. */
function numberEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  const digits = at - from;
  const isPadded = digits > 1 && text.charCodeAt(from) === zero;
  return digits === 0 || digits > mostDigits || isPadded ? -1 : at;
}

const [zero, nine] = [0x30, 0x39];

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** The pattern that two texts share; undefined where more than what may change is different. */
function patternOf(before: string, text: string, repeats: Repeats): Pattern | undefined {
  const [old, tokens] = [tokensOf(before), tokensOf(text)];
  if (old.length !== tokens.length) return undefined;
  const changed = tokens.filter((token, at) => token.text !== old[at]?.text);
  if (changed.length === 0 || changed.length > mostHoles) return undefined;
  return patternAround(changed, text, repeats);
}

/** A string with its quotes, or a number. */
interface Token {
  readonly text: string;
  readonly at: number;
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(token), (match) => ({ text: match[0], at: match.index }));
}

/**
 * The pattern whose holes are these tokens. It is tried with marks in the holes: where each of them is found as a
 * member's value, so is every other string or number in its place.
 */
function patternAround(
  tokens: readonly Token[],
  text: string,
  { changing, reusable }: Repeats,
): Pattern | undefined {
  const marks = tokens.map(({ text: value }, at) =>
    value.startsWith('"') ? mark(at) : number(at),
  );
  const pieces = piecesAround(tokens, text);
  const marked = pieces.reduce((out, piece, at) => out + String(marks[at - 1]) + piece);
  const value = parseJson(marked);
  if (!isObject(value) || !reusable(value)) return undefined;
  const places = placesOf(value, new Set<JsonValue>(marks));
  const holes = marks.flatMap((found, at): Hole[] => {
    const place = places.get(found);
    if (place === undefined || place === "several" || !changing.has(place.name)) return [];
    return [{ ...place, isText: typeof found === "string", after: pieces[at + 1] ?? "" }];
  });
  const [first] = pieces;
  return first === undefined || holes.length < marks.length ? undefined : { value, first, holes };
}

const mark = (at: number): string => `\u{f8ff}${at}\u{f8ff}`;
const number = (at: number): number => 8_000_000_000_000_000 + at;

/** What stands before, between and behind the tokens; the quotes of strings belong to it. */
function piecesAround(tokens: readonly Token[], text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { text: value, at } of tokens) {
    const quotes = value.startsWith('"') ? 1 : 0;
    pieces.push(text.slice(from, at + quotes));
    from = at + value.length - quotes;
  }
  return [...pieces, text.slice(from)];
}

type Place = Pick<Hole, "holder" | "name">;

/** Where each of the marks is a member's value. */
function placesOf(
  value: JsonObject,
  marks: ReadonlySet<JsonValue>,
): Map<JsonValue, Place | "several"> {
  const places = new Map<JsonValue, Place | "several">();
  const open: (JsonValue | undefined)[] = [value];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) open.push(...holder);
    if (!isObject(holder)) continue;
    for (const [name, member] of Object.entries(holder)) {
      if (member !== undefined && marks.has(member))
        places.set(member, places.has(member) ? "several" : { holder, name });
      open.push(member);
    }
  }
  return places;
}
