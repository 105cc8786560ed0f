/** Files of `NAME=value` lines, as dotenv reads them: the last line of a name counts. */
import {
  lineEndOf,
  UneditableText,
  type Member,
  type MemberPath,
  type MemberValue,
  type TextEditor,
} from "./member.ts";

/** Edits `.env` files. Every text is a good one: what is no such line is passed over. */
export const environmentText: TextEditor = { read, set, remove, nothing: {} };

/** dotenv's own pattern: values in quotes may go over several lines. */
const line =
  /^[^\S\r\n]*(?:export[^\S\r\n]+)?([\w.-]+)(?:[^\S\r\n]*=[^\S\r\n]*?|:[^\S\r\n]+?)([^\S\r\n]*'(?:\\'|[^'])*'|[^\S\r\n]*"(?:\\"|[^"])*"|[^\S\r\n]*`(?:\\`|[^`])*`|[^#\r\n]+)?[^\S\r\n]*(?:#.*)?$/dgm;

interface Line {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Where its value stands, without blanks round it and without a comment behind it. */
  readonly place: { readonly start: number; readonly end: number };
}

function linesOf(text: string): Line[] {
  const body = text.replace(/^\uFEFF/, " ");
  return [...body.matchAll(line)].map((match) => {
    const [whole, name = "", raw = ""] = match;
    const value = raw.trim().replace(/^(['"`])([\s\S]*)\1$/, "$2");
    const end = match.index + whole.length;
    const [from, to] = match.indices?.[2] ?? [end, end];
    const start = from + raw.length - raw.trimStart().length;
    const place = { start, end: Math.max(start, to - raw.length + raw.trimEnd().length) };
    return { name, value, start: match.index, end, place };
  });
}

function read(text: string): MemberValue {
  return Object.fromEntries(linesOf(text).map(({ name, value }) => [name, value]));
}

function set(text: string, members: readonly Member[]): string {
  return members.reduce(withLine, text);
}

function withLine(text: string, { path, value }: Member): string {
  const [name = ""] = path;
  const found = linesOf(text).findLast((one) => one.name === name);
  if (found?.value === value) return text;
  if (found !== undefined)
    return text.slice(0, found.place.start) + written(value) + text.slice(found.place.end);
  const end = lineEndOf(text);
  const start = text === "" || text === "\uFEFF" || text.endsWith("\n") ? "" : end;
  return `${text}${start}${name}=${written(value)}${end}`;
}

/** In quotes where it needs them; dotenv knows no way of writing one kind of quotes within itself. */
function written(value: MemberValue): string {
  if (typeof value === "string" && /^[^\s'"`#]*$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((one) => typeof value === "string" && !value.includes(one));
  if (typeof value === "string" && quote !== undefined) return quote + value + quote;
  throw new UneditableText(
    "a value that is not text, or contains all kinds of quotes, can't be written",
  );
}

function remove(text: string, paths: readonly MemberPath[]): string {
  const names = new Set(paths.map(([name]) => name));
  const gone = linesOf(text).filter(({ name }) => names.has(name));
  return gone.reduceRight((rest, { start, end }) => {
    const next = rest.startsWith("\r\n", end)
      ? end + 2
      : rest.startsWith("\n", end)
        ? end + 1
        : end;
    return rest.slice(0, start) + rest.slice(next);
  }, text);
}
