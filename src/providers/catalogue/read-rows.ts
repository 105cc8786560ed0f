/**
 * Reads the text of the kept table. A model a line: id, prices, context window, display name, matches and `1` for
 * withdrawn ones, between semicolons. Short, because every isolate loads all of it.
 */

/** A rule that names of a model fit; texts in lower case. */
export type Match =
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string }
  | { or: Match[] }
  | { and: Match[] };

/**
 * `i`, `a`: tokens of images and sound that are read, `c`, `s`: the same from the cache, `I`, `A`: that are written; `h`: an
 * hour of audio.
 */
export type MediaSign = "i" | "a" | "c" | "s" | "I" | "A" | "h";

/** Prices with the days or hours for which they hold. */
export interface PriceRow {
  /** Input, output, cache read, cache write, cache write for an hour; USD per million tokens, null = unknown. */
  p: (number | null)[];
  /** Prices of tokens that are no text and of an hour of audio, by their signs in the table. */
  x?: { [sign in MediaSign]?: number };
  /** Steps for long prompts: from so many input tokens on, then the same columns. */
  t?: (number | null)[][];
  /** Holds from this day on. */
  from?: string;
  /** Holds between these times of every day, `HH:MM:SSZ`. */
  daily?: [string, string];
}

/** What the table knows of one model. */
export interface TableRow {
  id: string;
  /** Display name. */
  n?: string;
  /** Context window. */
  w?: number;
  /** Withdrawn by its maker. */
  old?: 1;
  /** Names that mean this model beside its id. */
  m?: Match;
  c: PriceRow[];
}

/** The rows that a source's text holds. The text was written by scripts/model-data.mjs in exactly this shape. */
export function readRows(text: string): readonly TableRow[] {
  let vendor = "";
  const lines = text === "" ? [] : text.split("\n");
  return lines.map((line) => {
    const row = readRow(line, vendor);
    vendor = row.id.slice(0, Math.max(0, row.id.indexOf("/")));
    return row;
  });
}

function readRow(line: string, vendor: string): TableRow {
  const [short = "", prices = "", window, name, matches, old] = line.split(";");
  // An id that begins with a slash has the vendor of the line before.
  const id = short.startsWith("/") ? vendor + short : short;
  const row: TableRow = { id, c: prices.split(" ").map(readPriceRow) };
  if (window) row.w = Number(window);
  if (name) row.n = readName(name, id);
  if (matches) row.m = readMatch(matches, id.toLowerCase());
  if (old) row.old = 1;
  return row;
}

/** `&` is the last part of the id, `%` the same in words. */
function readName(name: string, id: string): string {
  const last = id.slice(id.lastIndexOf("/") + 1);
  if (name === "&") return last;
  if (name !== "%") return name;
  const words = last.replace(/[-_]/g, " ").replace(/(?<=^| )./g, (letter) => letter.toUpperCase());
  return words.replace(/^Gpt /, "GPT-").replace(/(?<= \d) (?=\d\b)/, ".");
}

const kinds = { "=": "equals", "^": "starts_with", $: "ends_with", "*": "contains" } as const;

/** Any of the parts between spaces, each of which may ask for several between `+`. */
function readMatch(text: string, id: string): Match {
  const any = text.split(" ").map((part): Match => {
    const all = part.split("+").map((each) => readPart(each, id));
    return all.length === 1 && all[0] !== undefined ? all[0] : { and: all };
  });
  return any.length === 1 && any[0] !== undefined ? any[0] : { or: any };
}

/** A sign and the text: `&` stands for the id, `%` for the id without Bedrock's region and version. */
function readPart(text: string, id: string): Match {
  const said = text.slice(1);
  if (text.startsWith("/")) return { regex: said.replace("&", id.replaceAll(".", "\\.")) };
  const kind = kinds[text.charAt(0) as keyof typeof kinds];
  return { [kind]: said.replace("&", id).replace("%", () => stemOf(id)) } as Match;
}

function stemOf(id: string): string {
  return id.replace(/^regional\./, "").replace(/-v\d(:\d)?$/, "");
}

/**
 * Prices, steps of long prompts after `>`, after `~` those of media by their sign, and after `@` the first day or the
 * hours of every day.
 */
function readPriceRow(text: string): PriceRow {
  const [priced = "", when] = text.split("@");
  const [lists = "", ...media] = priced.split("~");
  const [base = "", ...steps] = lists.split(">");
  const row: PriceRow = { p: readPrices(base.split(",")) };
  if (media.length > 0)
    row.x = Object.fromEntries(media.map((each) => [each.charAt(0), Number(each.slice(1))]));
  if (steps.length > 0) row.t = steps.map(readStep);
  if (when !== undefined) {
    const [start = "", end] = when.split(/(?<=Z)-/);
    if (end === undefined) row.from = start;
    else row.daily = [start, end];
  }
  return row;
}

function readStep(text: string): (number | null)[] {
  const [start, ...prices] = text.split(",");
  return [Number(start), ...readPrices(prices)];
}

/** Shares of the input price that most providers ask for a cache read, a cache write, and one for an hour. */
const usualShares = [0, 0, 0.1, 1.25, 2] as const;

/** An empty price is the usual share of the input's, `?` an unknown one. */
function readPrices(prices: readonly string[]): (number | null)[] {
  if (prices[0] === "") return [];
  return prices.map((price, column) => {
    if (price === "?") return null;
    if (price !== "") return Number(price);
    return Number((Number(prices[0]) * (usualShares[column] ?? 0)).toPrecision(12));
  });
}
