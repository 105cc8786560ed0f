/** How requests end: settled, renewed or lost; and what limits said no to. Everything is booked once. */
import { pairKey } from "./rules/answer-lengths.ts";
import type { RequestRecord } from "./contract/contract.ts";
import type { Journal } from "./storage/journal.ts";
import type { LeaseOwner } from "./lease-target.ts";
import { leaseTime, type LeaseState, overdue } from "./rules/lease.ts";
import { blockKey, type BlockRecord, readBlocks, writeBlock } from "./storage/registry.ts";
import type { RollupRow } from "./rules/rollup.ts";
import { abandon, crossed, reverse, settle } from "./rules/settlement.ts";
import { sessionNames, type WorkspaceState } from "./rules/state.ts";

/** Lost requests whose late settlement can still be set right. */
const mostAbandoned = 200;
/** Blocks of the past that are remembered, so that a period's second one is counted and not written anew. */
const knownBlocks = 1000;

export class Books implements LeaseOwner {
  readonly #sql: SqlStorage;
  readonly #state: WorkspaceState;
  readonly #journal: Journal;
  /** What was booked for lost requests, in case their settlement comes after all. */
  readonly #abandoned = new Map<string, RollupRow[]>();
  readonly #blocks = new Map<string, BlockRecord>();

  constructor(sql: SqlStorage, state: WorkspaceState, journal: Journal) {
    this.#sql = sql;
    this.#state = state;
    this.#journal = journal;
    for (const block of readBlocks(sql, knownBlocks)) this.#blocks.set(blockKey(block), block);
  }

  /** Whatever ends a request a second time is too late. */
  settle(id: string, given: RequestRecord): void {
    const record = given.id === id ? given : { ...given, id };
    const abandoned = this.#abandoned.get(id);
    if (abandoned !== undefined) {
      this.#abandoned.delete(id);
      this.#journal.addSums(reverse(this.#state, abandoned, { record, now: Date.now() }));
    } else if (!this.#state.leases.byId.has(id)) return;
    this.#book(record);
  }

  /** The lease's stub died with an earlier instance of the object, perhaps with the lease itself. */
  settleLate(record: RequestRecord): void {
    const { id } = record;
    if (this.#state.leases.byId.has(id) || this.#abandoned.has(id)) this.settle(id, record);
    else if (!this.#journal.isLogged(id)) this.#book(record);
  }

  renew(id: string): void {
    const lease = this.#state.leases.byId.get(id);
    if (lease === undefined) return;
    lease.expires = Date.now() + leaseTime;
    this.#journal.touchLive();
  }

  lost(id: string): void {
    const lease = this.#state.leases.byId.get(id);
    if (lease !== undefined) this.lose(lease);
  }

  lose(lease: LeaseState): void {
    const rows = abandon(this.#state, lease, Date.now());
    this.#journal.addSums(rows);
    this.#abandoned.set(lease.id, rows);
    const oldest = this.#abandoned.keys().next().value;
    if (this.#abandoned.size > mostAbandoned && oldest !== undefined)
      this.#abandoned.delete(oldest);
    this.#journal.touchLive();
  }

  /** Ends the leases that nobody renewed. */
  sweep(now: number): void {
    for (const lease of overdue(this.#state.leases, now)) this.lose(lease);
  }

  /** Whether it is the first of its period; that one is on the disk when this returns. */
  countBlock(block: Omit<BlockRecord, "first" | "last" | "count">, now: number): boolean {
    const key = blockKey(block);
    const known = this.#blocks.get(key);
    if (known === undefined) {
      const fresh = { ...block, first: now, last: now, count: 1 };
      this.#blocks.set(key, fresh);
      writeBlock(this.#sql, fresh);
      return true;
    }
    if (block.action === "block") {
      Object.assign(known, { last: now, used: block.used, count: known.count + 1 });
      this.#journal.touchBlock(known);
    }
    return false;
  }

  #book(record: RequestRecord): void {
    const now = Date.now();
    const { harness } = record;
    this.#journal.addSums(settle(this.#state, record, now));
    for (const name of sessionNames(record)) this.#journal.touchSession(name);
    if (record.observed !== undefined) this.#journal.touchOutcomes(harness);
    for (const { model } of record.attempts) {
      const pair = pairKey(harness, model);
      if (this.#state.answers.has(pair)) this.#journal.touchAnswers(pair);
    }
    for (const { entry, used, start } of crossed(this.#state, harness, now)) {
      this.countBlock({ harness, ...entry, start, used }, now);
    }
    this.#journal.append(record);
    this.#journal.touchLive();
  }
}
