/** Members of configuration files: where they stand and what they say, the same for every format. */

export type MemberValue =
  | string
  | number
  | boolean
  | null
  | readonly MemberValue[]
  | { readonly [name: string]: MemberValue };

/** Names from the outermost one inwards. */
export type MemberPath = readonly string[];

/** One value of a file; objects are given member by member. */
export interface Member {
  readonly path: MemberPath;
  readonly value: MemberValue;
  /** Its program changes it by itself, and nothing is left of it where it is left alone. */
  readonly fleeting?: true;
}

/** Changes the text of one format and keeps every other byte. */
export interface TextEditor {
  /** What the text says. Throws `MalformedText`. */
  read(text: string): MemberValue;
  /** The text with these members; throws `UneditableText` where the format cannot say so in place. */
  set(text: string, members: readonly Member[]): string;
  /** The text without these members; those that are missing are no error. */
  remove(text: string, paths: readonly MemberPath[]): string;
  /** What an empty file says. */
  readonly nothing: MemberValue;
}

/** A text that its own program could not read either. */
export class MalformedText extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { line: number; column: number }) {
    super(message);
    this.line = place.line;
    this.column = place.column;
  }
}

/** A text that is good, and written in a way that cannot be changed in place. */
export class UneditableText extends Error {}

/** The value at that place; undefined where there is none. */
export function memberAt(
  value: MemberValue | undefined,
  path: MemberPath,
): MemberValue | undefined {
  let found = value;
  for (const name of path)
    found = isGroup(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** The value with another one at that place, in a copy. Throws `UneditableText` where a plain value is in the way. */
export function withMember(value: MemberValue, { path, value: fresh }: Member): MemberValue {
  const [name, ...rest] = path;
  if (name === undefined) return fresh;
  if (!isGroup(value)) throw new UneditableText("it is not an object");
  const inner = Object.hasOwn(value, name) ? (value[name] ?? null) : {};
  if (rest.length > 0 && !isGroup(inner)) throw new UneditableText(`"${name}" is not an object`);
  return { ...value, [name]: withMember(inner, { path: rest, value: fresh }) };
}

/** The value without the one at that place, in a copy. */
export function withoutMember(value: MemberValue, path: MemberPath): MemberValue {
  const [name, ...rest] = path;
  if (name === undefined || !isGroup(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: gone, ...others } = value;
  if (rest.length === 0) return others;
  return { ...value, [name]: withoutMember(gone ?? null, rest) };
}

/** Every single value of an object, by its place; lists are single values. */
export function membersOf(value: MemberValue, path: MemberPath = []): Member[] {
  if (!isGroup(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => membersOf(inner, [...path, name]));
}

/** Whether both say the same; the order of an object's members says nothing. */
export function isSameValue(one: MemberValue | undefined, other: MemberValue | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSameValue(item, other[at]));
  if (!isGroup(one) || !isGroup(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

/** The value without objects and lists that hold nothing: some formats cannot tell them from what is missing. */
export function withoutEmptyGroups(value: MemberValue): MemberValue {
  if (!isGroup(value)) return value;
  const inner = Object.entries(value).map(
    ([name, one]) => [name, withoutEmptyGroups(one)] as const,
  );
  return Object.fromEntries(inner.filter(([, one]) => !holdsNothing(one)));
}

/** Whether it is an object or list without members, or null. */
export function holdsNothing(value: MemberValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isGroup(value) && Object.keys(value).length === 0);
}

/** Whether it is an object, whose members have names. */
export function isGroup(
  value: MemberValue | undefined,
): value is { readonly [name: string]: MemberValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Line and column of an offset, both from 1. */
export function placeOfOffset(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** How lines of the text end; as usual here where it has none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
