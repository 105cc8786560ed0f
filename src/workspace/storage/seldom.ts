/**
 * What is written seldom: when keys were used, and lengths of answers. It may be lost with the object's instance, so
 * each is written once an hour at most, and one of them a batch.
 */

/** Milliseconds. */
const interval = 3_600_000;

/** One thing to write. */
export interface SeldomWrite {
  /** When it was written last, epoch ms; 0: never. */
  saved: number;
  write: (sql: SqlStorage) => void;
}

/** Things that wait to be written, by name. */
export class SeldomWrites {
  readonly #waiting = new Map<string, SeldomWrite>();

  /** Has it written with one of the next batches, unless it was lately. */
  note(name: string, entry: SeldomWrite, now: number): void {
    if (now - entry.saved >= interval && !this.#waiting.has(name)) this.#waiting.set(name, entry);
  }

  /** The thing that waits longest; it waits no more. */
  takeOne(): SeldomWrite | undefined {
    for (const [name, entry] of this.#waiting) {
      this.#waiting.delete(name);
      return entry;
    }
    return undefined;
  }
}
