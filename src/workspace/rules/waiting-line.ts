/**
 * Requests that wait for a slot. Keys take turns, and requests of one key go in the order in which they came, so that a
 * key with many of them delays another by one turn.
 */

/** A request that waits. */
export interface Waiter {
  /** The request's id. */
  readonly id: string;
  /** Whose turn it is: the hash of the key. */
  readonly key: string;
  /** Epoch ms. */
  readonly since: number;
}

/** Requests of a workspace that may wait. */
export const mostWaiting = 100;

/** The line. Pure: it has no clock and makes no calls. */
export class WaitingLine<One extends Waiter> {
  /** The next key in turn is the first. */
  readonly #byKey = new Map<string, One[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many wait, by key. */
  counts(): Map<string, number> {
    return new Map([...this.#byKey].map(([key, waiting]) => [key, waiting.length]));
  }

  /**
   * Adds one. In a full line the newest of the key with the most makes room for a key with fewer, and is given back;
   * else the one that asked is.
   */
  join(one: One): One | undefined {
    const given = this.#size < mostWaiting ? undefined : this.#makeRoom(one);
    if (given === one) return given;
    const own = this.#byKey.get(one.key) ?? [];
    const later = own.findIndex(({ since }) => since > one.since);
    own.splice(later < 0 ? own.length : later, 0, one);
    this.#byKey.set(one.key, own);
    this.#size += 1;
    return given;
  }

  /** Takes the next one out, and gives the turn to the key after. */
  next(): One | undefined {
    for (const [key, waiting] of this.#byKey) {
      const one = waiting.shift();
      this.#byKey.delete(key);
      if (one === undefined) continue;
      if (waiting.length > 0) this.#byKey.set(key, waiting);
      this.#size -= 1;
      return one;
    }
    return undefined;
  }

  /** Takes this one out; undefined when it does not wait. */
  leave(id: string): One | undefined {
    for (const [key, waiting] of this.#byKey) {
      const at = waiting.findIndex((one) => one.id === id);
      if (at < 0) continue;
      const [one] = waiting.splice(at, 1);
      if (waiting.length === 0) this.#byKey.delete(key);
      this.#size -= 1;
      return one;
    }
    return undefined;
  }

  #makeRoom(one: One): One {
    const own = this.#byKey.get(one.key)?.length ?? 0;
    let longest: One[] = [];
    for (const waiting of this.#byKey.values())
      if (waiting.length > longest.length) longest = waiting;
    const newest = longest.length > own + 1 ? longest.pop() : undefined;
    if (newest === undefined) return one;
    this.#size -= 1;
    return newest;
  }
}
