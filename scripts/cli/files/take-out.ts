/** Takes out what was put into a text, and nothing that somebody else has written there since. */
import {
  holdsNothing,
  isSameValue,
  memberAt,
  withoutEmptyGroups,
  withoutMember,
  type Member,
  type MemberPath,
  type MemberValue,
  type TextEditor,
} from "./member.ts";

/** What was put in. */
export interface PutMember extends Member {
  /** What stood there before; absent where nothing did. */
  readonly before?: MemberValue;
}

/** What has to be known to take members out again. */
export interface Insertions {
  readonly members: readonly PutMember[];
  /** Objects that came with them, the outer ones first. */
  readonly groups: readonly MemberPath[];
}

/** What putting these members into a text that says this will have put in. */
export function insertionsOf(before: MemberValue, members: readonly Member[]): Insertions {
  const groups = members.flatMap(({ path }) =>
    path.slice(0, -1).map((_, at) => path.slice(0, at + 1)),
  );
  const missing = groups.filter((path) => memberAt(before, path) === undefined);
  const unique = new Map(missing.map((path) => [JSON.stringify(path), path]));
  return {
    members: members.map((member) => {
      const old = memberAt(before, member.path);
      return old === undefined ? member : { ...member, before: old };
    }),
    groups: [...unique.values()],
  };
}

/** The text without them: what stood there before comes back, what was changed since stays. */
export function takeOut(editor: TextEditor, text: string, { members, groups }: Insertions): string {
  const now = editor.read(text);
  const ours = members.filter(({ path, value }) => isSameValue(memberAt(now, path), value));
  const restored = ours.flatMap(({ path, before }) =>
    before === undefined ? [] : [{ path, value: before }],
  );
  const gone = ours.filter(({ before }) => before === undefined).map(({ path }) => path);
  const bare = withoutFleeting(editor, editor.remove(editor.set(text, restored), gone), members);
  return [...groups].reverse().reduce((current, path) => withoutEmpty(editor, current, path), bare);
}

function withoutEmpty(editor: TextEditor, text: string, path: MemberPath): string {
  const group = memberAt(editor.read(text), path);
  // A table that appears only in its head is found by its place.
  return group === undefined || holdsNothing(group) ? editor.remove(text, [path]) : text;
}

/** Where something of its user's has come to stand beside it, a fleeting member is theirs. */
function withoutFleeting(editor: TextEditor, text: string, members: readonly PutMember[]): string {
  const now = editor.read(text);
  const alone = members
    .filter(({ fleeting, before }) => fleeting === true && before === undefined)
    .map(({ path }) => path)
    .filter((path) => {
      const rest = memberAt(withoutMember(now, path), path.slice(0, -1));
      return rest !== undefined && holdsNothing(withoutEmptyGroups(rest));
    });
  return editor.remove(text, alone);
}
