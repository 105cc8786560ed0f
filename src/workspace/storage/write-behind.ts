/** What happened since the last batch, in memory, and the one timer that brings it to the disk. */
import type { LoggedRow } from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { ModelNames } from "../rules/sums/model-names.ts";
import { forgetIdle } from "../rules/sums/node-sums.ts";
import type { RollupRow } from "../rules/sums/rollup.ts";
import { keyLabel, type WorkspaceState } from "../rules/state.ts";
import { addToBatch, type Batch, newBatch, writeBatch } from "./batch.ts";
import type { NamedBlock } from "./tables/blocks.ts";
import { writeLastUse } from "./tables/keys.ts";
import { hasRecentRow, keptRows, newestSeq, readNewestRows } from "./tables/request-log.ts";
import { isSeldomDue, SeldomWrites, type SeldomWrite } from "./tables/seldom.ts";
import { type SavedConversation, trimConversations } from "./tables/sessions.ts";
import { nextBatchIn } from "./write-pace.ts";

/** So many rows are written at once, so that a busy second is not one long stall. */
const batchRows = 200;
/** Conversations that are written before their table is trimmed: that scans it. */
const conversationsBetweenTrims = 500;

/** Keys and persons whose sums stay in memory, about 5 KB each. */
const mostNodes = 1000;

/** Members of the state that changed and wait to be written. */
export interface StateChanges {
  conversation?: SavedConversation;
  block?: NamedBlock;
  names?: ModelNames;
  /** Windows, leases, spend or outcomes. */
  live?: true;
}

/** When a key was used, epoch ms. */
interface KeyUse {
  last: number;
  /** When it was last noted to be written. */
  noted: number;
}

/** What collecting changes needs. */
export interface WriteBehindContext {
  storage: DurableObjectStorage;
  state: WorkspaceState;
  /** Names the process: leases that it saves are void for every other. */
  boot: string | null;
  /** Told after each batch. */
  written: () => void;
}

/** Collects changes and writes them in batches. */
export class WriteBehind {
  readonly #storage: DurableObjectStorage;
  readonly #state: WorkspaceState;
  readonly #boot: string | null;
  readonly #written: () => void;
  readonly #seldom = new SeldomWrites();
  /** By the key's id; the disk may not know. */
  readonly #uses = new Map<string, KeyUse>();
  #batch: Batch = newBatch();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #seq: number;
  #conversations = 0;

  constructor({ storage, state, boot, written }: WriteBehindContext) {
    this.#storage = storage;
    this.#state = state;
    this.#boot = boot;
    this.#written = written;
    this.#seq = newestSeq(storage.sql);
  }

  /** Number of the newest row. */
  get seq(): number {
    return this.#seq;
  }

  /**
   * Adds a row to the request log, which keeps the key's name for the time when there is no such key any more. The
   * record is not the caller's any longer: it gets the name in place, because a copy costs more than all else here.
   */
  append(record: RequestRecord): void {
    const label = keyLabel(this.#state, record.key_id ?? "");
    if (label?.name === "") record.key_last4 = label.last4;
    else if (label !== undefined) record.key_name = label.name;
    this.#seq += 1;
    this.#batch.rows.push({ seq: this.#seq, record });
    this.#schedule();
  }

  /** The newest rows after `seq` without their texts, oldest first: those on the disk, then those that wait. */
  since(seq: number, most: number): LoggedRow[] {
    if (seq >= this.#seq) return [];
    const waiting = this.#batch.rows.filter((row) => row.seq > seq).slice(-most);
    const shown = waiting.map((row) => ({ ...row, record: withoutText(row.record) }));
    const first = this.#batch.rows[0]?.seq ?? this.#seq + 1;
    const span = { from: seq + 1, to: first };
    return [...readNewestRows(this.#storage.sql, span, most - shown.length), ...shown];
  }

  /** Whether the request has a row among the newest, written or not. */
  isLogged(id: string): boolean {
    return (
      this.#batch.rows.some(({ record }) => record.id === id) || hasRecentRow(this.#storage.sql, id)
    );
  }

  addSums(rows: readonly RollupRow[]): void {
    this.countRefused(rows);
    // The same batch saves the running totals that follow from them.
    this.#batch.live = true;
  }

  /** Adds sums that no running total follows from. */
  countRefused(rows: readonly RollupRow[]): void {
    addToBatch(this.#batch, rows);
    this.#schedule();
  }

  /** Has these members of the state written with the next batch. */
  changed({ conversation, block, names, live }: StateChanges): void {
    const batch = this.#batch;
    if (conversation !== undefined)
      batch.conversations.set(conversation.names[0] ?? "", conversation);
    if (block !== undefined) batch.blocks.add(block);
    if (names !== undefined) batch.names = names;
    if (live === true) batch.live = true;
    this.#schedule();
  }

  /** Has it done in the transaction of the next batch. */
  also(write: (sql: SqlStorage) => void): void {
    this.#batch.also.push(write);
    this.#schedule();
  }

  /** Has it written with a batch sooner or later. */
  changedSeldom(name: string, write: SeldomWrite): void {
    this.#seldom.note(name, write);
    this.#schedule();
  }

  useKey(hash: string, now: number): void {
    const key = this.#state.keys.get(hash);
    if (key === undefined) return;
    const use = this.#uses.get(key.id) ?? this.#firstUse(key);
    use.last = now;
    if (!isSeldomDue(use.noted, now)) return;
    use.noted = now;
    this.changedSeldom(`key ${key.id}`, (sql) => {
      writeLastUse(sql, key.id, use.last);
      key.last_used_at = new Date(use.last).toISOString();
    });
  }

  #firstUse({ id, last_used_at: saved }: KeyRecord): KeyUse {
    const time = saved === null ? 0 : Date.parse(saved);
    const use = { last: time, noted: time };
    this.#uses.set(id, use);
    return use;
  }

  /** When the key was used, as far as this instance knows; epoch ms. */
  lastUse(id: string): number | undefined {
    return this.#uses.get(id)?.last;
  }

  /** Writes everything now. Throws when the disk fails; the batch is then kept. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#batch;
    const { sql } = this.#storage;
    // A request that is still running writes again at its end.
    if (this.#state.leases.byId.size === 0 || batch.rows.length > 0)
      batch.seldom ??= this.#seldom.takeOne();
    const context = { sql, state: this.#state, boot: this.#boot };
    this.#storage.transactionSync(() => {
      writeBatch(batch, context);
      this.#trim(batch);
    });
    this.#batch = newBatch();
    this.#forgetSaved();
    this.#written();
  }

  /** Sums of keys and persons that are on the disk can be read again. */
  #forgetSaved(): void {
    const { nodes, leases } = this.#state;
    nodes.changed.clear();
    forgetIdle(nodes, { most: mostNodes, isHeld: (name) => leases.reserved.has(name) });
  }

  #trim({ conversations }: Batch): void {
    this.#conversations += conversations.size;
    if (this.#conversations < conversationsBetweenTrims) return;
    this.#conversations = 0;
    trimConversations(this.#storage.sql);
  }

  #schedule(): void {
    if (this.#batch.rows.length === batchRows && this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flushInTime(), 0);
    }
    if (this.#timer !== null) return;
    const wait = nextBatchIn(this.#boot, Date.now());
    this.#timer = setTimeout(() => this.#flushInTime(), wait);
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

function withoutText({ text: _text, ...record }: RequestRecord): RequestRecord {
  return record;
}
