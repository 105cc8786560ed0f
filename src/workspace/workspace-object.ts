/**
 * The object that is the truth of one workspace. It decides in memory and writes in batches; only the
 * document, keys and first blocks are on the disk before they are acknowledged.
 *
 * Every public method is called over RPC, for the minutes of a roll-out also by the version before: names stay,
 * parameters and answers are plain data (see `contract/`).
 */
import { problemCodes } from "../core/problem.ts";
import { DurableObject } from "cloudflare:workers";
import { policyOf } from "../policy/choose.ts";
import type { BudgetRefusal } from "../policy/refusal.ts";
import type { Config } from "../store/config.ts";
import { firstDocument } from "../store/defaults.ts";
import { type Env, modeOf } from "../store/env.ts";
import { hasPlainSecrets } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import { defaultWorkspace } from "./accounts/workspaces.ts";
import { Configuration } from "./configuration.ts";
import type { AdmitAnswer, AdmitRequest, ForeseeRequest, Foresight } from "./contract/admission.ts";
import type { IdentifyAnswer } from "./contract/identity.ts";
import type { Outcomes } from "./contract/outcomes.ts";
import type {
  BlockRecord,
  LimitView,
  LogChanges,
  LoggedRow,
  RowFilter,
  SumQuestion,
  SumRow,
  WorkspaceStatus,
} from "./contract/reports.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import { LimitBlocks } from "./limit-blocks.ts";
import { decide, foresee, keyRefusal } from "./rules/admission.ts";
import { limitViews } from "./rules/limit-view.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { statusOf } from "./rules/status.ts";
import { Settlements } from "./settlements.ts";
import { readBlocks } from "./storage/blocks.ts";
import { writeQuota } from "./storage/document.ts";
import { loadLeases, loadState } from "./storage/load.ts";
import { workspaceMigrations } from "./storage/migrations.ts";
import { findRow, listRows } from "./storage/request-log.ts";
import { migrate } from "./storage/schema-version.ts";
import { listSums } from "./storage/sums.ts";
import { WriteBehind } from "./storage/write-behind.ts";

/** Rows of the log that one question of a live view is answered with. */
const mostChanges = 100;

/** One workspace. The class name is part of the stored state: it never changes. */
export class WorkspaceObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #blocks: LimitBlocks;
  readonly #settlements: Settlements;
  readonly #configuration: Configuration;

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, workspaceMigrations);
    this.#sql = ctx.storage.sql;
    this.#state = loadState({
      sql: this.#sql,
      limits: policyOf(env),
      workspace: ctx.id.name ?? defaultWorkspace,
      firstDocument: firstDocument(modeOf(env)),
      now: Date.now(),
    });
    const boot = env.BOOT_ID ?? null;
    const state = this.#state;
    const writes = new WriteBehind(ctx.storage, state, boot);
    this.#writes = writes;
    this.#blocks = new LimitBlocks(this.#sql, writes);
    this.#settlements = new Settlements({ state, writes, blocks: this.#blocks });
    this.#configuration = new Configuration({ ctx, env, state, writes });
    for (const lease of loadLeases(state, this.#sql, boot)) this.#settlements.abandon(lease);
    // A list of encryption keys means that the older ones are about to go.
    if (env.ENCRYPTION_KEY.includes(",") || hasPlainSecrets(state.snapshot.config))
      void ctx.blockConcurrencyWhile(() => this.#configuration.renewSecrets());
  }

  // Requests

  /** One request: every check and every count in one go, without waiting for anything. */
  admit(request: AdmitRequest): AdmitAnswer {
    const now = Date.now();
    this.#settlements.endOverdue(now);
    const answer = decide(this.#state, request, now);
    if (answer.verdict === "refused" && answer.refusal.code === problemCodes.limitReached) {
      this.#countBlock(request, answer.refusal, now);
    }
    if (answer.verdict === "admitted") {
      const key = this.#state.keys.get(request.keyHash);
      if (key !== undefined) this.#writes.useKey(key.id, now);
      this.#writes.changed({ windows: true, ...(answer.lease !== null && { leases: true }) });
    }
    return answer;
  }

  /**
   * Ends the lease with the record's id and books the request; safe to call twice. Its name and `renewLate`'s are
   * from the version before, which called them where the stub of its lease had died: so that version can end and
   * renew the plain leases that this one grants, and this one those of an object that still runs that version.
   */
  settleLate(record: RequestRecord): void {
    this.#settlements.settle(record);
  }

  /** The request still runs: its lease does not expire. */
  renewLate(id: string): void {
    this.#settlements.renew(id);
  }

  /** A call that was refused or failed before admission: a row of the log, no sums. */
  log(record: RequestRecord): void {
    this.#writes.append(record);
  }

  /** The key's holder and what it may do; the refusal when the key is not good. */
  identify(keyHash: string): IdentifyAnswer {
    const key = this.#state.keys.get(keyHash);
    if (key === undefined) return { refusal: problemCodes.unknownKey };
    return keyRefusal(key, Date.now()) === undefined
      ? { snapshot: this.#state.snapshot, key }
      : { refusal: problemCodes.expiredKey };
  }

  /** What a request would meet now; nothing is counted. */
  foresee(request: ForeseeRequest): Foresight {
    const now = Date.now();
    this.#settlements.endOverdue(now);
    return foresee(this.#state, request, now);
  }

  // Document and keys

  snapshot(): Snapshot {
    return this.#state.snapshot;
  }

  /** Replaces the document, unless it changed since `generation`: then the caller reads it anew. */
  putConfig(config: Config, generation: number): { ok: boolean; generation: number } {
    return this.#configuration.put(config, generation);
  }

  /** False: there is no such harness. */
  createKey(key: KeyRecord): boolean {
    return this.#configuration.createKey(key);
  }

  /** Oldest first; undefined when there is no such harness. */
  listKeys(harness: string): KeyRecord[] | undefined {
    return this.#configuration.listKeys(harness);
  }

  /** False: the harness has no such key. */
  deleteKey(harness: string, id: string): boolean {
    return this.#configuration.deleteKey(harness, id);
  }

  /** What the harness's requests came to, by tier. */
  outcomes(harness: string): Outcomes {
    return this.#state.outcomes.get(harness) ?? {};
  }

  /** Gone from the disk before it is acknowledged. */
  forgetOutcomes(harness: string): void {
    this.#configuration.forgetOutcomes(harness);
  }

  /** Requests a month; null: no quota. */
  setQuota(monthlyRequests: number | null): void {
    writeQuota(this.#sql, monthlyRequests);
    this.#state.monthlyRequests = monthlyRequests;
  }

  // Reports

  /** Newest first. */
  listRequests(filter: RowFilter): LoggedRow[] {
    this.#writes.flush();
    return listRows(this.#sql, filter);
  }

  findRequest(id: string): RequestRecord | undefined {
    this.#writes.flush();
    return findRow(this.#sql, id);
  }

  /** Oldest first. */
  sums(question: SumQuestion): SumRow[] {
    this.#writes.flush();
    return listSums(this.#sql, question);
  }

  /** Rows that came after `seq`; memory only, for live views. */
  changesSince(seq: number): LogChanges {
    const rows = this.#writes.since(seq).slice(-mostChanges);
    return { seq: this.#writes.seq, generation: this.#state.snapshot.generation, rows };
  }

  limits(): LimitView[] {
    return limitViews(this.#state, Date.now());
  }

  /** Newest first. */
  blocks(limit: number): BlockRecord[] {
    this.#writes.flush();
    return readBlocks(this.#sql, limit);
  }

  status(): WorkspaceStatus {
    const now = Date.now();
    this.#settlements.endOverdue(now);
    return { ...statusOf(this.#state, now), seq: this.#writes.seq };
  }

  /** The first block of a period is acknowledged with everything that led to it on the disk. */
  #countBlock(request: AdmitRequest, refusal: BudgetRefusal, now: number): void {
    const harness = this.#state.keys.get(request.keyHash)?.harness ?? request.harness;
    const { metric, period, limit, used } = refusal;
    const { start } = this.#state.calendar.span(period, now);
    const block = { harness, metric, period, max: limit, action: "block", start, used } as const;
    if (this.#blocks.count(block, now)) this.#writes.flush();
  }
}
