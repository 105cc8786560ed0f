/** What was told already: in memory, and on the disk with the events themselves. */
import { readTold, writeTold } from "../storage/tables/told.ts";

/** Values by name. Changes are written by the caller, in the transaction of what they go with. */
export class Told {
  readonly #known: Map<string, string>;

  /** `waiting`: changes that wait to be written; undefined: it is forgotten. */
  constructor(sql: SqlStorage, waiting: ReadonlyMap<string, string | undefined> = new Map()) {
    this.#known = readTold(sql);
    for (const [name, value] of waiting) this.note(name, value);
  }

  get(name: string): string | undefined {
    return this.#known.get(name);
  }

  /** All names with that beginning. */
  names(beginning: string): string[] {
    return [...this.#known.keys()].filter((name) => name.startsWith(beginning));
  }

  /** Changes memory alone. Undefined forgets. */
  note(name: string, value: string | undefined): void {
    if (value === undefined) this.#known.delete(name);
    else this.#known.set(name, value);
  }

  /** Changes memory; what it returns writes it. Undefined forgets. */
  set(name: string, value: string | undefined): (sql: SqlStorage) => void {
    this.note(name, value);
    return (sql) => writeTold(sql, name, value);
  }
}
