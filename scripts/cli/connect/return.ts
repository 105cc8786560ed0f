/** Taking back what connect wrote, byte for byte. */
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
import { hashOf, type WrittenFile } from "./record.ts";

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
  if (hashOf(found.bytes) === record.written) return { ...same, bytes: original };
  const { insertions } = record;
  if (insertions === undefined) return { ...same, bytes: found.bytes, stays: true };
  const editor = textEditors[insertions.format];
  return inWords(record.file, () => {
    const text = takeOut(editor, textOf(record.file, found.bytes ?? Buffer.alloc(0)), insertions);
    const gone = original === undefined && saysNothing(editor, text);
    return { ...same, bytes: gone ? undefined : Buffer.from(text) };
  });
}

/** Does it for all files of a client, then removes the folders that were made for them. */
export function bringBack(returns: readonly Return[]): void {
  for (const one of returns) bringOneBack(one);
  for (const { madeFolders } of [...returns].reverse()) removeFolders(madeFolders);
}

function bringOneBack({ found, bytes, mode, stays }: Return): void {
  if (stays === true || found.bytes === undefined) return;
  if (bytes === undefined) removeFile(found);
  else replaceFile(found, bytes, mode);
}
