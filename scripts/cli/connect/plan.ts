/** What connecting a client would write, worked out before anything is touched. */
import type { ClientFile, MemberFile, OwnFile } from "../clients/client.ts";
import { findFile, type FoundFile } from "../files/disk-file.ts";
import { textEditors } from "../files/formats.ts";
import {
  isSameValue,
  MalformedText,
  memberAt,
  UneditableText,
  type TextEditor,
} from "../files/member.ts";
import { insertionsOf, takeOut } from "../files/take-out.ts";
import { textOf } from "./file-text.ts";
import { isAsLeft, type FormatInsertions, type WrittenFile } from "./record.ts";

/** One file that is to be written. */
export interface PlannedFile {
  readonly found: FoundFile;
  /** What it says now; empty where it does not exist. */
  readonly before: string;
  readonly after: string;
  /** What comes back on disconnecting, where nobody changes the file in between; undefined: no file. */
  readonly original: Buffer | undefined;
  readonly originalMode: number | undefined;
  readonly insertions: FormatInsertions | undefined;
  /** Folders that an earlier connect made. */
  readonly madeFolders: readonly string[];
}

/** Plans one file. Throws, in words for the user, where it cannot be changed. */
export function planFile(wanted: ClientFile, records: readonly WrittenFile[]): PlannedFile {
  const found = findFile(wanted.file);
  const record = records.find(({ file }) => file === found.file);
  return wanted.kind === "own"
    ? planOwn(wanted, found, record)
    : planMembers(wanted, found, record);
}

function planOwn(wanted: OwnFile, found: FoundFile, record: WrittenFile | undefined): PlannedFile {
  return {
    found,
    before: found.bytes === undefined ? "" : textOf(found.file, found.bytes),
    after: wanted.text,
    ...(record === undefined ? asFound(found) : asRecorded(record)),
    insertions: undefined,
    madeFolders: record?.madeFolders ?? [],
  };
}

function planMembers(
  wanted: MemberFile,
  found: FoundFile,
  record: WrittenFile | undefined,
): PlannedFile {
  const editor: TextEditor = textEditors[wanted.format];
  return inWords(found.file, () => {
    const before = found.bytes === undefined ? "" : textOf(found.file, found.bytes);
    const said = editor.read(before);
    const start = originalOf({ editor, found, before }, record);
    const text = start.original === undefined ? "" : textOf(found.file, start.original);
    const there = wanted.members.every(({ path, value }) =>
      isSameValue(memberAt(said, path), value),
    );
    return {
      found,
      before,
      after: there && record !== undefined ? before : editor.set(text, wanted.members),
      ...start,
      insertions: { format: wanted.format, ...insertionsOf(editor.read(text), wanted.members) },
      madeFolders: record?.madeFolders ?? [],
    };
  });
}

interface Origin {
  readonly original: Buffer | undefined;
  readonly originalMode: number | undefined;
}

/** What the file says without us: as recorded, or, where it was changed since, as it is with ours taken out. */
function originalOf(
  { editor, found, before }: { editor: TextEditor; found: FoundFile; before: string },
  record: WrittenFile | undefined,
): Origin {
  if (record?.insertions === undefined || found.bytes === undefined) return asFound(found);
  if (isAsLeft(record, found.bytes)) return asRecorded(record);
  const text = takeOut(editor, before, record.insertions);
  if (record.original === undefined && saysNothing(editor, text)) return asRecorded(record);
  return { original: Buffer.from(text), originalMode: record.originalMode };
}

/** Whether nothing is left of a text that was not there at first. */
export function saysNothing(editor: TextEditor, text: string): boolean {
  const bare = text.replace(/^\uFEFF/, "").trim();
  return isSameValue(editor.read(text), editor.nothing) && /^(?:\{\s*\})?$/.test(bare);
}

function asFound({ bytes, mode }: FoundFile): Origin {
  return { original: bytes, originalMode: mode };
}

function asRecorded({ original, originalMode }: WrittenFile): Origin {
  return {
    original: original === undefined ? undefined : Buffer.from(original, "base64"),
    originalMode,
  };
}

/** Says which file is meant, and where in it. */
export function inWords<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof MalformedText)
      throw new Error(
        `${file}:${error.line}:${error.column}: ${error.message}. The file is not valid, so nothing was changed: correct it first.`,
        { cause: error },
      );
    if (error instanceof UneditableText)
      throw new Error(`${file}: ${error.message}, so nothing was changed. Change it by hand.`, {
        cause: error,
      });
    throw error;
  }
}
