/** What `gateway connect` remembers: what stood in a client's files before, and what it has put there. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ownerOnly } from "../../host/state/private-files.ts";
import { removeFolders } from "../files/disk-file.ts";
import type { TextFormat } from "../files/formats.ts";
import type { Insertions } from "../files/take-out.ts";
import { userStateFolder } from "../state-folder.ts";

/** What was put into a file of that format. */
export interface FormatInsertions extends Insertions {
  readonly format: TextFormat;
}

/** One file of a client. */
export interface WrittenFile {
  /** Where it really lies. */
  readonly file: string;
  /** The whole file as it was, in base64; absent where there was none. */
  readonly original?: string;
  readonly originalMode?: number;
  /** SHA-256 of what was written. */
  readonly written: string;
  /** Absent for files that are the gateway's own as a whole. */
  readonly insertions?: FormatInsertions;
  /** Folders that were made for it. */
  readonly madeFolders: readonly string[];
}

/** One connected client. */
export interface ConnectRecord {
  readonly client: string;
  readonly url: string;
  readonly key: string;
  /** The key's place in the admin API; absent where the key was given. */
  readonly made?: { readonly harness: string; readonly id: string };
  readonly files: readonly WrittenFile[];
}

/** Reads, writes and forgets the record of a client that keeps its configuration in that file. */
export interface RecordStore {
  /** The folder of the record and of the plain copies of what was there before. */
  readonly folder: string;
  read(): ConnectRecord | undefined;
  write(record: ConnectRecord): void;
  forget(): void;
}

/** A client may have several homes (`CLAUDE_CONFIG_DIR`, …): each has its own record. */
export function recordStore(client: string, mainFile: string): RecordStore {
  const id = hashOf(Buffer.from(path.resolve(mainFile))).slice(0, 8);
  const folder = path.join(userStateFolder("routing-gateway-clients"), `${client}-${id}`);
  const file = path.join(folder, "record.json");
  return {
    folder,
    read: () =>
      // Only `write` writes it.
      existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ConnectRecord) : undefined,
    write(record) {
      mkdirSync(folder, { recursive: true, mode: ownerOnly.folder });
      for (const one of record.files) keepCopy(folder, one);
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify(record, null, 2), { mode: ownerOnly.file, flush: true });
      renameSync(fresh, file);
    },
    forget() {
      rmSync(folder, { recursive: true, force: true });
      removeFolders([path.dirname(folder)]);
    },
  };
}

/** For people: what was there, as the file that it was. */
function keepCopy(folder: string, { file, original }: WrittenFile): void {
  if (original === undefined) return;
  const copy = path.join(folder, `${path.basename(file)}.before`);
  writeFileSync(copy, Buffer.from(original, "base64"), { mode: ownerOnly.file });
}

/** SHA-256, in hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
