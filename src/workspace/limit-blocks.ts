/** Limits that blocked or were crossed, each counted once a period. */
import { type NamedBlock, readBlocks, removeBlock } from "./storage/tables/blocks.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Blocks that are kept, the newest. */
const knownBlocks = 1000;

/** One block or crossing; see `BlockRecord`. */
export type LimitBlock = Omit<NamedBlock, "first" | "last" | "count">;

/** Counts blocks in memory. */
export class LimitBlocks {
  readonly #writes: WriteBehind;
  readonly #known: Map<string, NamedBlock>;

  constructor(sql: SqlStorage, writes: WriteBehind) {
    this.#writes = writes;
    const blocks = [...readBlocks(sql, knownBlocks), ...writes.batch.blocks];
    this.#known = new Map(blocks.map((block) => [blockKey(block), block]));
  }

  /** Whether it is the first of its period. It is written with the next batch. */
  count(event: LimitBlock, now: number): boolean {
    const key = blockKey(event);
    const known = this.#known.get(key);
    if (known === undefined) {
      const first = { ...event, first: now, last: now, count: 1 };
      this.#known.set(key, first);
      this.#writes.changed({ block: first });
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
    const [, gone] = oldest;
    this.#writes.also((sql) => removeBlock(sql, gone));
  }
}

function blockKey({ name, metric, period, max, action, start }: LimitBlock): string {
  return [name, metric, period, max, action, start].join(" ");
}
