/** What happened since the last batch, in memory, and the one timer that brings it to the disk. */
import type { BlockRecord, LoggedRow } from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import type { RollupRow } from "../rules/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";
import { addToBatch, type Batch, newBatch, writeBatch } from "./batch.ts";
import { hasRow, keptRows, newestSeq } from "./request-log.ts";

/** Milliseconds between batches; what a crash may lose. */
const batchInterval = 500;
/** So many rows are written at once, so that a busy second is not one long stall. */
const batchRows = 200;
/** Rows that live views can ask for without touching the disk. */
const recentRows = 200;

/** Members of the state that changed and wait to be written. */
export interface StateChanges {
  /** By `conversationKey`. */
  sessions?: readonly string[];
  /** By `pairKey`. */
  answers?: readonly string[];
  /** Harness whose counts of outcomes changed. */
  outcomes?: string;
  block?: BlockRecord;
  windows?: true;
  leases?: true;
}

/** Collects changes and writes them in batches. */
export class WriteBehind {
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

  /** Adds a row to the request log. */
  append(record: RequestRecord): void {
    this.#seq += 1;
    this.#batch.rows.push({ seq: this.#seq, record });
    const { text: _text, ...shown } = record;
    this.#recent.push({ seq: this.#seq, record: shown });
    if (this.#recent.length > 2 * recentRows) this.#recent = this.#recent.slice(-recentRows);
    this.#schedule();
  }

  /** Rows after `seq`, oldest first, as far as memory goes back. */
  since(seq: number): LoggedRow[] {
    return this.#recent.filter((row) => row.seq > seq);
  }

  /** Whether the request has a row, written or not. */
  isLogged(id: string): boolean {
    const waiting = this.#batch.rows.some((row) => row.record.id === id);
    return waiting || hasRow(this.#storage.sql, id);
  }

  addSums(rows: readonly RollupRow[]): void {
    addToBatch(this.#batch, rows);
    this.#schedule();
  }

  /** Has these members of the state written with the next batch. */
  changed({ sessions, answers, outcomes, block, windows, leases }: StateChanges): void {
    const batch = this.#batch;
    for (const name of sessions ?? []) batch.sessions.add(name);
    for (const name of answers ?? []) batch.answers.add(name);
    if (outcomes !== undefined) batch.outcomes.add(outcomes);
    if (block !== undefined) batch.blocks.add(block);
    if (windows === true) batch.windows = true;
    if (leases === true) batch.leases = true;
    this.#schedule();
  }

  useKey(id: string, now: number): void {
    this.#batch.keyUses.set(id, now);
    this.#schedule();
  }

  /** When the key was used, if the disk does not know yet; epoch ms. */
  lastUse(id: string): number | undefined {
    return this.#batch.keyUses.get(id);
  }

  /** Writes everything now. Throws when the disk fails; the batch is then kept. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#batch;
    const sql = this.#storage.sql;
    const context = { sql, state: this.#state, boot: this.#boot, now: Date.now() };
    this.#storage.transactionSync(() => writeBatch(batch, context));
    this.#rememberUses(batch.keyUses);
    this.#batch = newBatch();
  }

  #rememberUses(uses: ReadonlyMap<string, number>): void {
    if (uses.size === 0) return;
    for (const key of this.#state.keys.values()) {
      const time = uses.get(key.id);
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
