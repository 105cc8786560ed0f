/** Writes a plan: all files of a client, or none. */
import { ownerOnly } from "../../host/state/private-files.ts";
import {
  makeFolders,
  removeFile,
  removeFolders,
  replaceFile,
  findFile,
} from "../files/disk-file.ts";
import type { PlannedFile } from "./plan.ts";
import { hashOf, type ConnectRecord, type RecordStore, type WrittenFile } from "./record.ts";

/** Where a plan is remembered. */
export interface Remembering {
  readonly store: RecordStore;
  readonly record: Omit<ConnectRecord, "files">;
  /** What an earlier connect remembered. */
  readonly earlier: ConnectRecord | undefined;
}

/** Remembers first, then writes: whatever happens in between can be taken back. */
export function writePlan(
  planned: readonly PlannedFile[],
  { store, record, earlier }: Remembering,
): void {
  store.alone(earlier, () => {
    const made: string[][] = [];
    const done: PlannedFile[] = [];
    try {
      for (const file of planned) made.push(makeFolders(file.found.file));
      store.write({
        ...record,
        files: planned.map((file, at) => remembered(file, made[at] ?? [])),
      });
      for (const file of planned) {
        writeOne(file);
        done.push(file);
      }
    } catch (error) {
      for (const file of done.reverse()) putBack(file);
      for (const folders of made.reverse()) removeFolders(folders);
      if (earlier === undefined) store.forget();
      else store.write(earlier);
      throw error;
    }
  });
}

function remembered(planned: PlannedFile, made: readonly string[]): WrittenFile {
  const { found, after, original, originalMode, insertions } = planned;
  return {
    file: found.file,
    ...(original !== undefined && { original: original.toString("base64") }),
    ...(originalMode !== undefined && { originalMode }),
    written: hashOf(Buffer.from(after)),
    ...(found.bytes !== undefined && { found: hashOf(found.bytes) }),
    ...(insertions !== undefined && { insertions }),
    madeFolders: [...planned.madeFolders, ...made],
  };
}

/** The files hold a key: nobody but their owner reads them. */
function writeOne({ found, before, after }: PlannedFile): void {
  if (found.bytes !== undefined && before === after) return;
  replaceFile(found, Buffer.from(after), (found.mode ?? ownerOnly.file) & ~0o077);
}

function putBack({ found }: PlannedFile): void {
  const now = findFile(found.file);
  if (found.bytes === undefined) removeFile(now);
  else replaceFile(now, found.bytes, found.mode ?? ownerOnly.file);
}
