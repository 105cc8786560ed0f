/**
 * A text as it is read: with escapes resolved, so that nothing hides behind them, and with the way back to where each
 * character stands.
 */
import { placeholderPattern } from "./spans.ts";
import type { SearchedPart } from "./search-patterns.ts";

export interface TextView {
  readonly text: string;
  /** Where each character begins in the text below; one more for its end. */
  readonly at: Uint32Array;
  /** Quotation marks of JSON itself, by index: each text of a document is a text of its own. */
  readonly quotes: readonly number[];
}

/** A text that is none of JSON. */
export function plainView(text: string): TextView {
  return new ViewWriter(text).end();
}

/** The beginning of a JSON document, escapes of its texts resolved. */
export function jsonView(text: string): TextView {
  const writer = new ViewWriter(text);
  let isInside = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== backslash && code !== quotationMark) continue;
    const escape = isInside && code === backslash ? readEscape(text, index) : undefined;
    if (escape !== undefined) {
      writer.replace(index, escape);
      index += escape.length - 1;
    } else if (code === quotationMark) {
      isInside = !isInside;
      writer.quote(index);
    }
  }
  return writer.end();
}

/** What nobody sees between two letters: soft hyphens, spaces without a width, joiners. */
const invisible = "\\u00ad\\u200b-\\u200d\\u2060\\ufeff";
const hiding = new RegExp(`[\\\\${invisible}]`);

/**
 * The same with everything resolved that looks like an escape, however many times it was escaped (JSON within JSON, or
 * quoted code), and without what nobody sees. Undefined where there is neither.
 */
export function unescapedView(view: TextView): TextView | undefined {
  const { text, quotes } = view;
  if (!hiding.test(text)) return undefined;
  const writer = new ViewWriter(text);
  const ownQuotes = new Set(quotes);
  const signs = new RegExp(`["\\\\${invisible}]`, "g");
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    if (ownQuotes.has(sign.index)) writer.quote(sign.index);
    if (sign[0] === '"') continue;
    if (sign[0] !== "\\") {
      writer.leaveOut(sign.index);
      continue;
    }
    let last = sign.index;
    while (text.charCodeAt(last + 1) === backslash) last += 1;
    const escape = ownQuotes.has(last + 1) ? undefined : readEscape(text, last);
    const length = last - sign.index + (escape?.length ?? 1);
    if (escape !== undefined) writer.replace(sign.index, { char: escape.char, length });
    signs.lastIndex = sign.index + length;
  }
  const { at, ...inner } = writer.end();
  return { ...inner, at: at.map((index) => view.at[index] ?? 0) };
}

/** The index of the view's character that stands at, or around, this index of the text below. */
export function indexIn({ at }: TextView, below: number): number {
  let [low, high] = [0, at.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((at[middle] ?? 0) <= below) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The parts of the view that own patterns are looked for in: neither placeholders nor JSON's own marks. */
export function searchedParts({ text, quotes }: TextView): SearchedPart[] {
  const cuts = [
    ...quotes.map((from) => ({ from, to: from + 1, isLineEnd: true })),
    ...[...text.matchAll(placeholderPattern)].map(({ index, 0: found }) => ({
      from: index,
      to: index + found.length,
      isLineEnd: false,
    })),
  ].toSorted((a, b) => a.from - b.from);
  const parts: SearchedPart[] = [];
  let [from, startsLine] = [0, true];
  for (const cut of [...cuts, { from: text.length, to: text.length, isLineEnd: true }]) {
    if (cut.from > from) parts.push({ from, to: cut.from, startsLine, endsLine: cut.isLineEnd });
    [from, startsLine] = [cut.to, cut.isLineEnd];
  }
  return parts;
}

interface Escape {
  readonly char: string;
  /** With the backslash. */
  readonly length: number;
}

const backslash = 0x5c;
const quotationMark = 0x22;
const escaped: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  '"': '"',
  "/": "/",
  "\\": "\\",
};

/** What the escape at that backslash means; undefined where it is none. */
function readEscape(text: string, at: number): Escape | undefined {
  const char = escaped[text.charAt(at + 1)];
  if (char !== undefined) return { char, length: 2 };
  const [all, hex] = /^\\u([0-9a-f]{4})/i.exec(text.slice(at, at + 6)) ?? [];
  if (all === undefined || hex === undefined) return undefined;
  return { char: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 };
}

/** Writes a view of a text from its beginning to its end. */
class ViewWriter {
  readonly #text: string;
  readonly #pieces: string[] = [];
  readonly #at: Uint32Array;
  readonly #quotes: number[] = [];
  /** Characters written, and how far of the text they are. */
  #length = 0;
  #done = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = new Uint32Array(text.length + 1);
  }

  /** A character in the place of the escape at this index. */
  replace(index: number, { char, length }: Escape): void {
    this.#copyTo(index);
    this.#at[this.#length] = index;
    this.#pieces.push(char);
    this.#length += 1;
    this.#done = index + length;
  }

  /** Nothing in the place of the character at this index. */
  leaveOut(index: number): void {
    this.#copyTo(index);
    this.#done = index + 1;
  }

  /** A mark of JSON's own stands at this index. */
  quote(index: number): void {
    this.#copyTo(index);
    this.#quotes.push(this.#length);
  }

  end(): TextView {
    this.#copyTo(this.#text.length);
    this.#at[this.#length] = this.#text.length;
    const at = this.#at.subarray(0, this.#length + 1);
    return { text: this.#pieces.join(""), at, quotes: this.#quotes };
  }

  #copyTo(index: number): void {
    const from = this.#done;
    if (index <= from) return;
    this.#pieces.push(this.#text.slice(from, index));
    const at = this.#at;
    const shift = this.#length - from;
    for (let place = from; place < index; place++) at[place + shift] = place;
    this.#length = index + shift;
    this.#done = index;
  }
}
