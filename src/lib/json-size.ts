/** How large the value of a JSON text will be: `{},` is three bytes, and the object that it is parsed to takes many more. */
import { closingQuote } from "./json.ts";

/** What a JSON text may hold at most. */
export interface JsonBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Objects, arrays, members and items. */
  readonly values: number;
  /** Objects and members, which cost many times as much as items that are numbers or texts. */
  readonly names: number;
  /** Members of one object. */
  readonly members: number;
}

/** What a JSON text holds; where it is too much, what it holds up to there. */
export interface JsonSize {
  readonly values: number;
  /** The bound that it passes, and in which member of the outermost object; undefined outside of any. */
  readonly over?: { readonly bound: keyof JsonBounds; readonly member: string | undefined };
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Items of an array are counted from here: they never become too many members. */
const noMember = -(2 ** 31);

/**
 * Measures a JSON text without parsing it, in one pass without recursion: its objects and arrays, and what follows a
 * comma, but nothing that stands in strings. Stops at the first bound that it passes.
 */
export function jsonSize(text: string, most: JsonBounds): JsonSize {
  /** Members so far of each object that is open. */
  const members = new Int32Array(most.depth + 2);
  let [level, values, names] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let bound: keyof JsonBounds | undefined;
    if (code === quote) at = closingQuote(text, at);
    else if (code === comma) {
      const count = (members[level] ?? 0) + 1;
      members[level] = count;
      if (count > 0 && ++names > most.names) bound = "names";
      if (count > most.members) bound = "members";
      if (++values > most.values) bound = "values";
    } else if (code === openBrace || code === openBracket) {
      // The first member has no comma before it.
      members[++level] = code === openBrace ? 1 : noMember;
      if (code === openBrace && (names += 2) > most.names) bound = "names";
      if (level > most.depth) bound = "depth";
      if (++values > most.values) bound = "values";
    } else if ((code === closeBrace || code === closeBracket) && level > 0) level--;
    if (bound !== undefined) return { values, over: { bound, member: memberAt(text, at) } };
  }
  return { values };
}

/** Name of the outermost object's member in which a place lies; undefined where it lies in none. */
function memberAt(text: string, place: number): string | undefined {
  let level = 0;
  let name: string | undefined;
  let last = "";
  for (let at = 0; at < place; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = closingQuote(text, at);
      if (level === 1) last = text.slice(at, Math.min(end, at + longestName) + 1);
      at = end;
    } else if (code === colon && level === 1) name = last;
    else if (code === openBrace || code === openBracket) level++;
    else if (code === closeBrace || code === closeBracket) level--;
  }
  return name === undefined ? undefined : name.replaceAll('"', "");
}

/** Characters of a name that are told. */
const longestName = 100;
