/** What `gateway connect` remembers: what stood in a client's files before, and what it has put there. */
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ownerOnly } from "../../host/state/private-files.ts";
import { markOf } from "../../host/state/process.ts";
import { makeFolders, removeFolders } from "../files/disk-file.ts";
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
  /** SHA-256 of what stood there just before; absent where nothing did. A connect that was killed may have left that. */
  readonly found?: string;
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
  /** Throws, in words for the user, where the record is damaged. */
  read(): ConnectRecord | undefined;
  write(record: ConnectRecord): void;
  forget(): void;
  /** Folders that were made for this client and that others use now: they go when they are empty. */
  leave(folders: readonly string[]): void;
  /**
   * Does the work while no other command changes this client. Throws, in words for the user, where one does, or has since
   * `known` was read.
   */
  alone(known: ConnectRecord | undefined, work: () => void): void;
}

/** A client may have several homes (`CLAUDE_CONFIG_DIR`, …): each has its own record. */
export function recordStore(client: string, mainFile: string): RecordStore {
  const id = hashOf(Buffer.from(path.resolve(mainFile))).slice(0, 8);
  const folder = path.join(recordsFolder(), `${client}-${id}`);
  const file = path.join(folder, recordFile);
  const read = (): ConnectRecord | undefined => (existsSync(file) ? readRecord(file) : undefined);
  return {
    folder,
    read,
    write(record) {
      mkdirSync(folder, { recursive: true, mode: ownerOnly.folder });
      for (const one of record.files) keepCopy(folder, one);
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify(record, null, 2), { mode: ownerOnly.file, flush: true });
      renameSync(fresh, file);
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
    leave: (folders) => writeMade([...new Set([...readMade(), ...folders])]),
    alone(known, work) {
      openRecords();
      try {
        holding(`${folder}.lock`, () => {
          if (!isDeepStrictEqual(read(), known)) throw new Error(changedMeanwhile);
          work();
        });
      } finally {
        closeRecords();
      }
    },
  };
}

/** The records of a client's other homes. */
export function recordsOf(client: string): ConnectRecord[] {
  const folder = recordsFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^-[0-9a-f]{8}$/.test(name.slice(client.length)) && name.startsWith(client))
    .map((name) => path.join(folder, name, recordFile))
    .filter((file) => existsSync(file))
    .map(readRecord);
}

const recordFile = "record.json";
const changedMeanwhile =
  "Another gateway command has connected or disconnected this client in the meantime. Nothing was changed; run this again.";

function readRecord(file: string): ConnectRecord {
  const record = parsed(readFileSync(file, "utf8"));
  if (record !== undefined) return record;
  const folder = path.dirname(file);
  throw new Error(
    `${file} is damaged, so nothing was changed. Copy what you need from the *.before files beside it, then delete ${folder}.`,
  );
}

function parsed(text: string): ConnectRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only `write` writes it: what is there as a whole is there in every part. */
function isRecord(value: unknown): value is ConnectRecord {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["client", "url", "key"].every(
    (name) => typeof Reflect.get(value, name) === "string",
  );
  return texts && "files" in value && Array.isArray(value.files);
}

function recordsFolder(): string {
  return userStateFolder("routing-gateway-clients");
}

/** Lists folders that were made and stay as long as they are in use: those of the records, and what clients have left. */
const madeFile = "folders.json";

function readMade(): string[] {
  const file = path.join(recordsFolder(), madeFile);
  // Only `writeMade` writes it.
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
}

function writeMade(folders: readonly string[]): void {
  const file = path.join(recordsFolder(), madeFile);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(folders), { mode: ownerOnly.file });
  renameSync(fresh, file);
}

function openRecords(): void {
  const made = makeFolders(path.join(recordsFolder(), madeFile));
  if (made.length > 0) writeMade(made);
}

/** With the last record go the folders that were made for the first. */
function closeRecords(): void {
  const folder = recordsFolder();
  const made = readMade();
  if (readdirSync(folder).every((name) => name === madeFile))
    rmSync(path.join(folder, madeFile), { force: true });
  removeFolders(made.length === 0 ? [folder] : made);
}

/** One process at a time. The lock is a link that names its process: it is there with its text, or not at all. */
function holding(lock: string, work: () => void): void {
  const owner = ownerOf(lock);
  if (owner !== undefined && markOf(owner) === undefined) rmSync(lock, { force: true });
  try {
    symlinkSync(String(process.pid), lock);
  } catch (error) {
    if (ownerOf(lock) === undefined) throw error;
    throw new Error(changedMeanwhile, { cause: error });
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function ownerOf(lock: string): number | undefined {
  const there = lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return there ? Number(readlinkSync(lock)) : undefined;
}

/** For people: what was there, as the file that it was. */
function keepCopy(folder: string, { file, original }: WrittenFile): void {
  if (original === undefined) return;
  const copy = path.join(folder, `${path.basename(file)}.before`);
  writeFileSync(copy, Buffer.from(original, "base64"), { mode: ownerOnly.file });
}

/** Whether nobody but connect has changed the file: it is as written, or as a killed connect has left it. */
export function isAsLeft({ written, found }: WrittenFile, bytes: Uint8Array): boolean {
  const hash = hashOf(bytes);
  return hash === written || hash === found;
}

/** SHA-256, in hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
