/** Limits that blocked or were crossed, each counted once a period. */
import { type NamedBlock, readBlocks, removeBlock, writeBlock } from "./storage/tables/blocks.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Blocks that are kept, the newest. */
const knownBlocks = 1000;

/** One block or crossing; see `BlockRecord`. */
export type LimitBlock = Omit<NamedBlock, "first" | "last" | "count">;

/** Counts blocks in memory; the first of its period is on the disk at once. */
export class LimitBlocks {
  readonly #sql: SqlStorage;
  readonly #writes: WriteBehind;
  readonly #known: Map<string, NamedBlock>;

  constructor(sql: SqlStorage, writes: WriteBehind) {
    this.#sql = sql;
    this.#writes = writes;
    this.#known = new Map(readBlocks(sql, knownBlocks).map((block) => [blockKey(block), block]));
  }

  /** Whether it is the first of its period; that one is on the disk when this returns. */
  count(event: LimitBlock, now: number): boolean {
    const key = blockKey(event);
    const known = this.#known.get(key);
    if (known === undefined) {
      const first = { ...event, first: now, last: now, count: 1 };
      this.#known.set(key, first);
      writeBlock(this.#sql, first);
      if (this.#known.size > knownBlocks) this.#forgetOldest();
      return true;
    }
    if (event.action === "block") {
      Object.assign(known, { last: now, used: event.used, count: known.count + 1 });
      this.#writes.changed({ block: known });
    }
    return false;
  }

  /** The one that came last the longest ago; the table holds no more than memory. */
  #forgetOldest(): void {
    let oldest: [string, NamedBlock] | undefined;
    for (const entry of this.#known)
      if (oldest === undefined || entry[1].last < oldest[1].last) oldest = entry;
    if (oldest === undefined) return;
    this.#known.delete(oldest[0]);
    removeBlock(this.#sql, oldest[1]);
  }
}

function blockKey({ name, metric, period, max, action, start }: LimitBlock): string {
  return [name, metric, period, max, action, start].join(" ");
}
