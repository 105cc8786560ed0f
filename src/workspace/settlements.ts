/** How admitted requests end: settled, or lost when nobody renews their leases. Each is booked once. */
import type { RequestRecord } from "./contract/request-record.ts";
import type { LimitBlocks } from "./limit-blocks.ts";
import { pairKey } from "./rules/answer-lengths.ts";
import { type LeaseState, leaseTime, overdue } from "./rules/lease.ts";
import type { RollupRow } from "./rules/rollup.ts";
import { abandonRequest, crossed, reverseAbandoned, settleRequest } from "./rules/settlement.ts";
import { conversationKeys, type WorkspaceState } from "./rules/state.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Lost requests whose late settlement can still be set right. */
const mostAbandoned = 200;

/** What settling reads and changes. */
export interface SettlementContext {
  state: WorkspaceState;
  writes: WriteBehind;
  blocks: LimitBlocks;
}

/** Ends leases and books their requests. */
export class Settlements {
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #blocks: LimitBlocks;
  /** What was booked for lost requests, in case their settlement comes after all. */
  readonly #abandoned = new Map<string, RollupRow[]>();

  constructor({ state, writes, blocks }: SettlementContext) {
    this.#state = state;
    this.#writes = writes;
    this.#blocks = blocks;
  }

  /**
   * Ends the request's lease and books it; a second time changes nothing. A request whose lease is not known
   * is booked too: the lease may have been lost with an earlier instance of the object.
   */
  settle(record: RequestRecord): void {
    const { id } = record;
    const abandoned = this.#abandoned.get(id);
    if (abandoned !== undefined) {
      this.#abandoned.delete(id);
      const now = Date.now();
      this.#writes.addSums(reverseAbandoned(this.#state, abandoned, { record, now }));
    } else if (!this.#state.leases.byId.has(id) && this.#writes.isLogged(id)) return;
    this.#book(record);
  }

  /** The request still runs: its lease begins anew. One that ended stays ended. */
  renew(id: string): void {
    const lease = this.#state.leases.byId.get(id);
    if (lease === undefined) return;
    lease.expires = Date.now() + leaseTime;
    this.#writes.changed({ leases: true });
  }

  /** Ends a request whose caller is gone. */
  abandon(lease: LeaseState): void {
    const rows = abandonRequest(this.#state, lease, Date.now());
    this.#writes.addSums(rows);
    this.#writes.changed({ leases: true });
    this.#abandoned.set(lease.id, rows);
    const oldest = this.#abandoned.keys().next().value;
    if (this.#abandoned.size > mostAbandoned && oldest !== undefined)
      this.#abandoned.delete(oldest);
  }

  /** Ends the leases that nobody renewed. */
  endOverdue(now: number): void {
    for (const lease of overdue(this.#state.leases, now)) this.abandon(lease);
  }

  #book(record: RequestRecord): void {
    const now = Date.now();
    const { harness } = record;
    this.#writes.addSums(settleRequest(this.#state, record, now));
    const pairs = record.attempts.map(({ model }) => pairKey(harness, model));
    this.#writes.changed({
      leases: true,
      sessions: conversationKeys(record),
      answers: pairs.filter((pair) => this.#state.answers.has(pair)),
      ...(record.observed !== undefined && { outcomes: harness }),
    });
    for (const { entry, used, start } of crossed(this.#state, harness, now)) {
      this.#blocks.count({ harness, ...entry, start, used }, now);
    }
    this.#writes.append(record);
  }
}
