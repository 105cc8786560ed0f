/** How the disk's failures look to callers: of an error that an object threw, only the message arrives. */

/** The workspace's last batch could not be written, and its next attempt is not due: nothing can be saved now. */
export class StorageFailingError extends Error {
  constructor() {
    super(`${failing}: the last changes could not be written`);
  }
}

/** Seconds after which a caller may try again. */
export const storageRetry = 5;

const failing = "storage is failing";

/** What the runtime says, and what that means. */
const causes = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_READONLY", "the disk is read-only"],
  ["SQLITE_IOERR", "the disk reports errors"],
  ["SQLITE_CANTOPEN", "a file cannot be opened"],
  [failing, "the last changes could not be written"],
  // What workerd says where it cannot open an object's file; it tells the reason to its own log alone.
  ["internal error; reference", "the runtime cannot use it, and its log says why"],
] as const;

/** In plain words, why the disk failed; undefined where the error is another one. */
export function storageFault(error: unknown): string | undefined {
  const text = String(error);
  return causes.find(([sign]) => text.includes(sign))?.[1];
}
