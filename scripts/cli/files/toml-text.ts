/** TOML: single pairs are changed, added and taken out; every other byte stays as it was. */
import { parse, TomlError } from "smol-toml";
import {
  isSameValue,
  lineEndOf,
  MalformedText,
  memberAt,
  UneditableText,
  withoutEmptyGroups,
  withMember,
  withoutMember,
  type Member,
  type MemberPath,
  type MemberValue,
  type TextEditor,
} from "./member.ts";
import { tomlPieces, type TomlPiece } from "./toml-lines.ts";

/** Edits TOML; values are texts, numbers, truth values. */
export const tomlText: TextEditor = { read, set, remove, nothing: {} };

function read(text: string): MemberValue {
  try {
    const said = parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
    // Dates and long integers are what JSON's values lack: compared as texts.
    const plain = (_: string, value: unknown): unknown =>
      typeof value === "bigint" ? String(value) : value;
    return JSON.parse(JSON.stringify(said, plain)) as MemberValue;
  } catch (error) {
    if (error instanceof TomlError) throw new MalformedText(wordsOf(error), error);
    throw error;
  }
}

function wordsOf({ message }: TomlError): string {
  return message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? message;
}

function set(text: string, members: readonly Member[]): string {
  const before = read(text);
  const changed = members.filter(({ path, value }) => !isSameValue(memberAt(before, path), value));
  return checked(changed.reduce(withPair, text), changed.reduce(withMember, before));
}

function withPair(text: string, { path, value }: Member): string {
  const pieces = tomlPieces(text);
  const found = pieces.find((piece) => piece.kind === "pair" && isPath(piece.path, path));
  if (found !== undefined)
    return text.slice(0, found.value.start) + written(value) + text.slice(found.value.end);
  const line = `${path.at(-1)} = ${written(value)}`;
  return inserted(text, { line, table: path.slice(0, -1), pieces });
}

interface Insertion {
  readonly line: string;
  readonly table: MemberPath;
  readonly pieces: readonly TomlPiece[];
}

/** Behind the last pair of its table, else at the end in a table of its own; pairs of no table before everything. */
function inserted(text: string, { line, table, pieces }: Insertion): string {
  const end = lineEndOf(text);
  const place = table.length === 0 ? endOfRoot(text, pieces) : endOfTable(table, pieces);
  if (place !== undefined) return spliced(text, place, line + end);
  return spliced(
    text,
    text.length,
    `${text.trim() === "" ? "" : end}[${table.join(".")}]${end}${line}${end}`,
  );
}

function endOfRoot(text: string, pieces: readonly TomlPiece[]): number {
  const first = pieces.findIndex(({ kind }) => kind !== "pair");
  const own = first === -1 ? pieces : pieces.slice(0, first);
  return own.at(-1)?.end ?? (text.startsWith("\uFEFF") ? 1 : 0);
}

function endOfTable(table: MemberPath, pieces: readonly TomlPiece[]): number | undefined {
  const head = pieces.findIndex(({ kind, path }) => kind === "table" && isPath(path, table));
  if (head === -1) return undefined;
  const next = pieces.findIndex(({ kind }, index) => index > head && kind !== "pair");
  return (next === -1 ? pieces : pieces.slice(0, next)).at(-1)?.end;
}

function spliced(text: string, at: number, fresh: string): string {
  const before = text.slice(0, at);
  const open = before !== "" && before !== "\uFEFF" && !before.endsWith("\n");
  return before + (open ? lineEndOf(text) : "") + fresh + text.slice(at);
}

function remove(text: string, paths: readonly MemberPath[]): string {
  const before = read(text);
  const result = paths.reduce(withoutPair, text);
  return checked(result, paths.reduce(withoutMember, before));
}

/** A pair by its line; a table that holds no pairs any more by its head and the blank line before it. */
function withoutPair(text: string, path: MemberPath): string {
  const pieces = tomlPieces(text);
  const at = pieces.findIndex((piece) => isPath(piece.path, path));
  const found = pieces[at];
  if (found === undefined) return text;
  const next = pieces[at + 1];
  if (found.kind !== "pair" && next?.kind === "pair") return text;
  const before = text.slice(0, found.start);
  const kept = found.kind === "pair" ? before : before.replace(/(^|\n)\r?\n$/, "$1");
  return kept + text.slice(found.end);
}

function isPath(one: MemberPath, other: MemberPath): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** JSON's texts are TOML's basic strings, but for one letter. */
function written(value: MemberValue): string {
  if (typeof value === "object") throw new UneditableText("objects and lists are not written");
  return JSON.stringify(value).replaceAll("\u007F", "\\u007f");
}

/** Tables that stand inline or in dotted names, for example, cannot be added to by a table of their own. */
function checked(text: string, wanted: MemberValue): string {
  try {
    if (isSameValue(withoutEmptyGroups(read(text)), withoutEmptyGroups(wanted))) return text;
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
  }
  throw new UneditableText("its tables have a form that can't be edited");
}
