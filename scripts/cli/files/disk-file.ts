/** A configuration file on the disk, read and replaced whole: links followed, its mode kept, no half-written state. */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { ownerOnly } from "../../host/state/private-files.ts";

/** A file as it was found. */
export interface FoundFile {
  /** Where it really lies. */
  readonly file: string;
  /** Undefined where there is none. */
  readonly bytes: Buffer | undefined;
  /** Its permissions, where it exists. */
  readonly mode: number | undefined;
}

/** Another program has changed the file in the meantime. */
export class ChangedMeanwhile extends Error {}

/** Reads it, through links. Throws, in words for the user. */
export function findFile(file: string): FoundFile {
  return inWords(file, "read", () => {
    const real = realPlace(file);
    if (!existsSync(real)) return { file: real, bytes: undefined, mode: undefined };
    if (!statSync(real).isFile()) throw new Error(`${file} is not a file`);
    return { file: real, bytes: readFileSync(real), mode: statSync(real).mode & 0o777 };
  });
}

/** As many links as systems follow. */
const mostLinks = 40;

/** Links to a file that does not exist yet, also over several, name the place where it is to be made. */
function realPlace(file: string, links = 0): string {
  if (existsSync(file)) return realpathSync(file);
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!link) return path.resolve(file);
  if (links === mostLinks) throw new Error(`${file} is a link that leads back to itself`);
  return realPlace(path.resolve(path.dirname(file), readlinkSync(file)), links + 1);
}

/** Throws, in words for the user, where the file's folder takes no new files: asked before anything is made or shown. */
export function checkWritable({ file }: FoundFile): void {
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  inWords(file, "written", () => accessSync(folder, constants.W_OK | constants.X_OK));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES:
    "permission denied. Run this as the owner, or change the permissions of it and its folder",
  EPERM: "permission denied. Run this as the owner, or change the permissions of it and its folder",
  EROFS: "the file system is read-only",
  ENOTDIR: "there is a file where its folder should be",
  ENOSPC: "the disk is full",
  ELOOP: "its links lead back to themselves",
};

/** The system's own errors name a call and a file of ours; users need the file that they know, and what to do. */
function inWords<Result>(file: string, verb: "read" | "written", work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = reasons[code];
    if (reason === undefined) throw error;
    throw new Error(`${file} can't be ${verb}: ${reason}.`, { cause: error });
  }
}

/** Puts these bytes in its place. Throws `ChangedMeanwhile` where it is no longer what was found. */
export function replaceFile(found: FoundFile, bytes: Buffer, mode: number): void {
  inWords(found.file, "written", () => writeAside(found, bytes, mode));
}

/** Written aside and moved into place: nobody reads half a file. */
function writeAside(found: FoundFile, bytes: Buffer, mode: number): void {
  const fresh = `${found.file}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(fresh, bytes, { mode: ownerOnly.file, flush: true, flag: "wx" });
    chmodSync(fresh, mode);
    if (found.bytes !== undefined) keepOwner(found.file, fresh);
    checkUnchanged(found);
    renameSync(fresh, found.file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Takes it away. Throws `ChangedMeanwhile` where it is no longer what was found. */
export function removeFile(found: FoundFile): void {
  checkUnchanged(found);
  inWords(found.file, "written", () => rmSync(found.file, { force: true }));
}

function checkUnchanged({ file, bytes }: FoundFile): void {
  const now = existsSync(file) ? readFileSync(file) : undefined;
  const same = now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  if (!same)
    throw new ChangedMeanwhile(
      `${file} was changed by another program in the meantime; nothing was written to it`,
    );
}

/** Where an administrator works on another user's file it stays that user's. */
function keepOwner(file: string, fresh: string): void {
  const { uid, gid } = statSync(file);
  const own = statSync(fresh);
  if (own.uid !== uid || own.gid !== gid) chownSync(fresh, uid, gid);
}

/** Makes the folders down to the file's own. Returns those that were missing, the outer ones first. */
export function makeFolders(file: string): string[] {
  const made: string[] = [];
  for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder))
    made.unshift(folder);
  for (const folder of made)
    inWords(folder, "written", () => mkdirSync(folder, { mode: ownerOnly.folder }));
  return made;
}

/** Removes those of the folders that are empty. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something else has come to lie in it, or it is gone.
    }
  }
}
