/** The log of requests as it is read: with what was booked a moment ago, and the names that keys have today. */
import type {
  LogChanges,
  RowConditions,
  RowFilter,
  RowPage,
  RowTotals,
} from "./contract/reports.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import type { WorkspaceState } from "./rules/state.ts";
import {
  addUpRows,
  pageRows,
  searchedAtOnce,
  type SearchContext,
} from "./storage/request-search.ts";
import { findRow } from "./storage/tables/request-log.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Rows of the log that one question of a live view is answered with. */
const mostChanges = 100;

/** What the log is read with. */
export interface RequestLogContext {
  readonly log: SearchContext;
  readonly writes: WriteBehind;
  readonly state: WorkspaceState;
}

/** Answers questions about rows; every answer begins with what waits to be written. */
export class RequestLog {
  readonly #context: RequestLogContext;

  constructor(context: RequestLogContext) {
    this.#context = context;
  }

  /** Newest first, as many as were asked for, fit into one answer and are found in about a second. */
  async search(filter: RowFilter): Promise<RowPage> {
    return await pageRows(this.#written(), filter, searchedAtOnce);
  }

  /** The same from the last row on, which is needed. */
  async page(filter: RowFilter): Promise<RowPage> {
    return await pageRows(this.#written(), filter);
  }

  /** What the rows that match come to. */
  async addUp(conditions: RowConditions): Promise<RowTotals> {
    return await addUpRows(this.#written(), conditions);
  }

  /** Undefined: there is no such row. */
  async find(id: string): Promise<RequestRecord | undefined> {
    const log = this.#written();
    const record = await findRow(log, id);
    return record === undefined ? undefined : log.named(record);
  }

  /** Rows that came after `seq`, for live views. */
  changesSince(seq: number): LogChanges {
    const { log, writes, state } = this.#context;
    const newest = writes.since(seq, mostChanges);
    const rows = newest.map((row) => ({ ...row, record: log.named(row.record) }));
    return { seq: writes.seq, generation: state.snapshot.generation, rows };
  }

  /** Done when a slice of whatever is read beside may run. */
  async turn(): Promise<void> {
    await this.#context.log.turns.pause();
  }

  #written(): SearchContext {
    this.#context.writes.flushForReader();
    return this.#context.log;
  }
}
