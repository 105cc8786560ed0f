/** How admitted requests end: settled, or lost if their leases are not renewed. Each is booked once. */
import type { LoggedRow } from "./contract/reports.ts";
import type { SentRequest } from "./contract/request-end.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import type { SealedReasoning } from "./contract/sealed-reasoning.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { LimitBlocks } from "./limit-blocks.ts";
import type { CountedNames } from "./counted-names.ts";
import { rollupsOf } from "./rules/sums/rollup.ts";
import type { EventWatch } from "./events/event-watch.ts";
import { type LeaseState, leaseTime, overdue } from "./rules/lease.ts";
import { limitStates } from "./rules/limit-states.ts";
import type { SpendPath } from "./rules/nodes.ts";
import {
  abandonRequest,
  bookedForLost,
  crossed,
  reverseAbandoned,
  settleRequest,
  withPerson,
} from "./rules/settlement.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { writeAnswerLengths } from "./storage/tables/answer-lengths.ts";
import { isSeldomDue } from "./storage/tables/seldom.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** Milliseconds by which the saved end of a lease may lag: a renewal is a written row, and a long stream has many. */
const savedRenewal = 240_000;

/** What settling reads and changes. */
export interface SettlementContext {
  state: WorkspaceState;
  writes: WriteBehind;
  blocks: LimitBlocks;
  names: CountedNames;
  answers: KeptAnswers;
  watch: EventWatch;
  /** When the lengths of answers were saved last, epoch ms, by `pairKey`. */
  savedLengths: Map<string, number>;
}

/** Ends leases and books their requests. */
export class Settlements {
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #blocks: LimitBlocks;
  readonly #names: CountedNames;
  readonly #answers: KeptAnswers;
  readonly #watch: EventWatch;
  readonly #savedLengths: Map<string, number>;
  /** When leases end by what is on the disk, epoch ms; by id. */
  readonly #savedEnds = new Map<string, number>();

  constructor({ state, writes, blocks, names, answers, watch, savedLengths }: SettlementContext) {
    this.#state = state;
    this.#writes = writes;
    this.#blocks = blocks;
    this.#names = names;
    this.#answers = answers;
    this.#watch = watch;
    this.#savedLengths = savedLengths;
  }

  /**
   * Ends the request's lease and books it; a second time changes nothing. A request whose lease is not known
   * is booked too: the lease may have been lost with an earlier instance of the object. `reasoning`: what the answer's
   * client is not expected to bring back.
   */
  settle(record: RequestRecord, reasoning?: SealedReasoning): void {
    const { id } = record;
    if (!this.#state.leases.byId.has(id)) {
      const logged = this.#writes.logged(id);
      if (logged !== undefined && logged.record.lost !== true) return;
      if (logged !== undefined) this.#takeBack(logged, record);
    }
    this.#book(record);
    const { key_id } = record;
    if (reasoning !== undefined && key_id !== undefined) this.#answers.keep(key_id, reasoning);
  }

  /** A request that counted as lost was settled after all: its row, and what was booked with it, go. */
  #takeBack(lost: LoggedRow, record: RequestRecord): void {
    const now = Date.now();
    const booked = bookedForLost(this.#state, lost.record);
    const { rows, path } = reverseAbandoned(this.#state, booked, { record, now });
    this.#writes.addSums(withPerson(this.#names.counted(rows, now), path));
    this.#writes.removeRow(lost.seq);
  }

  /** A request that ended before it was admitted: a row of the log, and as many in the sums. No limit counts it. */
  refuse(record: RequestRecord): void {
    this.#writes.appendRefused(record);
    const { harness, person } = record;
    const rows = this.#names.counted(rollupsOf(record, Date.now()), Date.now());
    const path = { harness, ...(person !== undefined && { person }) };
    this.#writes.countRefused(withPerson(rows, path));
  }

  /** Ends a request as it was sent, which may be not for the first time. */
  end({ ended, again }: SentRequest): void {
    if (ended.kind === "settled") this.settle(ended.record, ended.reasoning);
    else if (again !== true || this.#writes.logged(ended.record.id) === undefined)
      this.refuse(ended.record);
  }

  /** The request still runs: its lease begins anew. One that ended stays ended. */
  renew(id: string): void {
    const lease = this.#state.leases.byId.get(id);
    if (lease === undefined) return;
    lease.expires = Date.now() + leaseTime;
    const saved = this.#savedEnds.get(id) ?? lease.started + leaseTime;
    if (lease.expires - saved < savedRenewal) return;
    this.#savedEnds.set(id, lease.expires);
    this.#writes.changed({ live: true });
  }

  /** Goes on with leases that were saved: they may have been renewed since, and get the time for one renewal more. */
  resume(leases: readonly LeaseState[], now: number): void {
    for (const lease of leases) {
      this.#savedEnds.set(lease.id, lease.expires);
      const latest = Math.min(now + leaseTime, lease.expires + savedRenewal);
      lease.expires = Math.max(lease.expires, latest);
    }
  }

  /** Ends a request whose caller is gone. */
  abandon(lease: LeaseState): void {
    const now = Date.now();
    this.#savedEnds.delete(lease.id);
    const { rows, path, record } = abandonRequest(this.#state, lease, now);
    this.#writes.addSums(withPerson(this.#names.counted(rows, now), path));
    this.#watch.booked(limitStates(this.#state, path, now), now);
    this.#writes.append(record);
  }

  /** Ends leases that were not renewed. */
  endOverdue(now: number): void {
    for (const lease of overdue(this.#state.leases, now)) this.abandon(lease);
  }

  /** The record is not the caller's any longer: see `WriteBehind.append`. */
  #book(record: RequestRecord): void {
    const now = Date.now();
    this.#savedEnds.delete(record.id);
    const { rows, path, names, measured, spent } = settleRequest(this.#state, record, now);
    this.#writes.addSums(withPerson(this.#names.counted(rows, now), path));
    if (record.session !== undefined)
      this.#writes.changed({ conversation: { names, state: record.session.state } });
    if (spent !== undefined)
      this.#writes.changed({ conversation: { names: [spent.name], state: spent.state } });
    for (const pair of measured) this.#saveLengths(pair, now);
    for (const attempt of record.attempts) this.#watch.attempted(attempt, now);
    this.#lookAtLimits(path, now);
    if (path.person !== undefined) record.person = path.person;
    this.#writes.append(record);
  }

  #lookAtLimits(path: SpendPath, now: number): void {
    const limits = limitStates(this.#state, path, now);
    for (const { entry, name, used, start } of crossed(limits)) {
      const { metric, period, max, action } = entry;
      this.#blocks.count({ name, metric, period, max, action, start, used }, now);
    }
    this.#watch.booked(limits, now);
  }

  #saveLengths(pair: string, now: number): void {
    if (!isSeldomDue(this.#savedLengths.get(pair) ?? 0, now)) return;
    this.#savedLengths.set(pair, now);
    this.#writes.changedSeldom(`answers ${pair}`, (sql) => {
      const { lengths } = this.#state.answers.get(pair) ?? { lengths: [] };
      writeAnswerLengths(sql, { name: pair, lengths, saved: now });
    });
  }
}
