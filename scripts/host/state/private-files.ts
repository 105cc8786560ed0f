/** Files that only their owner may read: a state holds keys, credentials and the log of requests. */
import { chmodSync, existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** Modes of what the launcher makes. */
export const ownerOnly = { folder: 0o700, file: 0o600 } as const;

const others = 0o077;

/** Takes the folder, its own entries and everything in them from group and others. Returns what to tell. */
export function narrowFolder(folder: string, isOwn: (name: string) => boolean): string[] {
  const own = readdirSync(folder)
    .filter(isOwn)
    .map((name) => path.join(folder, name));
  return narrow(folder, [folder, ...own, ...own.flatMap(below)]);
}

function below(folder: string): string[] {
  if (!lstatSync(folder).isDirectory()) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => path.join(folder, name));
}

/** The same for one file, where it exists. */
export function narrowFile(file: string): string[] {
  return existsSync(file) ? narrow(file, [file]) : [];
}

function narrow(shown: string, files: readonly string[]): string[] {
  const wide = files.filter(isWide);
  if (wide.length === 0) return [];
  try {
    for (const file of wide) chmodSync(file, lstatSync(file).mode & 0o777 & ~others);
    return [`Other users of this machine could read ${shown}: now only its owner can.`];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      `Warning: other users of this machine may be able to read ${shown}, and its mode can't be changed: ${why}`,
    ];
  }
}

/** A symbolic link has no mode of its own; a file may have gone meanwhile. */
function isWide(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & others) !== 0;
}
