/** JSON as people keep it: comments, commas at the end, any indentation, a byte order mark. */
import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import { withJsonMember, withoutJsonMember } from "./json-edits.ts";
import {
  isGroup,
  isSameValue,
  lineEndOf,
  MalformedText,
  placeOfOffset,
  UneditableText,
  withMember,
  withoutMember,
  type Member,
  type MemberPath,
  type MemberValue,
  type TextEditor,
} from "./member.ts";

const mark = "\uFEFF";

/** Edits JSON and JSONC. */
export const jsonText: TextEditor = { read, set, remove, nothing: {} };

function read(text: string): MemberValue {
  const body = text.startsWith(mark) ? text.slice(1) : text;
  if (body.trim() === "") return {};
  const errors: ParseError[] = [];
  // Whatever JSON can say is a value.
  const value = parse(body, errors, { allowTrailingComma: true }) as MemberValue;
  const [error] = errors;
  if (error === undefined) return value;
  throw new MalformedText(wordsOf(error), placeOfOffset(body, error.offset));
}

/** `CloseBraceExpected` as `close brace expected`. */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, " $&")
    .toLowerCase();
}

function set(text: string, members: readonly Member[]): string {
  const before = read(text);
  if (!isGroup(before)) throw new UneditableText("the file is not a JSON object");
  const empty = text.replace(mark, "").trim() === "";
  const lineEnd = lineEndOf(text);
  const start = empty ? `${text.startsWith(mark) ? mark : ""}{}${lineEnd}` : text;
  const changed = members.filter(({ path, value }) => !holds(before, { path, value }));
  const wanted = changed.reduce(withMember, before);
  const result = changed.reduce(
    (current, { path, value }) => edited(current, { path, value }),
    start,
  );
  return checked(result, wanted);
}

function remove(text: string, paths: readonly MemberPath[]): string {
  const before = read(text);
  const there = paths.filter((path) => !isSameValue(withoutMember(before, path), before));
  const wanted = there.reduce(withoutMember, before);
  const result = there.reduce((current, path) => edited(current, { path, value: undefined }), text);
  return checked(result, wanted);
}

function holds(value: MemberValue, member: Member): boolean {
  try {
    return isSameValue(withMember(value, member), value);
  } catch {
    return false;
  }
}

function edited(
  text: string,
  { path, value }: { path: MemberPath; value: MemberValue | undefined },
): string {
  const lead = text.startsWith(mark) ? mark : "";
  const body = text.slice(lead.length);
  return (
    lead + (value === undefined ? withoutJsonMember(body, path) : withJsonMember(body, path, value))
  );
}

/** Twice the same name in one object, and whatever else would make the edit say something else. */
function checked(text: string, wanted: MemberValue): string {
  if (isSameValue(read(text), wanted)) return text;
  throw new UneditableText("a name occurs twice");
}
