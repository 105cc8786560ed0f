/**
 * What the workspaces of this process hold in memory and their disk may not have. A write that fails ends the object's
 * instance with everything in its memory, and throws nothing where it was made (workerd resets the object); the next
 * instance finds here what the last one knew, and so no limit and no cost is forgotten while the process lives.
 */
import type { Clock } from "../../lib/clock.ts";
import type { WorkspaceState } from "../rules/state.ts";
import { type Batch, joinBatches, lengthOfBatch } from "./batch.ts";
import type { SeldomWrites } from "./tables/seldom.ts";

/** Characters that wait of one workspace, and of all that cannot be written: more than that is not admitted. */
const mostOfOne = 4_000_000;
const mostOfAll = 32_000_000;
/** Milliseconds before a batch is tried again: twice as long each time. */
const firstPause = 1000;
const longestPause = 10_000;
/** Milliseconds after which a batch that was not confirmed ended its instance. */
const surelyEnded = 1000;

/** Writes of a workspace fail. */
export interface StorageFailure {
  /** Epoch ms. */
  readonly since: number;
  /** Attempts that failed, one after another. */
  times: number;
  /** When the next attempt is due, epoch ms. */
  retryAt: number;
}

/** What one workspace has not written. */
export interface Unwritten {
  readonly workspace: string;
  /** As the last instance knew it. */
  state: WorkspaceState;
  /** What was given to the disk and is not confirmed, with the time of each (epoch ms). */
  writing: { batch: Batch; at: number }[];
  /** What is collected. */
  batch: Batch;
  seldom: SeldomWrites;
  /** Number of the newest row. */
  seq: number;
  failure: StorageFailure | undefined;
}

/** By the object's id. */
export class UnwrittenMemory {
  readonly #kept = new Map<string, Unwritten>();
  readonly #now: Clock;
  #failures = 0;
  #nextLook = 0;

  constructor(now: Clock) {
    this.#now = now;
  }

  keep(id: string, unwritten: Unwritten): void {
    this.#kept.set(id, unwritten);
  }

  drop(id: string): void {
    this.#kept.delete(id);
  }

  /**
   * What an instance before left, as one batch. `newestRow` reads the number of the newest row on the disk, which tells what
   * was written though nobody was told of it.
   */
  take(id: string, newestRow: () => number): Unwritten | undefined {
    const left = this.#kept.get(id);
    if (left === undefined) return undefined;
    const newest = newestRow();
    const failed = left.writing.filter(
      ({ batch: { rows } }) => (rows.at(-1)?.seq ?? Infinity) > newest,
    );
    left.writing = [];
    for (const { batch } of failed.toReversed()) left.batch = joinBatches(batch, left.batch);
    const [first] = failed;
    if (first !== undefined && !isNoted(left, first.at)) this.noteFailure(left, first.at);
    return left;
  }

  /** The workspace was called to try again, and the runtime could not even open its file. */
  noteUnopened(workspace: string): void {
    const now = this.#now();
    for (const left of this.#kept.values()) {
      if (left.workspace !== workspace || (left.failure?.retryAt ?? 0) > now) continue;
      const [first] = left.writing;
      if (first !== undefined || left.failure !== undefined)
        this.noteFailure(left, first?.at ?? now);
    }
  }

  /** An attempt that began at `at` (epoch ms) has failed. */
  noteFailure(unwritten: Unwritten, at: number): void {
    this.#failures += 1;
    const { since, times } = unwritten.failure ?? { since: at, times: 0 };
    const pause = Math.min(longestPause, firstPause * 2 ** times);
    unwritten.failure = { since, times: times + 1, retryAt: this.#now() + pause };
    const message = `a batch of ${unwritten.workspace} could not be written (attempt ${times + 1})`;
    console.error(`${message}: it is kept in memory, and tried again in ${pause / 1000} s`);
  }

  /** Attempts that failed in this process. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the last batch of any workspace could not be written. */
  get isFailing(): boolean {
    for (const { failure } of this.#kept.values()) if (failure !== undefined) return true;
    return false;
  }

  /** Whether so much waits, of the workspace or of all that fail, that no more is to come. */
  isFull(unwritten: Unwritten): boolean {
    if (lengthOf(unwritten) > mostOfOne) return true;
    let all = 0;
    for (const one of this.#kept.values()) if (one.failure !== undefined) all += lengthOf(one);
    return all > mostOfAll;
  }

  /** Workspaces whose instance ended by a write, so that only a call tries again; looked for once a second at most. */
  stranded(): string[] {
    const now = this.#now();
    if (now < this.#nextLook && this.#nextLook <= now + surelyEnded) return [];
    this.#nextLook = now + surelyEnded;
    const found = [...this.#kept.values()].filter(({ writing: [first], failure }) => {
      const latest = Math.max(first?.at ?? 0, failure?.retryAt ?? 0);
      return latest > 0 && latest + surelyEnded < now;
    });
    return found.map(({ workspace }) => workspace);
  }
}

/** Whether the failure of the attempt that began at `at` is known: the next one is never before it is due. */
function isNoted({ failure }: Unwritten, at: number): boolean {
  return failure !== undefined && failure.retryAt > at;
}

function lengthOf({ writing, batch }: Unwritten): number {
  return writing.reduce((sum, each) => sum + lengthOfBatch(each.batch), lengthOfBatch(batch));
}

/** Of all objects in this process. */
export const unwritten = new UnwrittenMemory(Date.now);
