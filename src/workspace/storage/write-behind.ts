/** What happened since the last batch, in memory, and the one timer that brings it to the disk. */
import { newId } from "../../lib/ids.ts";
import type { LoggedRow } from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import type { ModelNames } from "../rules/sums/model-names.ts";
import { keyNode } from "../rules/nodes.ts";
import { forgetIdle, noteUse } from "../rules/sums/node-sums.ts";
import type { RollupRow } from "../rules/sums/rollup.ts";
import { keyLabel, type WorkspaceState } from "../rules/state.ts";
import { addToBatch, type Batch, joinBatches, newBatch, writeBatch } from "./batch.ts";
import { StorageFailingError } from "./storage-fault.ts";
import type { NamedBlock } from "./tables/blocks.ts";
import type { NewEvent } from "./tables/events.ts";
import { deleteRow, findRecentRow, newestSeq, readNewestRows } from "./tables/request-log.ts";
import { SeldomWrites, type SeldomWrite } from "./tables/seldom.ts";
import { type SavedConversation, trimConversations } from "./tables/sessions.ts";
import { type Unwritten, unwritten } from "./unwritten.ts";
import { nextBatchIn } from "./write-pace.ts";

/** So many rows are written at once, so that a busy second is not one long stall. */
const batchRows = 200;
/** Rows of refused requests that are kept while the disk fails; more of them are only counted. */
const refusedRowsKept = 200;
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

/** What collecting changes needs. */
export interface WriteBehindContext {
  /** The object's id. */
  id: string;
  storage: DurableObjectStorage;
  state: WorkspaceState;
  /** Names the process: leases that it saves are void for every other. */
  boot: string | null;
  /** What the instance before has left. */
  left: Unwritten | undefined;
  /** Told after each batch that is on the disk; `recovered`: those before it were not. */
  written: (recovered: boolean) => void;
  addEvent: (event: NewEvent) => void;
}

/** Collects changes and writes them in batches. */
export class WriteBehind {
  readonly #context: WriteBehindContext;
  readonly #waiting: Unwritten;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #conversations = 0;
  #refusedRows = 0;

  constructor(context: WriteBehindContext) {
    const { storage, state, left } = context;
    this.#context = context;
    this.#waiting = left ?? {
      workspace: state.snapshot.workspace,
      state,
      writing: [],
      batch: newBatch(),
      seldom: new SeldomWrites(),
      seq: newestSeq(storage.sql),
      failure: undefined,
    };
    this.#waiting.state = state;
    if (left !== undefined) this.#schedule();
  }

  /** Number of the newest row. */
  get seq(): number {
    return this.#waiting.seq;
  }

  /** What no instance has written yet: later ones go on from it. */
  get batch(): Readonly<Batch> {
    return this.#waiting.batch;
  }

  /** Whether the last batch could not be written. */
  get isFailing(): boolean {
    return this.#waiting.failure !== undefined;
  }

  /** Whether no more may be added, because so much waits for a disk that fails. */
  get isFull(): boolean {
    return this.isFailing && unwritten.isFull(this.#waiting);
  }

  /** When writing is tried again after a failure, epoch ms; undefined where nothing has failed. */
  get retryAt(): number | undefined {
    return this.#waiting.failure?.retryAt;
  }

  /**
   * Adds a row to the request log, which keeps the key's name for the time when there is no such key any more. The
   * record is not the caller's any longer: it gets the name in place, because a copy costs more than all else here.
   */
  append(record: RequestRecord): void {
    const label = keyLabel(this.#context.state, record.key_id ?? "");
    if (label?.name === "") record.key_last4 = label.last4;
    else if (label !== undefined) record.key_name = label.name;
    this.#waiting.seq += 1;
    const { text } = record;
    if (text !== undefined)
      this.#waiting.batch.textLength += text.request.length + text.answer.length;
    this.#waiting.batch.rows.push({ seq: this.#waiting.seq, record });
    this.#schedule();
  }

  /** The same for a request that was refused: while the disk fails, the first of them have rows. */
  appendRefused(record: RequestRecord): void {
    if (this.isFailing && (this.#refusedRows >= refusedRowsKept || this.isFull)) return;
    this.#refusedRows += 1;
    this.append(record);
  }

  /** The newest rows after `seq` without their texts, oldest first: those on the disk, then those that wait. */
  since(seq: number, most: number): LoggedRow[] {
    if (seq >= this.seq) return [];
    const { rows } = this.#waiting.batch;
    const waiting = rows.filter((row) => row.seq > seq).slice(-most);
    const shown = waiting.map((row) => ({ ...row, record: withoutText(row.record) }));
    const first = rows[0]?.seq ?? this.seq + 1;
    const span = { from: seq + 1, to: first };
    return [...readNewestRows(this.#context.storage.sql, span, most - shown.length), ...shown];
  }

  /** The request's row without its texts, if it is among the newest, written or not. */
  logged(id: string): LoggedRow | undefined {
    const waits = this.#waiting.batch.rows.find(({ record }) => record.id === id);
    return waits ?? findRecentRow(this.#context.storage.sql, id);
  }

  /** Takes a row out of the log. */
  removeRow(seq: number): void {
    const { batch } = this.#waiting;
    const kept = batch.rows.filter((row) => row.seq !== seq);
    if (kept.length === batch.rows.length) this.also((sql) => deleteRow(sql, seq));
    else batch.rows = kept;
  }

  addSums(rows: readonly RollupRow[]): void {
    this.countRefused(rows);
    // The same batch saves the running totals that follow from them.
    this.#waiting.batch.live = true;
  }

  /** Adds sums that no running total follows from. */
  countRefused(rows: readonly RollupRow[]): void {
    addToBatch(this.#waiting.batch, rows);
    this.#schedule();
  }

  /** Has these members of the state written with the next batch. */
  changed({ conversation, block, names, live }: StateChanges): void {
    const { batch } = this.#waiting;
    if (conversation !== undefined)
      batch.conversations.set(conversation.names[0] ?? "", conversation);
    if (block !== undefined) batch.blocks.add(block);
    if (names !== undefined) batch.names = names;
    if (live === true) batch.live = true;
    this.#schedule();
  }

  /** Has it done in the transaction of the next batch. `length`: characters that it holds. */
  also(write: (sql: SqlStorage) => void, length = 0): void {
    this.#waiting.batch.also.push(write);
    this.#waiting.batch.textLength += length;
    this.#schedule();
  }

  /** Has an event added with the next batch, and what people were told with it; undefined: it is forgotten. */
  tell({
    name,
    value,
    event,
  }: {
    name?: string;
    value?: string | undefined;
    event?: NewEvent;
  }): void {
    const { batch } = this.#waiting;
    if (name !== undefined) batch.told.set(name, value);
    if (event !== undefined) batch.events.push({ id: newId("evt_"), ...event });
    this.#schedule();
  }

  /** Has it written with a batch sooner or later. */
  changedSeldom(name: string, write: SeldomWrite): void {
    this.#waiting.seldom.note(name, write);
    this.#schedule();
  }

  /** The use is saved with the key's sums, which the end of its request changes; `alone`: there will be none to book. */
  useKey(hash: string, now: number, alone: boolean): void {
    const { nodes, keys } = this.#context.state;
    const key = keys.get(hash);
    if (key === undefined) return;
    noteUse(nodes, keyNode(key.id), now);
    if (alone) nodes.changed.add(keyNode(key.id));
  }

  /** Has everything on the disk when what runs now is confirmed. Throws where the disk fails; what waits is kept. */
  flush(): void {
    const { failure } = this.#waiting;
    if (failure !== undefined && Date.now() < failure.retryAt) throw new StorageFailingError();
    this.#write();
  }

  /** The same for a reader: where the disk fails, what waits is left out of what is read. */
  flushForReader(): void {
    if (!this.isFailing) this.#write();
  }

  /** What waits belongs to a state that is gone. */
  discard(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    unwritten.drop(this.#context.id);
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    const { storage, state } = this.#context;
    const { batch } = waiting;
    // A request that is still running writes again at its end.
    if (state.leases.byId.size === 0 || batch.rows.length > 0) {
      const seldom = waiting.seldom.takeOne();
      if (seldom !== undefined) batch.seldom.push(seldom);
    }
    for (const node of state.nodes.changed) batch.nodes.add(node);
    state.nodes.changed.clear();
    const at = Date.now();
    const writing = { batch, at };
    waiting.writing.push(writing);
    waiting.batch = newBatch();
    try {
      storage.transactionSync(() => {
        writeBatch(batch, { ...this.#context, sql: storage.sql });
        this.#trim(batch);
      });
    } catch (error) {
      this.#takeBack(writing, at);
      throw error;
    }
    // Where the disk refuses it, this instance ends without a word, and the next one finds it in `unwritten`.
    void storage.sync().then(
      () => this.#confirm(writing),
      () => undefined,
    );
  }

  #takeBack(writing: Unwritten["writing"][number], at: number): void {
    const waiting = this.#waiting;
    waiting.writing = waiting.writing.filter((each) => each !== writing);
    waiting.batch = joinBatches(writing.batch, waiting.batch);
    unwritten.noteFailure(waiting, at);
    this.#schedule();
  }

  #confirm(writing: Unwritten["writing"][number]): void {
    const waiting = this.#waiting;
    const { id, state, written } = this.#context;
    waiting.writing = waiting.writing.filter((each) => each !== writing);
    const recovered = waiting.failure !== undefined;
    waiting.failure = undefined;
    this.#refusedRows = 0;
    if (waiting.writing.length === 0 && this.#timer === null) unwritten.drop(id);
    // Sums of keys and persons that are on the disk can be read again.
    const isHeld = (name: string): boolean =>
      state.leases.reserved.has(name) || waiting.writing.some(({ batch }) => batch.nodes.has(name));
    forgetIdle(state.nodes, { most: mostNodes, isHeld });
    written(recovered);
  }

  #trim({ conversations }: Batch): void {
    this.#conversations += conversations.size;
    if (this.#conversations < conversationsBetweenTrims) return;
    this.#conversations = 0;
    trimConversations(this.#context.storage.sql);
  }

  #schedule(): void {
    const { failure, batch } = this.#waiting;
    if (batch.rows.length === batchRows && this.#timer !== null && failure === undefined) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#writeInTime(), 0);
    }
    if (this.#timer !== null) return;
    unwritten.keep(this.#context.id, this.#waiting);
    const now = Date.now();
    const wait =
      failure === undefined ? nextBatchIn(this.#context.boot, now) : failure.retryAt - now;
    this.#timer = setTimeout(() => this.#writeInTime(), Math.max(0, wait));
  }

  /** A disk that fails must not stop admission: the batch is kept, and tried again. */
  #writeInTime(): void {
    try {
      this.#write();
    } catch (error) {
      console.error(`a batch could not be written: ${String(error)}`);
    }
  }
}

function withoutText({ text: _text, ...record }: RequestRecord): RequestRecord {
  return record;
}
