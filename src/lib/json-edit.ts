/**
 * Changes few members of a large JSON object in its text: writing the whole value anew costs many times as much, and
 * everything else stays as it was written.
 */
import { closingQuote, sameJson, type JsonObject, type JsonValue } from "./json.ts";

/**
 * The text of `wanted`, which differs from `value`, the object that `text` was parsed to, in members of its own: scalars
 * replaced or taken out, others added. Undefined where that is not certain or would not pay: where two members of an object
 * have one name (readers disagree which counts), a name is written with escapes, or a large part of the text is colons.
 *
 *     editedJson('{"model": "a", "n": 1.0}', { model: "a", n: 1 }, { model: "b", n: 1 }); // '{"model": "b", "n": 1.0}'
 */
export function editedJson(
  text: string,
  value: JsonObject,
  wanted: JsonObject,
): string | undefined {
  return editedPieces(text, value, wanted)?.join("");
}

/** The same in pieces, most of them parts of `text` that are not copied. */
export function editedPieces(
  text: string,
  value: JsonObject,
  wanted: JsonObject,
): readonly string[] | undefined {
  const changed = changedNames(value, wanted);
  // Commas stand between members: one of them has to stay.
  if (changed?.length === Object.keys(value).length && !keepsOne(changed, wanted)) return undefined;
  const inValue = changed && namesInValue(value, changed);
  const inText = inValue && namesInText(text, inValue.before);
  if (inText === undefined || inText.all !== inValue?.all) return undefined;
  const edits: Edit[] = [];
  for (const [name, before] of inValue.before) {
    const begin = inText.begins.get(name)?.[before];
    if (begin === undefined) return undefined;
    edits.push(editOf(text, begin + name.length + 2, { begin, value: wanted[name] }));
  }
  return written(text, edits, addedMembers(value, wanted));
}

/** Members of the value that are others in `wanted`, or are not there; undefined where one is more than a scalar. */
function changedNames(value: JsonObject, wanted: JsonObject): string[] | undefined {
  const changed: string[] = [];
  for (const name in value) {
    const before = value[name];
    const after = memberOf(wanted, name);
    if (before === after) continue;
    if (typeof before !== "object" || before === null) changed.push(name);
    else if (after === undefined || !sameJson(before, after)) return undefined;
  }
  return changed;
}

function keepsOne(changed: readonly string[], wanted: JsonObject): boolean {
  return changed.some((name) => memberOf(wanted, name) !== undefined);
}

function memberOf(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** `"name":value` of what `value` does not have, behind a comma each. */
function addedMembers(value: JsonObject, wanted: JsonObject): string {
  let added = "";
  for (const name in wanted)
    if (wanted[name] !== undefined && !Object.hasOwn(value, name))
      added += `,${JSON.stringify(name)}:${JSON.stringify(wanted[name])}`;
  return added;
}

interface NamesInValue {
  /** Names of all members, in all objects. */
  readonly all: number;
  /** Members of the watched names: how many others of that name stand before the object's own. */
  readonly before: ReadonlyMap<string, number>;
}

/** Undefined where the members need not stand in the order of the text, or lie deeper than in real bodies. */
function namesInValue(value: JsonObject, watched: readonly string[]): NamesInValue | undefined {
  const seen = new Map(watched.map((name) => [name, 0]));
  const before = new Map<string, number>();
  let all = 0;
  for (const name in value) {
    // Names that are numbers come first, wherever they stand.
    if (startsWithDigit.test(name)) return undefined;
    const earlier = seen.get(name);
    if (earlier !== undefined) before.set(name, earlier);
    all += 1 + namesInside(value[name], seen, deepest);
  }
  return Number.isNaN(all) ? undefined : { all, before };
}

const startsWithDigit = /^\d/;
const deepest = 500;

/** How many names stand in the value, those that are watched counted besides; NaN where it is too deep. */
function namesInside(
  value: JsonValue | undefined,
  seen: Map<string, number>,
  levels: number,
): number {
  if (typeof value !== "object" || value === null) return 0;
  if (levels === 0) return Number.NaN;
  let all = 0;
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === "object") all += namesInside(item, seen, levels - 1);
    return all;
  }
  for (const name in value) {
    const times = seen.get(name);
    if (times !== undefined) seen.set(name, times + 1);
    all += 1;
    const member = value[name];
    if (typeof member === "object") all += namesInside(member, seen, levels - 1);
  }
  return all;
}

interface NamesInText {
  readonly all: number;
  /** Where members of the watched names begin, in all objects, in the order of the text. */
  readonly begins: ReadonlyMap<string, readonly number[]>;
}

const [quote, backslash, space, comma, closeBrace] = [0x22, 0x5c, 0x20, 0x2c, 0x7d];
/** Characters for each colon: where there are fewer, writing the value anew is as cheap. */
const between = 24;

/** Goes from colon to colon, natively past most of the text. Undefined for too many of them, and a name with escapes. */
function namesInText(text: string, watched: ReadonlyMap<string, unknown>): NamesInText | undefined {
  const begins = new Map<string, number[]>();
  for (const name of watched.keys()) begins.set(name, []);
  let all = 0;
  let left = text.length / between;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    if (left-- <= 0) return undefined;
    const before = text.charCodeAt(colon - 1);
    // Most colons stand within words.
    if (before !== quote && before > space) continue;
    const end = stringEndBefore(text, colon);
    if (end === undefined) continue;
    all += 1;
    const begin = plainBeginning(text, end);
    if (begin === undefined) return undefined;
    const length = end - begin - 1;
    for (const [name, places] of begins)
      if (name.length === length && text.startsWith(name, begin + 1)) places.push(begin);
  }
  return { all, begins };
}

/**
 * Where a string ends before the colon; undefined inside of a string. One that begins with a colon passes for a name: then
 * the text has more names than the value.
 */
function stringEndBefore(text: string, colon: number): number | undefined {
  let at = colon - 1;
  while (text.charCodeAt(at) <= space) at--;
  if (text.charCodeAt(at) !== quote) return undefined;
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 0 ? at : undefined;
}

/** Where the string begins that ends at `end`; undefined where a backslash stands in it. */
function plainBeginning(text: string, end: number): number | undefined {
  let at = end - 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(--at))
    if (code === backslash || at < 0) return undefined;
  return text.charCodeAt(at - 1) === backslash ? undefined : at;
}

/** From `start` to before `end` stands what is replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The member's new value; undefined takes it out. `behindName`: where its name is over. */
function editOf(
  text: string,
  behindName: number,
  { begin, value }: { readonly begin: number; readonly value: JsonValue | undefined },
): Edit {
  const start = afterSpace(text, text.indexOf(":", behindName) + 1);
  const end = scalarEnd(text, start);
  if (value !== undefined) return { start, end, replacement: JSON.stringify(value) };
  const next = afterSpace(text, end);
  if (text.charCodeAt(next) === comma) return { start: begin, end: next + 1, replacement: "" };
  return { start: text.lastIndexOf(",", begin), end, replacement: "" };
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

function scalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === quote) return closingQuote(text, start) + 1;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    // Nothing but a closing bracket of its own object can follow.
    if (code === comma || code === closeBrace || code <= space) return at;
  }
}

/** Undefined where two edits meet. */
function written(text: string, edits: Edit[], added: string): string[] | undefined {
  edits.sort((one, other) => one.start - other.start);
  const last = text.lastIndexOf("}");
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of edits) {
    if (start < from) return undefined;
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  return [...pieces, text.slice(from, last), added, text.slice(last)];
}
