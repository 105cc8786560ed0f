/** What happened since the last batch, in memory, and the one timer that brings it to the disk. */
import { addToBatch, type Batch, newBatch, writeBatch } from "./batch.ts";
import type { RequestRecord } from "../contract/contract.ts";
import { hasRow, keptRows, type LoggedRow, newestSeq } from "./ledger.ts";
import type { BlockRecord } from "./registry.ts";
import type { RollupRow } from "../rules/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";

/** Milliseconds between batches; what a crash may lose. */
const batchInterval = 500;
/** So many rows are written at once, so that a busy second is not one long stall. */
const batchRows = 200;
/** Rows that live views can ask for without touching the disk. */
const recentRows = 200;

export class Journal {
  readonly #storage: DurableObjectStorage;
  readonly #state: WorkspaceState;
  readonly #boot: string | null;
  #batch: Batch = newBatch();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #seq: number;
  #recent: LoggedRow[] = [];

  /** `boot` names the process: leases that it saves are void for every other. */
  constructor(storage: DurableObjectStorage, state: WorkspaceState, boot: string | null) {
    this.#storage = storage;
    this.#state = state;
    this.#boot = boot;
    this.#seq = newestSeq(storage.sql);
  }

  /** Number of the newest row. */
  get seq(): number {
    return this.#seq;
  }

  append(record: RequestRecord): void {
    this.#seq += 1;
    this.#batch.rows.push({ seq: this.#seq, record });
    const { text: _text, ...light } = record;
    this.#recent.push({ seq: this.#seq, record: light });
    if (this.#recent.length > 2 * recentRows) this.#recent = this.#recent.slice(-recentRows);
    this.#schedule();
  }

  /** Rows after `seq`, oldest first, as far as memory goes back. */
  since(seq: number): LoggedRow[] {
    return this.#recent.filter((row) => row.seq > seq);
  }

  isLogged(id: string): boolean {
    const waiting = this.#batch.rows.some((row) => row.record.id === id);
    return waiting || hasRow(this.#storage.sql, id);
  }

  addSums(rows: readonly RollupRow[]): void {
    addToBatch(this.#batch, rows);
    this.#schedule();
  }

  /** Windows or leases changed. */
  touchLive(): void {
    this.#batch.live = true;
    this.#schedule();
  }

  /** The named conversation changed. */
  touchSession(name: string): void {
    this.#batch.sessions.add(name);
  }

  /** The answers of the named harness and model changed. */
  touchAnswers(name: string): void {
    this.#batch.answers.add(name);
  }

  /** The harness's counts of outcomes changed. */
  touchOutcomes(harness: string): void {
    this.#batch.outcomes.add(harness);
    this.#schedule();
  }

  touchBlock(block: BlockRecord): void {
    this.#batch.blocks.add(block);
    this.#schedule();
  }

  useKey(id: string, now: number): void {
    this.#batch.used.set(id, now);
    this.#schedule();
  }

  /** When the key was used, if the disk does not know yet; epoch ms. */
  lastUse(id: string): number | undefined {
    return this.#batch.used.get(id);
  }

  /** Writes everything now. Throws when the disk fails; the batch is then kept. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#batch;
    const sql = this.#storage.sql;
    const context = { sql, state: this.#state, boot: this.#boot, now: Date.now() };
    this.#storage.transactionSync(() => writeBatch(batch, context));
    this.#rememberUses(batch.used);
    this.#batch = newBatch();
  }

  #rememberUses(used: ReadonlyMap<string, number>): void {
    if (used.size === 0) return;
    for (const key of this.#state.keys.values()) {
      const time = used.get(key.id);
      if (time !== undefined) key.last_used_at = new Date(time).toISOString();
    }
  }

  #schedule(): void {
    if (this.#batch.rows.length === batchRows && this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flushInTime(), 0);
    }
    this.#timer ??= setTimeout(() => this.#flushInTime(), batchInterval);
  }

  /** A disk that fails must not stop admission: the batch is kept, and tried again with what comes next. */
  #flushInTime(): void {
    try {
      this.flush();
    } catch (error) {
      console.error(`a batch could not be written: ${String(error)}`);
      if (this.#batch.rows.length > keptRows) this.#batch.rows = this.#batch.rows.slice(-keptRows);
    }
  }
}
