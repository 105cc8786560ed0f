/**
 * Reads a user's pattern: the part of regular expressions that can be searched for in one pass. Literals, `.`, classes,
 * `\d \w \s` and their opposites, `? * + {m,n}`, groups, `|`, and `^ $` at the ends of an alternative.
 */
import { charSet, otherRanges, type CharSet, type CodeRange } from "./char-set.ts";

/** What a pattern says. */
export type PatternNode =
  | { readonly kind: "char"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  /** `most` undefined: as often as it comes. */
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly least: number;
      readonly most: number | undefined;
    };

/** One alternative of a pattern. */
export interface PatternOption {
  readonly node: PatternNode;
  readonly atLineStart: boolean;
  readonly atLineEnd: boolean;
}

/** Why a pattern is refused, in plain words. */
export class PatternFault extends Error {}

const mostRepeats = 500;

const digits: readonly CodeRange[] = [[0x30, 0x39]];
const wordChars: readonly CodeRange[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const spaces: readonly CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x2028, 0x2029],
  [0xfeff, 0xfeff],
];
const lineEnds: readonly CodeRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
];
const classes: Readonly<Record<string, readonly CodeRange[]>> = {
  d: digits,
  D: otherRanges(digits),
  w: wordChars,
  W: otherRanges(wordChars),
  s: spaces,
  S: otherRanges(spaces),
};
const controls: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09 };

/** The alternatives of a pattern. Throws PatternFault. */
export function readPattern(text: string): readonly PatternOption[] {
  return new PatternReader(text).read();
}

class PatternReader {
  readonly #text: string;
  #at = 0;
  /** Groups that are open. */
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly PatternOption[] {
    const options = [this.#option()];
    while (this.#takes("|")) options.push(this.#option());
    if (this.#at < this.#text.length) throw this.#misplaced();
    return options;
  }

  #option(): PatternOption {
    const atLineStart = this.#takes("^");
    const node = this.#sequence();
    return { node, atLineStart, atLineEnd: this.#takes("$") };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.#isAtEnd()) parts.push(this.#repeated());
    if (parts.length === 0) throw this.#fault("nothing to match");
    return { kind: "sequence", parts };
  }

  /** Of a sequence: `$` ends an alternative, and is a fault anywhere else. */
  #isAtEnd(): boolean {
    const char = this.#peek();
    if (char !== "$") return char === "" || char === "|" || char === ")";
    const after = this.#text.charAt(this.#at + 1);
    if (this.#depth === 0 && (after === "" || after === "|")) return true;
    throw this.#misplaced();
  }

  #repeated(): PatternNode {
    const node = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return node;
    if ("?*+{".includes(this.#peek()) && this.#peek() !== "") throw this.#misplaced();
    return { kind: "repeat", node, ...counts };
  }

  #counts(): { least: number; most: number | undefined } | undefined {
    if (this.#takes("?")) return { least: 0, most: 1 };
    if (this.#takes("*")) return { least: 0, most: undefined };
    if (this.#takes("+")) return { least: 1, most: undefined };
    return this.#peek() === "{" ? this.#braces() : undefined;
  }

  #braces(): { least: number; most: number | undefined } {
    const found = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(this.#text.slice(this.#at));
    if (found === null) throw this.#fault("expected {3}, {3,} or {3,5}");
    const [all, low = "", comma, high = ""] = found;
    const least = Number(low);
    const most = comma === undefined ? least : high === "" ? undefined : Number(high);
    const highest = most ?? Math.max(least, 1);
    if (highest > mostRepeats || highest < Math.max(least, 1))
      throw this.#fault(`repeats must go from low to high, at most ${mostRepeats}`);
    this.#at += all.length;
    return { least, most };
  }

  #atom(): PatternNode {
    const char = this.#peek();
    switch (char) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "char", set: charSet(this.#class()) };
      case ".":
        this.#at += 1;
        return { kind: "char", set: charSet(otherRanges(lineEnds)) };
      case "\\":
        return { kind: "char", set: charSet(this.#escape()) };
      case "?":
      case "*":
      case "+":
      case "{":
      case "^":
        throw this.#misplaced();
      default:
        return this.#literal();
    }
  }

  /** A character beyond the basic plane is two codes. */
  #literal(): PatternNode {
    const text = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    this.#at += text.length;
    const parts = Array.from({ length: text.length }, (_, at): PatternNode => {
      const code = text.charCodeAt(at);
      return { kind: "char", set: charSet([[code, code]]) };
    });
    return { kind: "sequence", parts };
  }

  #group(): PatternNode {
    const open = this.#at;
    this.#at += 1;
    if (this.#peek() === "?" && !this.#takes("?:"))
      throw this.#fault("only ( and (?: groups are supported");
    this.#depth += 1;
    const options = [this.#sequence()];
    while (this.#takes("|")) options.push(this.#sequence());
    this.#depth -= 1;
    if (!this.#takes(")")) throw this.#fault("this group is not closed", open);
    return { kind: "choice", options };
  }

  #class(): CodeRange[] {
    const open = this.#at;
    this.#at += 1;
    const negated = this.#takes("^");
    const ranges: CodeRange[] = [];
    while (!this.#takes("]")) {
      if (this.#peek() === "") throw this.#fault("this [ is not closed", open);
      ranges.push(...this.#classPart());
    }
    if (ranges.length === 0) throw this.#fault("this [] contains no character", open);
    const all = negated ? otherRanges(ranges) : ranges;
    if (all.length === 0) throw this.#fault("this class matches no character", open);
    return all;
  }

  #classPart(): readonly CodeRange[] {
    const first = this.#classChar();
    const isRange = this.#peek() === "-" && !["]", ""].includes(this.#text.charAt(this.#at + 1));
    if (!isRange) return first;
    this.#at += 1;
    const last = this.#classChar();
    const [from, to] = [codeOf(first), codeOf(last)];
    if (from === undefined || to === undefined || to < from)
      throw this.#fault("a range must go from one character to a later one");
    return [[from, to]];
  }

  #classChar(): readonly CodeRange[] {
    if (this.#peek() === "\\") return this.#escape();
    const code = this.#text.codePointAt(this.#at) ?? 0;
    if (code > 0xffff) throw this.#fault("this character can't stand in [ ]; use a group: (a|b)");
    this.#at += 1;
    return [[code, code]];
  }

  #escape(): readonly CodeRange[] {
    const char = this.#text.charAt(this.#at + 1);
    const known = classes[char] ?? single(controls[char]) ?? single(signCode(char));
    if (known === undefined)
      throw this.#fault(char === "" ? "a \\ at the end; write \\\\" : `\\${char} is not supported`);
    this.#at += 2;
    return known;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** `^` and `$` belong to the ends of the pattern, a repeat behind something, once, and `)` to a group. */
  #misplaced(): PatternFault {
    const sign = this.#peek();
    return this.#fault(`${sign} can't stand here; for the sign itself, write \\${sign}`);
  }

  #fault(words: string, at = this.#at): PatternFault {
    return new PatternFault(`character ${at + 1}: ${words}`);
  }
}

/** Letters and digits have, or may get, a meaning behind a backslash; every other sign means itself. */
function signCode(char: string): number | undefined {
  return /^[\x21-\x7e]$/.test(char) && !/\w/.test(char) ? char.charCodeAt(0) : undefined;
}

function single(code: number | undefined): readonly CodeRange[] | undefined {
  return code === undefined ? undefined : [[code, code]];
}

/** The one character that these ranges are. */
function codeOf(ranges: readonly CodeRange[]): number | undefined {
  const [only, ...more] = ranges;
  return only !== undefined && more.length === 0 && only[0] === only[1] ? only[0] : undefined;
}
