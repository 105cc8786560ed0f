/**
 * The object that is the truth of one workspace. It decides in memory and writes in batches; only the
 * document, keys and first blocks are on the disk before they are acknowledged.
 */
import { DurableObject } from "cloudflare:workers";
import type { Config } from "../store/config.ts";
import { firstDocument } from "../store/defaults.ts";
import { modeOf, type Env } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { renewedConfig } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import { decide, keyRefusal, rateOf, windowOf } from "./admission.ts";
import { pairKey } from "./answers.ts";
import { addToBatch, type Batch, newBatch, writeBatch } from "./batch.ts";
import type { AdmitAnswer, AdmitRequest, RateState, Refusal, RequestRecord } from "./contract.ts";
import { coolingNow } from "./cooldown.ts";
import { LeaseTarget, type LeaseOwner } from "./lease-target.ts";
import { leaseTime, type LeaseState, overdue } from "./lease.ts";
import {
  createLedger,
  findRow,
  hasRow,
  keptRows,
  listRows,
  listSums,
  newestSeq,
} from "./ledger.ts";
import type { LoggedRow, RowFilter, SumQuestion, SumRow } from "./ledger.ts";
import { load, loadLeases, loadSpend } from "./load.ts";
import { limitViews, type LimitView } from "./limit-view.ts";
import { policyOf } from "./policy.ts";
import { publishKey, publishSnapshot, unpublishKey } from "./publish.ts";
import {
  blockKey,
  type BlockRecord,
  createRegistry,
  readBlocks,
  removeKey,
  writeBlock,
} from "./registry.ts";
import { writeDocument, writeKey, writeMeta } from "./registry.ts";
import type { RollupRow } from "./rollup.ts";
import { abandon, crossed, reverse, settle } from "./settlement.ts";
import { spentIn } from "./spend.ts";
import { sessionKey, wholeWorkspace, withSnapshot, type WorkspaceState } from "./state.ts";

/** Milliseconds between batches; what a crash may lose. */
const batchInterval = 500;
/** So many rows are written at once, so that a busy second is not one long stall. */
const batchRows = 500;
/** Rows that live views can ask for without touching the disk. */
const recentRows = 200;
const mostAbandoned = 200;

export interface Found {
  snapshot: Snapshot;
  key: KeyRecord;
}

export interface WorkspaceStatus {
  generation: number;
  seq: number;
  inFlight: number;
  rate: RateState | null;
  monthly: { limit: number | null; used: number };
  cooling: Record<string, number>;
}

export class WorkspaceObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #state: WorkspaceState;
  readonly #boot: string | null;
  readonly #owner: LeaseOwner;
  #batch: Batch = newBatch();
  #timer: number | null = null;
  #seq: number;
  #recent: LoggedRow[] = [];
  /** Booked as lost, in case their settlement comes after all. */
  readonly #abandoned = new Map<string, RollupRow[]>();
  /** Blocks of the running periods, by limit. */
  readonly #blocks = new Map<string, BlockRecord>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#boot = env.BOOT_ID ?? null;
    createRegistry(this.#sql);
    createLedger(this.#sql);
    const workspace = ctx.id.name ?? "default";
    const now = Date.now();
    this.#state = load({
      sql: this.#sql,
      policy: policyOf(env),
      workspace,
      firstDocument: firstDocument(modeOf(env)),
      now,
    });
    this.#seq = newestSeq(this.#sql);
    for (const block of readBlocks(this.#sql, 1000)) this.#blocks.set(blockKey(block), block);
    this.#owner = {
      settle: (id, record) => this.#settle(id, record),
      renew: (id) => this.#renew(id),
      lost: (id) => this.#lose(this.#state.leases.byId.get(id)),
    };
    for (const lease of loadLeases(this.#state, this.#sql, this.#boot)) this.#lose(lease);
    // A list of encryption keys means that the older ones are about to go.
    if (env.ENCRYPTION_KEY.includes(","))
      void ctx.blockConcurrencyWhile(() => this.#renewSecrets());
  }

  // Requests

  /** One request: every check and every count in one go, without waiting for anything. */
  admit(request: AdmitRequest): AdmitAnswer {
    const now = Date.now();
    this.#sweep(now);
    const decision = decide(this.#state, request, now);
    switch (decision.verdict) {
      case "stale":
        return decision;
      case "refused":
        if (decision.refusal.code === "M200") this.#noteBlock(request, decision.refusal, now);
        return decision;
      case "admitted": {
        const key = this.#state.keys.get(request.keyHash);
        if (key !== undefined) this.#batch.used.set(key.id, now);
        this.#touchLive();
        const { lease } = decision;
        return {
          ...decision,
          lease: lease === null ? null : new LeaseTarget(lease.id, this.#owner),
        };
      }
      default:
        return decision satisfies never;
    }
  }

  /** Settles through the object itself, where the lease's stub died with an earlier instance of the object. */
  settleLate(record: RequestRecord): void {
    if (this.#state.leases.byId.has(record.id) || this.#abandoned.has(record.id)) {
      this.#settle(record.id, record);
    } else if (!this.#isLogged(record.id)) this.#book(record);
  }

  renewLate(id: string): void {
    this.#renew(id);
  }

  /** A call that was refused or failed before admission: a row of the log, no sums. */
  log(record: RequestRecord): void {
    this.#append(record);
    this.#schedule();
  }

  /** The key's holder and what it may do; the refusal when the key is not good. */
  identify(keyHash: string): Found | { refusal: "M004" | "M005" } {
    const key = this.#state.keys.get(keyHash);
    if (key === undefined) return { refusal: "M005" };
    return keyRefusal(key, Date.now()) === undefined
      ? { snapshot: this.#state.snapshot, key }
      : { refusal: "M004" };
  }

  // Document and keys

  snapshot(): Snapshot {
    return this.#state.snapshot;
  }

  /** Replaces the document, unless it changed since `generation`: then the caller reads it anew. */
  putConfig(config: Config, generation: number): { ok: boolean; generation: number } {
    const before = this.#state.snapshot.generation;
    if (generation !== before) return { ok: false, generation: before };
    const kept = new Set((config.harnesses ?? []).map((harness) => harness.id));
    const gone = [...this.#state.keys.values()].filter((key) => !kept.has(key.harness));
    const next = { ...this.#state.snapshot, config, generation: before + 1 };
    const timezone = this.#state.calendar.timezone;
    this.#flush();
    this.ctx.storage.transactionSync(() => {
      writeDocument(this.#sql, config, next.generation);
      for (const key of gone) removeKey(this.#sql, key.id);
    });
    withSnapshot(this.#state, next);
    for (const key of gone) this.#forget(key);
    if (this.#state.calendar.timezone !== timezone) loadSpend(this.#state, this.#sql, Date.now());
    publishSnapshot(this.ctx, this.env, next);
    return { ok: true, generation: next.generation };
  }

  createKey(key: KeyRecord): boolean {
    if (!this.#state.harnesses.has(key.harness)) return false;
    writeKey(this.#sql, key);
    this.#state.keys.set(key.hash, key);
    publishKey(this.ctx, this.env, { key, snapshot: this.#state.snapshot });
    return true;
  }

  /** Oldest first; undefined when there is no such harness. */
  listKeys(harness: string): KeyRecord[] | undefined {
    if (!this.#state.harnesses.has(harness)) return undefined;
    const keys = [...this.#state.keys.values()].filter((key) => key.harness === harness);
    return keys.map((key) => {
      const used = this.#batch.used.get(key.id);
      return used === undefined ? key : { ...key, last_used_at: new Date(used).toISOString() };
    });
  }

  deleteKey(harness: string, id: string): boolean {
    const key = [...this.#state.keys.values()].find(
      (entry) => entry.id === id && entry.harness === harness,
    );
    if (key === undefined) return false;
    removeKey(this.#sql, id);
    this.#forget(key);
    return true;
  }

  setQuota(monthlyRequests: number | null): void {
    writeMeta(this.#sql, "quota", monthlyRequests);
    this.#state.monthlyRequests = monthlyRequests;
  }

  // Views

  /** Newest first. */
  listRequests(filter: RowFilter): LoggedRow[] {
    this.#flush();
    return listRows(this.#sql, filter);
  }

  findRequest(id: string): RequestRecord | undefined {
    this.#flush();
    return findRow(this.#sql, id);
  }

  sums(question: SumQuestion): SumRow[] {
    this.#flush();
    return listSums(this.#sql, question);
  }

  /** Rows that came after `seq`, oldest first, a hundred at most; memory only, for live views. */
  changesSince(seq: number): { seq: number; generation: number; rows: LoggedRow[] } {
    const rows = this.#recent.filter((row) => row.seq > seq).slice(-100);
    return { seq: this.#seq, generation: this.#state.snapshot.generation, rows };
  }

  limits(): LimitView[] {
    return limitViews(this.#state, Date.now());
  }

  /** Newest first. */
  blocks(limit: number): BlockRecord[] {
    this.#flush();
    return readBlocks(this.#sql, limit);
  }

  status(): WorkspaceStatus {
    const now = Date.now();
    this.#sweep(now);
    const state = this.#state;
    const month = spentIn(state.spend, state.calendar, {
      harness: wholeWorkspace,
      period: "month",
      now,
    });
    const rate = state.policy.variant === "A" ? rateOf(windowOf(state, ""), now) : null;
    return {
      generation: state.snapshot.generation,
      seq: this.#seq,
      inFlight: state.leases.byId.size,
      rate,
      monthly: { limit: state.monthlyRequests, used: month.requests + state.leases.byId.size },
      cooling: coolingNow(state.cooling, now),
    };
  }

  // Inside

  async #renewSecrets(): Promise<void> {
    const { workspace, config, generation } = this.#state.snapshot;
    const ring = await keyringOf(this.env.ENCRYPTION_KEY);
    const renewed = await renewedConfig(config, { workspace, ring });
    if (renewed !== undefined) this.putConfig(renewed, generation);
  }

  #settle(id: string, given: RequestRecord): void {
    const record = given.id === id ? given : { ...given, id };
    const abandoned = this.#abandoned.get(id);
    if (abandoned !== undefined) {
      this.#abandoned.delete(id);
      addToBatch(this.#batch, reverse(this.#state, abandoned, { record, now: Date.now() }));
    } else if (!this.#state.leases.byId.has(id)) return;
    this.#book(record);
  }

  #book(record: RequestRecord): void {
    const now = Date.now();
    addToBatch(this.#batch, settle(this.#state, record, now));
    if (record.session !== undefined)
      this.#batch.sessions.add(sessionKey(record.harness, record.session.key));
    for (const { model } of record.attempts) {
      const pair = pairKey(record.harness, model);
      if (this.#state.answers.has(pair)) this.#batch.answers.add(pair);
    }
    for (const { entry, used, start } of crossed(this.#state, record.harness, now)) {
      this.#countBlock({ harness: record.harness, ...entry, start, used }, now);
    }
    this.#append(record);
    this.#touchLive();
  }

  #append(record: RequestRecord): void {
    this.#seq += 1;
    const row = { seq: this.#seq, record };
    this.#batch.rows.push(row);
    this.#recent.push(row);
    if (this.#recent.length > 2 * recentRows) this.#recent = this.#recent.slice(-recentRows);
  }

  #isLogged(id: string): boolean {
    return this.#batch.rows.some((row) => row.record.id === id) || hasRow(this.#sql, id);
  }

  #renew(id: string): void {
    const lease = this.#state.leases.byId.get(id);
    if (lease === undefined) return;
    lease.expires = Date.now() + leaseTime;
    this.#touchLive();
  }

  #lose(lease: LeaseState | undefined): void {
    if (lease === undefined) return;
    const rows = abandon(this.#state, lease, Date.now());
    addToBatch(this.#batch, rows);
    this.#abandoned.set(lease.id, rows);
    const oldest = this.#abandoned.keys().next().value;
    if (this.#abandoned.size > mostAbandoned && oldest !== undefined)
      this.#abandoned.delete(oldest);
    this.#touchLive();
  }

  #sweep(now: number): void {
    for (const lease of overdue(this.#state.leases, now)) this.#lose(lease);
  }

  #forget(key: KeyRecord): void {
    this.#state.keys.delete(key.hash);
    unpublishKey(this.ctx, this.env, key);
  }

  #noteBlock(
    request: AdmitRequest,
    refusal: Extract<Refusal, { code: "M200" }>,
    now: number,
  ): void {
    const harness = this.#state.keys.get(request.keyHash)?.harness ?? request.harness;
    const { metric, period, limit, used } = refusal;
    const { start } = this.#state.calendar.span(period, now);
    const first = this.#countBlock(
      { harness, metric, period, max: limit, action: "block", start, used },
      now,
    );
    // The first block of a period is acknowledged with everything that led to it on the disk.
    if (first) this.#flush();
  }

  /** Whether it is the first of its period. */
  #countBlock(block: Omit<BlockRecord, "first" | "last" | "count">, now: number): boolean {
    const key = blockKey(block);
    const known = this.#blocks.get(key);
    if (known !== undefined) {
      if (block.action === "notify") return false;
      Object.assign(known, { last: now, used: block.used, count: known.count + 1 });
      this.#batch.blocks.add(known);
      this.#schedule();
      return false;
    }
    const fresh = { ...block, first: now, last: now, count: 1 };
    this.#blocks.set(key, fresh);
    writeBlock(this.#sql, fresh);
    return true;
  }

  #touchLive(): void {
    this.#batch.live = true;
    this.#schedule();
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
      this.#flush();
    } catch (error) {
      console.error(`a batch could not be written: ${String(error)}`);
      if (this.#batch.rows.length > keptRows) this.#batch.rows = this.#batch.rows.slice(-keptRows);
    }
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#batch;
    const context = { sql: this.#sql, state: this.#state, boot: this.#boot, now: Date.now() };
    this.ctx.storage.transactionSync(() => writeBatch(batch, context));
    for (const [id, time] of batch.used) this.#rememberUse(id, time);
    this.#batch = newBatch();
  }

  #rememberUse(id: string, time: number): void {
    for (const key of this.#state.keys.values()) {
      if (key.id === id) key.last_used_at = new Date(time).toISOString();
    }
  }
}
