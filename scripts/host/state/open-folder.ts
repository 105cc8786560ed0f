/** A folder that is to hold a state. */
import { accessSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import { ownerOnly } from "./private-files.ts";

/** Makes it where it is not there; its real place. Throws, in words for the user, where it cannot be used. */
export function openFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: ownerOnly.folder });
  } catch (error) {
    throw new Error(wordsFor(folder, whyUnusable(folder) ?? reasonOf(error)), { cause: error });
  }
  const why = whyUnusable(folder);
  if (why !== undefined) throw new Error(wordsFor(folder, why));
  return realpathSync(folder);
}

/** Why nothing can be kept there; undefined where it can, and where it is not there. */
export function whyUnusable(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "it is a file";
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : reasonOf(error);
  }
}

function wordsFor(folder: string, why: string): string {
  return `${folder} cannot be the state folder: ${why}. Choose another with --state.`;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it cannot be written to",
  ENOTDIR: "a file stands in its path",
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
