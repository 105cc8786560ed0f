/** Taking back what connect wrote, byte for byte. */
import { existsSync } from "node:fs";
import { ownerOnly } from "../../host/state/private-files.ts";
import {
  findFile,
  removeFile,
  removeFolders,
  replaceFile,
  type FoundFile,
} from "../files/disk-file.ts";
import { textEditors } from "../files/formats.ts";
import { takeOut } from "../files/take-out.ts";
import { textOf } from "./file-text.ts";
import { inWords, saysNothing } from "./plan.ts";
import { isAsLeft, type ConnectRecord, type RecordStore, type WrittenFile } from "./record.ts";

/** What becomes of a file. */
export interface Return {
  readonly found: FoundFile;
  /** Undefined: the file goes. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
  readonly madeFolders: readonly string[];
  /** To be told where a file of ours was changed and stays. */
  readonly stays?: true;
}

/** Plans one file: as it was where nobody has changed it since, else as it is without what was put in. */
export function planReturn(record: WrittenFile): Return {
  const found = findFile(record.file);
  const original =
    record.original === undefined ? undefined : Buffer.from(record.original, "base64");
  const { madeFolders } = record;
  const same = { found, mode: record.originalMode ?? found.mode ?? ownerOnly.file, madeFolders };
  // Whoever removed the file does not want it back.
  if (found.bytes === undefined) return { ...same, bytes: undefined };
  if (isAsLeft(record, found.bytes)) return { ...same, bytes: original };
  const { insertions } = record;
  if (insertions === undefined) return { ...same, bytes: found.bytes, stays: true };
  const editor = textEditors[insertions.format];
  return inWords(record.file, () => {
    const text = takeOut(editor, textOf(record.file, found.bytes ?? Buffer.alloc(0)), insertions);
    const gone = original === undefined && saysNothing(editor, text);
    return { ...same, bytes: gone ? undefined : Buffer.from(text) };
  });
}

/** Does it for all files of a client, removes the folders that were made for them, and forgets the client. */
export function bringBack(
  returns: readonly Return[],
  { store, record }: { readonly store: RecordStore; readonly record: ConnectRecord },
): void {
  store.alone(record, () => {
    for (const one of returns) bringOneBack(one);
    const made = returns.flatMap(({ madeFolders }) => madeFolders);
    removeFolders(made);
    store.leave(made.filter((folder) => existsSync(folder)));
    store.forget();
  });
}

function bringOneBack({ found, bytes, mode, stays }: Return): void {
  if (stays === true || found.bytes === undefined) return;
  if (bytes === undefined) removeFile(found);
  else replaceFile(found, bytes, mode);
}
