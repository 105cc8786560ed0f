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
import { decide, foresee, keyRefusal, rateOf, windowOf } from "./rules/admission.ts";
import { Books } from "./books.ts";
import type {
  AdmitAnswer,
  AdmitRequest,
  ForeseeRequest,
  Foresight,
  Outcomes,
  RateState,
  Refusal,
  RequestRecord,
} from "./contract/contract.ts";
import { coolingNow } from "./rules/cooldown.ts";
import { defaultWorkspace } from "./accounts/directory-object.ts";
import { Journal } from "./storage/journal.ts";
import { LeaseTarget } from "./lease-target.ts";
import { createLedger, findRow, listRows, listSums } from "./storage/ledger.ts";
import type { LoggedRow, RowFilter, SumQuestion, SumRow } from "./storage/ledger.ts";
import { type LimitView, limitViews } from "./rules/limit-view.ts";
import { load, loadLeases, loadSpend } from "./storage/load.ts";
import { policyOf } from "../policy/limits.ts";
import { publishKey, publishSnapshot, unpublishKey } from "./publish.ts";
import { type BlockRecord, createRegistry, readBlocks } from "./storage/registry.ts";
import { removeKey, removeOutcomes } from "./storage/registry.ts";
import { writeDocument, writeKey, writeMeta } from "./storage/registry.ts";
import { spentIn } from "./rules/spend.ts";
import { wholeWorkspace, withSnapshot, type WorkspaceState } from "./rules/state.ts";
import { slide } from "./rules/window.ts";

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
  readonly #journal: Journal;
  readonly #books: Books;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    createRegistry(this.#sql);
    createLedger(this.#sql);
    this.#state = load({
      sql: this.#sql,
      policy: policyOf(env),
      workspace: ctx.id.name ?? defaultWorkspace,
      firstDocument: firstDocument(modeOf(env)),
      now: Date.now(),
    });
    const boot = env.BOOT_ID ?? null;
    this.#journal = new Journal(ctx.storage, this.#state, boot);
    this.#books = new Books(this.#sql, this.#state, this.#journal);
    for (const lease of loadLeases(this.#state, this.#sql, boot)) this.#books.lose(lease);
    // A list of encryption keys means that the older ones are about to go.
    if (env.ENCRYPTION_KEY.includes(","))
      void ctx.blockConcurrencyWhile(() => this.#renewSecrets());
  }

  // Requests

  /** One request: every check and every count in one go, without waiting for anything. */
  admit(request: AdmitRequest): AdmitAnswer {
    const now = Date.now();
    this.#books.sweep(now);
    const decision = decide(this.#state, request, now);
    switch (decision.verdict) {
      case "stale":
        return decision;
      case "refused":
        if (decision.refusal.code === "M200") this.#noteBlock(request, decision.refusal, now);
        return decision;
      case "admitted": {
        const key = this.#state.keys.get(request.keyHash);
        if (key !== undefined) this.#journal.useKey(key.id, now);
        this.#journal.touchLive();
        const { lease } = decision;
        return {
          ...decision,
          lease: lease === null ? null : new LeaseTarget(lease.id, this.#books),
        };
      }
      default:
        return decision satisfies never;
    }
  }

  /** Settles through the object itself, where the lease's stub died with an earlier instance of the object. */
  settleLate(record: RequestRecord): void {
    this.#books.settleLate(record);
  }

  renewLate(id: string): void {
    this.#books.renew(id);
  }

  /** A call that was refused or failed before admission: a row of the log, no sums. */
  log(record: RequestRecord): void {
    this.#journal.append(record);
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
    this.#journal.flush();
    this.ctx.storage.transactionSync(() => {
      writeDocument(this.#sql, config, next.generation);
      for (const key of gone) removeKey(this.#sql, key.id);
      for (const harness of this.#state.outcomes.keys())
        if (!kept.has(harness)) this.forgetOutcomes(harness);
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
      const used = this.#journal.lastUse(key.id);
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

  /** What a request would meet now; nothing is counted. */
  foresee(request: ForeseeRequest): Foresight {
    const now = Date.now();
    this.#books.sweep(now);
    return foresee(this.#state, request, now);
  }

  /** What the harness's requests came to, by tier. */
  outcomes(harness: string): Outcomes {
    return this.#state.outcomes.get(harness) ?? {};
  }

  /** Gone from the disk before it is acknowledged. */
  forgetOutcomes(harness: string): void {
    removeOutcomes(this.#sql, harness);
    this.#state.outcomes.delete(harness);
  }

  setQuota(monthlyRequests: number | null): void {
    writeMeta(this.#sql, "quota", monthlyRequests);
    this.#state.monthlyRequests = monthlyRequests;
  }

  // Views

  /** Newest first. */
  listRequests(filter: RowFilter): LoggedRow[] {
    this.#journal.flush();
    return listRows(this.#sql, filter);
  }

  findRequest(id: string): RequestRecord | undefined {
    this.#journal.flush();
    return findRow(this.#sql, id);
  }

  sums(question: SumQuestion): SumRow[] {
    this.#journal.flush();
    return listSums(this.#sql, question);
  }

  /** Rows that came after `seq`, oldest first, a hundred at most; memory only, for live views. */
  changesSince(seq: number): { seq: number; generation: number; rows: LoggedRow[] } {
    const rows = this.#journal.since(seq).slice(-100);
    return { seq: this.#journal.seq, generation: this.#state.snapshot.generation, rows };
  }

  limits(): LimitView[] {
    return limitViews(this.#state, Date.now());
  }

  /** Newest first. */
  blocks(limit: number): BlockRecord[] {
    this.#journal.flush();
    return readBlocks(this.#sql, limit);
  }

  status(): WorkspaceStatus {
    const now = Date.now();
    this.#books.sweep(now);
    const state = this.#state;
    const month = spentIn(state.spend, state.calendar, {
      harness: wholeWorkspace,
      period: "month",
      now,
    });
    const window = state.policy.variant === "A" ? windowOf(state, "") : undefined;
    if (window !== undefined) slide(window, now);
    return {
      generation: state.snapshot.generation,
      seq: this.#journal.seq,
      inFlight: state.leases.byId.size,
      rate: rateOf(window, now),
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
    const block = { harness, metric, period, max: limit, action: "block", start, used } as const;
    // The first block of a period is acknowledged with everything that led to it on the disk.
    if (this.#books.countBlock(block, now)) this.#journal.flush();
  }
}
