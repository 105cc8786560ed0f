/** Reasoning that the workspace keeps for its clients: written with the batch, read at admission. */
import {
  longestReasoning,
  longestReasoningCall,
  mostReasoningAsked,
  type SealedReasoning,
} from "./contract/sealed-reasoning.ts";
import {
  hasReasoning,
  isTooMuchReasoning,
  measureReasoning,
  readStoredReasoning,
  trimReasoning,
  writeStoredReasoning,
} from "./storage/tables/reasoning.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Answers that memory holds too: the next request may come before they are on the disk. */
const mostRecent = 32;
/** Calls that are looked up by one statement. */
const readAtOnce = 32;
/** Characters of all that one request is given. */
const mostGiven = 8 * 1024 * 1024;

/** By key, so that no key gets what another key's request led to. */
export class KeptAnswers {
  readonly #sql: SqlStorage;
  readonly #writes: WriteBehind;
  readonly #recent = new Map<string, string>();
  /** Read from the table with the first write. */
  #held: { count: number; characters: number } | undefined;

  constructor(sql: SqlStorage, writes: WriteBehind) {
    this.#sql = sql;
    this.#writes = writes;
  }

  keep(key: string, { call, sealed }: SealedReasoning): void {
    if (call.length > longestReasoningCall || sealed.length > longestReasoning) return;
    const stored = { name: nameOf(key, call), made: Date.now(), sealed };
    this.#recent.set(stored.name, sealed);
    const oldest = this.#recent.keys().next().value;
    if (this.#recent.size > mostRecent && oldest !== undefined) this.#recent.delete(oldest);
    this.#writes.also((sql) => {
      writeStoredReasoning(sql, stored);
      this.#trim(sql, sealed.length);
    }, sealed.length);
  }

  /** What is kept for these calls of the key, by the call; the newest, which stand last, before all others. */
  of(key: string, calls: readonly string[]): Record<string, string> {
    if (this.#recent.size === 0 && !hasReasoning(this.#sql)) return {};
    const found: [string, string][] = [];
    const asked = calls.slice(-mostReasoningAsked).toReversed();
    let given = 0;
    for (let from = 0; from < asked.length; from += readAtOnce) {
      const part = asked.slice(from, from + readAtOnce);
      const sealedOf = this.#sealedOf(key, part);
      for (const call of part) {
        const sealed = sealedOf(call);
        given += sealed?.length ?? 0;
        if (given > mostGiven) return Object.fromEntries(found);
        if (sealed !== undefined) found.push([call, sealed]);
      }
    }
    return Object.fromEntries(found);
  }

  #sealedOf(key: string, calls: readonly string[]): (call: string) => string | undefined {
    const names = calls.map((call) => nameOf(key, call)).filter((name) => !this.#recent.has(name));
    const stored = readStoredReasoning(this.#sql, names, Date.now());
    return (call) => {
      const name = nameOf(key, call);
      return this.#recent.get(name) ?? stored.get(name);
    };
  }

  /** A row that replaced another is counted twice until the table is measured again. */
  #trim(sql: SqlStorage, size: number): void {
    const { count, characters } = this.#held ?? measureReasoning(sql);
    this.#held = { count: count + 1, characters: characters + size };
    if (!isTooMuchReasoning(this.#held)) return;
    trimReasoning(sql, Date.now());
    this.#held = measureReasoning(sql);
  }
}

function nameOf(key: string, call: string): string {
  return `${key} ${call}`;
}
