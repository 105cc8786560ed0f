/**
 * What is written seldom: lengths of answers. They may be lost with the object's instance, so each is written once an
 * hour at most, and one of them a batch.
 */

/** Milliseconds. */
const interval = 3_600_000;

/** Writes one thing as it is then. */
export type SeldomWrite = (sql: SqlStorage) => void;

/** Whether what was written last at `saved` (epoch ms, 0: never) is to be written again. */
export function isSeldomDue(saved: number, now: number): boolean {
  return now - saved >= interval;
}

/** Things that wait to be written, by name. */
export class SeldomWrites {
  readonly #waiting = new Map<string, SeldomWrite>();

  /** Has it written with one of the next batches. */
  note(name: string, write: SeldomWrite): void {
    if (!this.#waiting.has(name)) this.#waiting.set(name, write);
  }

  /** The thing that waits longest; it waits no more. */
  takeOne(): SeldomWrite | undefined {
    for (const [name, write] of this.#waiting) {
      this.#waiting.delete(name);
      return write;
    }
    return undefined;
  }
}
