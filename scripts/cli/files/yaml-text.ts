/**
 * YAML of one level: names with plain values, and lists whose items have a `name` (`models.<name>` is such an item).
 * The parser says where things stand; lines are put in and taken out, and everything else stays as it was.
 */
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Pair,
  type YAMLSeq,
} from "yaml";
import {
  isGroup,
  isSameValue,
  lineEndOf,
  MalformedText,
  memberAt,
  placeOfOffset,
  UneditableText,
  withoutEmptyGroups,
  withMember,
  withoutMember,
  type Member,
  type MemberPath,
  type MemberValue,
  type TextEditor,
} from "./member.ts";

/** Edits block-style YAML. */
export const yamlText: TextEditor = { read, set, remove, nothing: {} };

const mark = "\uFEFF";

function documentOf(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  const [words = error.code] = error.message.split(/ at line |:?\n/);
  throw new MalformedText(words, placeOfOffset(text, error.pos[0]));
}

function read(text: string): MemberValue {
  // Whatever YAML says without tags of its own is a value.
  const value = (documentOf(text).toJS() ?? {}) as MemberValue;
  return isGroup(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, namedItems(one)]))
    : value;
}

/** A list of objects by their names; those without one by what they say. A name without a value is an empty list. */
function namedItems(value: MemberValue): MemberValue {
  if (value === null) return {};
  if (!Array.isArray(value) || !value.every(isGroup)) return value;
  const named = new Map<string, MemberValue>();
  for (const item of value) {
    const name = item["name"];
    const own = typeof name === "string" && !named.has(name);
    named.set(own ? name : `#${JSON.stringify(item)}`, item);
  }
  return Object.fromEntries(named);
}

function set(text: string, members: readonly Member[]): string {
  const before = read(text);
  const changed = members.filter(({ path, value }) => !isSameValue(memberAt(before, path), value));
  const wanted = changed.reduce(withMember, before);
  return checked(wanted, () =>
    changed.reduce((current, member) => {
      const cleared =
        memberAt(read(current), member.path) === undefined
          ? current
          : without(current, member.path);
      return added(cleared, member);
    }, text),
  );
}

function remove(text: string, paths: readonly MemberPath[]): string {
  const before = read(text);
  const there = paths.filter((path) => memberAt(before, path) !== undefined || path.length === 1);
  return checked(there.reduce(withoutMember, before), () => there.reduce(without, text));
}

function added(text: string, { path, value }: Member): string {
  const [name = "", item] = path;
  const end = lineEndOf(text);
  const list = pairOf(text, name);
  if (item === undefined) return appended(text, `${name}: ${JSON.stringify(value)}${end}`);
  if (list === undefined)
    return appended(text, `${name}:${end}${itemText(value, { indent: "  ", end })}`);
  if (isEmpty(list)) return afterName(text, list, end + itemText(value, { indent: "  ", end }));
  const items = blockList(list);
  const last = items.items.at(-1);
  const first = items.items[0];
  if (first === undefined || last === undefined)
    throw new UneditableText(`${name} is an empty list`);
  const start = lineStart(text, rangeOf(first).start);
  const indent = /^[ ]*/.exec(text.slice(start))?.[0] ?? "";
  const at = lineEnd(text, rangeOf(last).end);
  const before = text.slice(0, at);
  const open = before.endsWith("\n") ? "" : end;
  return before + open + itemText(value, { indent, end }) + text.slice(at);
}

/** `models:` and `models: []`. */
function isEmpty({ value }: Pair): boolean {
  if (isSeq(value)) return value.items.length === 0;
  return value === null || (isScalar(value) && value.value === null);
}

/** Lines in place of an empty value; a comment behind it stays on the line of the name. */
function afterName(text: string, list: Pair, lines: string): string {
  const from = colonEnd(text, list);
  const to = Math.max(from, pairRange(list).end);
  const at = lineEnd(text, to);
  const rest = text.slice(to, at).trim();
  return text.slice(0, from) + (rest === "" ? "" : ` ${rest}`) + lines + text.slice(at);
}

function colonEnd(text: string, { key }: Pair): number {
  return text.indexOf(":", rangeOf(key).end) + 1;
}

function appended(text: string, lines: string): string {
  const open = text === "" || text === mark || text.endsWith("\n") ? "" : lineEndOf(text);
  return text + open + lines;
}

function itemText(value: MemberValue, { indent, end }: { indent: string; end: string }): string {
  if (!isGroup(value)) throw new UneditableText("a list item is not an object");
  return Object.entries(value)
    .map(
      ([name, one], at) =>
        `${indent}${at === 0 ? "- " : "  "}${name}: ${JSON.stringify(one)}${end}`,
    )
    .join("");
}

function without(text: string, path: MemberPath): string {
  const [name = "", item] = path;
  const pair = pairOf(text, name);
  if (pair === undefined) return text;
  const nodes = item === undefined ? pair : itemOf(blockList(pair), item);
  if (nodes === undefined) return text;
  const { start, end } = item === undefined ? pairRange(pair) : rangeOf(nodes);
  const cut = text.slice(0, lineStart(text, start)) + text.slice(lineEnd(text, end));
  if (item === undefined || blockList(pair).items.length > 1) return cut;
  // A name without a value is not a list to every reader.
  const at = colonEnd(text, pair);
  return `${cut.slice(0, at)} []${cut.slice(at)}`;
}

function pairOf(text: string, name: string): Pair | undefined {
  const { contents } = documentOf(text);
  if (contents === null) return undefined;
  if (!isMap(contents) || contents.flow === true)
    throw new UneditableText("the file is not a block mapping");
  return contents.items.find(({ key }) => isScalar(key) && key.value === name);
}

function blockList(pair: Pair): YAMLSeq {
  if (isSeq(pair.value) && pair.value.flow !== true) return pair.value;
  throw new UneditableText("a list is written in brackets");
}

function itemOf(list: YAMLSeq, name: string): unknown {
  return list.items.find((item) => isMap(item) && item.get("name") === name);
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

function pairRange({ key, value }: Pair): TextRange {
  const { start } = rangeOf(key);
  return { start, end: value === null ? rangeOf(key).end : rangeOf(value).end };
}

/** Without comments and blank lines that follow. */
function rangeOf(node: unknown): TextRange {
  // The parser gives every node that it read its places.
  const { range } = node as { range: [number, number, number] };
  return { start: range[0], end: range[1] };
}

function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return start === 0 && text.startsWith(mark) ? mark.length : start;
}

/** Behind the line's end; a value that ends with its line's end is over already. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

/** A good text that an edit would break is one that can't be edited. */
function checked(wanted: MemberValue, edit: () => string): string {
  try {
    const text = edit();
    if (isSameValue(withoutEmptyGroups(read(text)), withoutEmptyGroups(wanted))) return text;
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
  }
  throw new UneditableText("it has a form that can't be edited");
}
