/**
 * The object that is the truth of one workspace. It decides in memory and writes in batches; only the
 * document, keys and first blocks are on the disk before they are acknowledged.
 *
 * Every public method is called over RPC, for the minutes of a roll-out also by the version before: names stay,
 * parameters and answers are plain data (see `contract/`).
 */
import { problemCodes } from "../core/problem.ts";
import type { SpendState } from "../core/spend.ts";
import { DurableObject } from "cloudflare:workers";
import type { Config, LimitEntry } from "../store/config.ts";
import { firstDocument } from "../store/defaults.ts";
import { type Env, modeOf } from "../store/env.ts";
import { hasPlainSecrets } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import { Admissions } from "./admissions.ts";
import { Alarm } from "./alarm.ts";
import { AuditLog } from "./audit-log.ts";
import { Configuration, type KeySearch } from "./configuration.ts";
import type { AdmitAnswer, AdmitRequest, ForeseeRequest, Foresight } from "./contract/admission.ts";
import type {
  Actor,
  AuditEvent,
  AuditFilter,
  AuditPage,
  DocumentVersion,
  KeysTouched,
  NextDocument,
} from "./contract/audit.ts";
import type { Delivery, DeliveryPage, EventPage, Webhook, WebhookView } from "./contract/events.ts";
import type { FeedbackChange } from "./contract/feedback.ts";
import type { IdentifyAnswer } from "./contract/identity.ts";
import type { Outcomes } from "./contract/outcomes.ts";
import type {
  BlockRecord,
  DayTotal,
  LimitView,
  LogChanges,
  LogSumQuestion,
  LogSums,
  LoggedRow,
  RowConditions,
  RowFilter,
  RowPage,
  RowTotals,
  SumPage,
  SumQuestion,
  SumRow,
  WorkspaceStatus,
} from "./contract/reports.ts";
import { boundedRecord } from "./contract/record-limits.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import type { SealedReasoning } from "./contract/sealed-reasoning.ts";
import { CountedNames } from "./counted-names.ts";
import { WorkspaceEvents } from "./events/workspace-events.ts";
import { Feedback } from "./feedback.ts";
import { LimitBlocks } from "./limit-blocks.ts";
import { keyRefusal } from "./rules/admission.ts";
import { namedKey } from "./rules/audit/key-facts.ts";
import { type KeyChange, termsOf } from "./rules/key-terms.ts";
import { namedRows } from "./named-rows.ts";
import { PlanTerms } from "./plan-terms.ts";
import {
  type BackupBegin,
  type BackupPage,
  beginBackup,
  type PageAsked,
  readBackupPage,
} from "./backup/read-tables.ts";
import type { RestoreReport, RestoreRows, RestoreTerms } from "./contract/restore.ts";
import { ObjectRestore } from "./object-restore.ts";
import { WorkspaceRestore } from "./backup/workspace-restore.ts";
import { eraseWorkspace } from "./erasure.ts";
import { type Retention, retentionOf } from "./retention.ts";
import { limitViews } from "./rules/limit-view.ts";
import { daysOf } from "./rules/sums/node-sums.ts";
import { hasOwnSums } from "./rules/nodes.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { spendStates } from "./rules/spend-states.ts";
import { statusOf } from "./rules/status.ts";
import { People } from "./people.ts";
import { RequestLog } from "./request-log.ts";
import { Settlements } from "./settlements.ts";
import { readAnswerLengths } from "./storage/tables/answer-lengths.ts";
import { blockRecord, readBlocks } from "./storage/tables/blocks.ts";
import { loadLeases, loadState, takeOver } from "./storage/load.ts";
import { workspaceMigrations } from "./storage/migrations.ts";
import { newestEventSeq, pageEvents, withWaiting } from "./storage/tables/events.ts";
import { takeOverFromOld } from "./storage/opened-by-old.ts";
import { newestSeq } from "./storage/tables/request-log.ts";
import { DeletedWorkspaceError, erasureStage } from "./storage/tables/erasure-mark.ts";
import { ownName } from "./own-name.ts";
import type { StoredPlan } from "./storage/tables/plan.ts";
import { migrate } from "./storage/sql/schema-version.ts";
import { Turns } from "./storage/sql/slices.ts";
import { unwritten } from "./storage/unwritten.ts";
import { WriteBehind } from "./storage/write-behind.ts";
import { SumReports } from "./sum-reports.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { loadMarks, RunningSpend } from "./running-spend.ts";
import { Upkeep, upkeepWish } from "./upkeep.ts";

/** One workspace. The class name is part of the stored state: it never changes. */
export class WorkspaceObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #terms: PlanTerms;
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #audit: AuditLog;
  readonly #settlements: Settlements;
  readonly #configuration: Configuration;
  readonly #admissions: Admissions;
  readonly #people: People;
  readonly #spend: RunningSpend;
  readonly #log: RequestLog;
  readonly #reports: SumReports;
  readonly #upkeep: Upkeep;
  readonly #alarm: Alarm;
  readonly #events: WorkspaceEvents;
  readonly #feedback: Feedback;
  readonly #restore: WorkspaceRestore;
  readonly #objectRestore: ObjectRestore;

  /** Throws NewerStateError and DeletedWorkspaceError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const erasure = erasureStage(ctx.storage.sql);
    if (erasure === "done") throw new DeletedWorkspaceError();
    migrate(ctx.storage, workspaceMigrations);
    takeOverFromOld(ctx.storage, Date.now());
    this.#sql = ctx.storage.sql;
    const { storage } = ctx;
    const { sql } = storage;
    const audit = new AuditLog(sql);
    this.#audit = audit;
    const workspace = ownName(ctx);
    this.#terms = new PlanTerms({ workspace, storage, env, audit });
    const { state, live } = loadState({
      sql,
      limits: this.#terms.limits,
      workspace,
      firstDocument: firstDocument(modeOf(env)),
    });
    this.#state = state;
    const left = unwritten.take(ctx.id.toString(), () => newestSeq(sql));
    if (left !== undefined) takeOver(state, left.state);
    this.#terms.govern(state);
    const alarm = new Alarm(storage);
    this.#alarm = alarm;
    const boot = env.BOOT_ID ?? null;
    const writes = new WriteBehind({
      id: ctx.id.toString(),
      storage,
      state,
      boot,
      left,
      written: (recovered) => this.#written(recovered),
      addEvent: (event) => this.#events.add(event),
    });
    this.#writes = writes;
    const sums = { sql, storage, state, marks: loadMarks(sql), turns: new Turns(workspace) };
    const reports = new SumReports(sums);
    this.#reports = reports;
    this.#upkeep = new Upkeep({ ...sums, alarm, retention: () => this.#retention() });
    const spend = new RunningSpend({ ...sums, writes });
    this.#spend = spend;
    // Turns of its own: the log waits for no upkeep of sums.
    const log = namedRows({ sql, turns: new Turns(workspace), state });
    this.#log = new RequestLog({ log, writes, state });
    this.#feedback = new Feedback({ storage, log, state, writes, audit });
    const ask = (question: SumQuestion): Promise<SumRow[]> => reports.all(question);
    const events = new WorkspaceEvents({ storage, state, env, alarm, audit, writes, sums: ask });
    this.#events = events;
    const { watch } = events;
    const answers = new KeptAnswers(sql, writes);
    const blocks = new LimitBlocks(sql, writes);
    const { lengths, saved: savedLengths } = readAnswerLengths(sql);
    if (left === undefined) state.answers = lengths;
    const names = new CountedNames(sql, state, writes);
    const booking = { state, writes, blocks, answers, watch };
    const settlements = new Settlements({ ...booking, names, savedLengths });
    this.#settlements = settlements;
    this.#admissions = new Admissions({ ...booking, settlements, spend });
    const timezoneChanged = (): void => spend.timezoneChanged();
    const changing = { ctx, env, state, audit, events };
    this.#configuration = new Configuration({ ...changing, writes, timezoneChanged });
    this.#people = new People(changing);
    this.#restore = new WorkspaceRestore({
      storage,
      env,
      workspace,
      migrations: workspaceMigrations,
      note: (by, deed) => audit.note(by, deed),
    });
    this.#objectRestore = new ObjectRestore({ ctx, env, state, writes, restore: this.#restore });
    const lost = left === undefined ? loadLeases(state, live, boot) : [];
    for (const lease of lost) settlements.abandon(lease);
    settlements.resume([...state.leases.byId.values()], Date.now());
    this.#begin(erasure);
  }

  /** Goes on with what the instance before left. */
  #begin(erasure: ReturnType<typeof erasureStage>): void {
    // A list of encryption keys means that the older ones are about to go.
    if (this.env.ENCRYPTION_KEY.includes(",") || hasPlainSecrets(this.#state.snapshot.config))
      void this.ctx.blockConcurrencyWhile(() => this.#configuration.renewSecrets());
    if (erasure === "begun") {
      void this.ctx.blockConcurrencyWhile(() => this.erase());
      return;
    }
    this.#objectRestore.resume();
    // Whatever it wrote would end this instance again.
    if (this.#writes.isFailing) return this.#events.tellOfStorage();
    this.#beginWriting();
  }

  #beginWriting(): void {
    this.#spend.begin();
    this.#events.begin();
    this.#upkeep.begin();
  }

  /** Deletes the workspace: its keys are refused at once, and in the end nothing but a note of it is left. */
  async erase(by?: Actor): Promise<void> {
    this.#events.stop();
    this.#alarm.stop();
    await eraseWorkspace({ ctx: this.ctx, env: this.env, state: this.#state }, by);
    // What is in memory goes too; the next call finds the note.
    setTimeout(() => {
      this.#writes.discard();
      this.ctx.abort("the workspace was deleted");
    }, 0);
  }

  #written(recovered: boolean): void {
    if (recovered) this.#beginWriting();
    this.#upkeep.remind();
    this.#events.written();
  }

  /** What is due in a workspace without requests. */
  override async alarm(): Promise<void> {
    // What is due is looked for when the disk is well again.
    if (this.#writes.isFailing) return;
    const now = Date.now();
    const ofEvents = this.#events.ring(now);
    // An instance that the alarm started knows of nobody's wish.
    if (this.#alarm.takes(upkeepWish, now) || !ofEvents) await this.#upkeep.run();
    await this.#alarm.settle();
  }

  // Requests

  /** One request: it is judged, counted, and waits for a slot where its harness has a queue. */
  admit(request: AdmitRequest): Promise<AdmitAnswer> {
    return this.#admissions.admit(request);
  }

  /** The same, with requests that ended before it. `call`: JSON of an AdmissionCall; returns that of an AdmitAnswer. */
  admitNext(call: string): Promise<string> {
    return this.#admissions.admitNext(call);
  }

  /** Books requests that ended; safe to call twice. `ended` is the JSON of a list of SentRequest. */
  bookEnded(ended: string): void {
    this.#admissions.bookEnded(ended);
  }

  /** The request waits for its slot no more. */
  leaveLine(id: string): void {
    this.#admissions.leave(id);
  }

  /**
   * Ends the lease with the record's id and books the request; safe to call twice. Its name and `renewLate`'s are
   * from the version before, which called them where the stub of its lease had died: so that version can end and
   * renew the plain leases that this one grants, and this one those of an object that still runs that version.
   */
  settleLate(record: RequestRecord, reasoning?: SealedReasoning): void {
    this.#admissions.settle(record, reasoning);
  }

  /** The request still runs: its lease does not expire. */
  renewLate(id: string): void {
    this.#settlements.renew(id);
  }

  /** A call that was refused or failed before admission: a row of the log and of the sums. */
  log(record: RequestRecord): void {
    this.#settlements.refuse(boundedRecord(record));
  }

  /** The key's holder and what it may do; the refusal when the key is not good. */
  identify(keyHash: string): IdentifyAnswer {
    const key = this.#state.keys.get(keyHash);
    if (key === undefined) return { refusal: problemCodes.unknownKey };
    return keyRefusal(key, Date.now()) === undefined
      ? { snapshot: this.#state.snapshot, key, terms: termsOf(this.#state, key) }
      : { refusal: problemCodes.expiredKey };
  }

  /** What a request would meet now; nothing is counted. */
  foresee(request: ForeseeRequest): Promise<Foresight> {
    return this.#admissions.foresee(request);
  }

  /** What the key's person sees of their cost limits. */
  spendStates(keyHash: string): SpendState[] {
    const key = this.#state.keys.get(keyHash);
    return key === undefined ? [] : spendStates(this.#state, key, Date.now());
  }

  // Document and keys

  snapshot(): Snapshot {
    return this.#state.snapshot;
  }

  /** Replaces the document, unless it changed since `generation`: then the caller reads it anew. */
  putConfig(config: Config, generation: number, by?: Actor): { ok: boolean; generation: number } {
    const answer = this.#configuration.put(config, generation, { by });
    if (config.retention !== undefined) this.#upkeep.hurry();
    return answer;
  }

  /** The same, with the document of an earlier version; as the version before calls it. */
  restoreConfig(
    { config, generation, restored }: { config: Config; generation: number; restored: number },
    by?: Actor,
  ): { ok: boolean; generation: number } {
    return this.#configuration.put(config, generation, { by, restored });
  }

  /** Replaces the document, unless it changed since its generation: then the caller reads it anew. */
  changeConfig(
    { config, generation, ...how }: NextDocument,
    by?: Actor,
  ): { ok: boolean; generation: number } {
    const answer = this.#configuration.put(config, generation, { by, ...how });
    if (config.retention !== undefined) this.#upkeep.hurry();
    return answer;
  }

  /** What putting that document in force would mean for keys; `restored`: as that version. Changes nothing. */
  keysTouched(config: Config, restored?: number): KeysTouched {
    const { stopping, returning } = this.#configuration.keysTouched(config, restored);
    return { stopping: stopping.map(namedKey), returning: returning.map(namedKey) };
  }

  /** Number of the document in force. */
  generation(): number {
    return this.#state.snapshot.generation;
  }

  /** The last versions of the document, newest first. */
  versions(limit: number): DocumentVersion[] {
    return this.#configuration.history.list(limit);
  }

  /** A version's document, secrets sealed; undefined when there is no such version. */
  versionDocument(n: number): Config | undefined {
    return this.#configuration.history.document(n);
  }

  /** False: there is no such harness. `left`: the key's person left the workspace. */
  createKey(key: KeyRecord, by?: Actor): boolean | "left" | "full" {
    return this.#configuration.createKey(key, by);
  }

  /** The key as it is now, in force at once; undefined when the harness has no such key. */
  changeKey(
    of: { harness: string; id: string },
    change: KeyChange,
    by?: Actor,
  ): KeyRecord | undefined {
    return this.#configuration.changeKey(of, change, by);
  }

  /** Oldest first; undefined when there is no such harness. */
  listKeys(harness: string): KeyRecord[] | undefined {
    return this.#configuration.listKeys(harness);
  }

  /** Keys by a part of their names. */
  findKeys(search: KeySearch): KeyRecord[] {
    return this.#configuration.findKeys(search);
  }

  /** False: the harness has no such key. */
  deleteKey(harness: string, id: string, by?: Actor): boolean {
    return this.#configuration.deleteKey(harness, id, by);
  }

  /** The key of a program's sign-in, as it is now; undefined when there is no such harness, or the person left. */
  createSignInKey(key: KeyRecord): KeyRecord | undefined {
    return this.#configuration.createSignInKey(key);
  }

  /** The keys of a sign-in that ended are revoked. */
  endSignInKeys(signIn: string): void {
    this.#configuration.endSignInKeys(signIn);
  }

  /** Replaces the limits of a person by the person's id. */
  setPersonLimits(person: string, limits: readonly LimitEntry[], by?: Actor): void {
    this.#people.setLimits(person, limits, by);
  }

  /** By the person's id; only of those who have some. */
  personLimits(): Record<string, readonly LimitEntry[]> {
    return this.#people.limits();
  }

  /** The person leaves: their keys are revoked, and none can be made for them. Ids of the revoked keys. */
  revokePerson(person: string, by?: Actor): string[] {
    return this.#people.revoke(person, by);
  }

  /** The person joined, for the first time or again. */
  welcomePerson(person: string, _by?: Actor): void {
    this.#people.welcome(person);
  }

  /** Days of the last 35, oldest first, of keys and persons by their names (`key:<id>`, `person:<id>`). */
  daysOf(names: readonly string[]): Record<string, readonly DayTotal[]> {
    const known = names.filter(hasOwnSums);
    return Object.fromEntries(known.map((name) => [name, daysOf(this.#state.nodes, name)]));
  }

  /** What the harness's requests came to, by tier. */
  outcomes(harness: string): Outcomes {
    return this.#state.outcomes.get(harness) ?? {};
  }

  /** Gone from the disk before it is acknowledged. */
  forgetOutcomes(harness: string, by?: Actor): void {
    this.#configuration.forgetOutcomes(harness, by);
  }

  /** Saves a person's rating of the model that a request got; false: the log has no such request. */
  async giveFeedback(change: FeedbackChange, by?: Actor): Promise<boolean> {
    return await this.#feedback.give(change, by);
  }

  /** Requests a month; null: as many as the plan says. */
  setQuota(monthlyRequests: number | null, by?: Actor): void {
    this.#terms.setQuota(monthlyRequests, by);
    this.#terms.govern(this.#state);
  }

  /** The workspace's plan, in force with the next admission. Safe to call twice, and in any order. */
  setPlan(plan: StoredPlan, by?: Actor): void {
    this.#terms.setPlan(plan, by);
    this.#terms.govern(this.#state);
    this.#admissions.serve();
    this.#upkeep.hurry();
  }

  #retention(): Retention {
    return retentionOf(this.#state.snapshot.config, this.#terms.plan);
  }

  // Backups

  /** What a backup begins with. What was booked so far is in it. */
  beginBackup(): BackupBegin {
    this.#writes.flush();
    return beginBackup(this.#sql, workspaceMigrations);
  }

  /** One page of a table, in a turn of the workspace's. */
  async backupPage(asked: PageAsked): Promise<BackupPage> {
    await this.#log.turn();
    const { workspace } = this.#state.snapshot;
    return await readBackupPage(this.#sql, asked, {
      workspace,
      encryptionKeys: this.env.ENCRYPTION_KEY,
    });
  }

  /** Rows of a backup with that schema will come; those of a restore before are gone. */
  beginRestore(id: string, schema: number): void {
    this.#restore.begin(id, schema);
  }

  /** Throws UnfitRowsError. */
  async addRestoreRows(id: string, rows: RestoreRows, credentialKey: string): Promise<void> {
    await this.#restore.add(id, rows, credentialKey);
  }

  /** The rows of these tables come once more. */
  restoreAgain(id: string, tables: readonly string[]): void {
    this.#restore.again(id, tables);
  }

  /** All rows are there. Throws UnfitRowsError. */
  async readyRestore(id: string, terms: RestoreTerms): Promise<RestoreReport> {
    return await this.#restore.ready(id, terms);
  }

  /**
   * The restore takes place, and this instance ends with it: a call that meets that is made once more, and answered by the
   * next one. Undefined: there is no such restore.
   */
  commitRestore(id: string): Promise<RestoreReport | undefined> {
    return this.#objectRestore.commit(id);
  }

  /** Nothing is restored. */
  dropRestore(id: string): void {
    this.#restore.drop(id);
  }

  // Audit log

  /** Adds an event of what was done elsewhere, in the directory. */
  audit(event: AuditEvent): void {
    const { actor, ...deed } = event;
    this.#audit.note(actor, deed);
  }

  /** The same, unless such an event was added within the last hour. */
  auditHourly(event: AuditEvent): void {
    this.#audit.noteHourly(event);
  }

  /** Newest first. */
  async pageAudit(filter: AuditFilter): Promise<AuditPage> {
    return await this.#audit.page(filter);
  }

  // Events and webhooks

  /** False: there are too many already. One of the same id is left as it is. */
  addWebhook(webhook: Webhook, by?: Actor): boolean {
    return this.#events.webhooks.add(webhook, by);
  }

  /** Oldest first. */
  webhooks(): WebhookView[] {
    return this.#events.webhooks.views();
  }

  /** False: no webhook has that id. Deletes its deliveries too. */
  deleteWebhook(id: string, by?: Actor): boolean {
    return this.#events.webhooks.remove(id, by);
  }

  /** Sends an event of the type `test` at once; the delivery as it ended. Undefined: there is no such webhook. */
  async testWebhook(id: string, by?: Actor): Promise<Delivery | undefined> {
    return await this.#events.test(id, by);
  }

  /** Newest first; undefined when there is no such webhook. */
  deliveries(id: string, page: { limit: number; before?: number }): DeliveryPage | undefined {
    return this.#events.deliveries(id, page);
  }

  /** Sends it again at once, with the same id; undefined when there is no such delivery. */
  async retryDelivery(id: string, n: number, by?: Actor): Promise<Delivery | undefined> {
    return await this.#events.retry(id, n, by);
  }

  /** Newest first. */
  events(page: { limit: number; before?: number }): EventPage {
    this.#writes.flushForReader();
    return withWaiting(pageEvents(this.#sql, page), page, this.#events.waiting());
  }

  /** Number of the newest event; 0 before the first. */
  eventSeq(): number {
    return newestEventSeq(this.#sql) + this.#events.waiting().length;
  }

  // Reports

  /** Newest first, as many as were asked for, fit into one answer and are found in about a second. */
  async searchRequests(filter: RowFilter): Promise<RowPage> {
    return await this.#log.search(filter);
  }

  /** As the version before asks for it: it goes on from the last row, and needs one. */
  async pageRequests(filter: RowFilter): Promise<RowPage> {
    return await this.#log.page(filter);
  }

  /** The same as versions earlier still ask for it. */
  async listRequests(filter: RowFilter): Promise<LoggedRow[]> {
    return (await this.pageRequests(filter)).rows;
  }

  /** What the rows that match come to. */
  async addUpRequests(conditions: RowConditions): Promise<RowTotals> {
    return await this.#log.addUp(conditions);
  }

  async findRequest(id: string): Promise<RequestRecord | undefined> {
    return await this.#log.find(id);
  }

  /** Oldest first. */
  async pageSums(question: SumQuestion): Promise<SumPage> {
    this.#writes.flushForReader();
    return await this.#reports.page(question);
  }

  /** What each model served for each harness and tier in a span, as one bucket. */
  async choiceSums(span: Pick<SumQuestion, "from" | "to" | "times">): Promise<SumRow[]> {
    this.#writes.flushForReader();
    return await this.#reports.all({ ...span, group: "choice", by: "span" });
  }

  /** Rows of the request log added up, as far as it reaches back. */
  async logSums(question: LogSumQuestion): Promise<LogSums> {
    this.#writes.flushForReader();
    return await this.#reports.ofLog(question);
  }

  /** The same in one answer, as the version before asks for it. */
  async sums(question: SumQuestion): Promise<SumRow[]> {
    this.#writes.flushForReader();
    return await this.#reports.all(question);
  }

  /** Rows that came after `seq`, for live views. */
  changesSince(seq: number): LogChanges {
    return this.#log.changesSince(seq);
  }

  async limits(): Promise<LimitView[]> {
    await this.#spend.whole();
    return limitViews(this.#state, Date.now());
  }

  /** Newest first. */
  blocks(limit: number): BlockRecord[] {
    this.#writes.flushForReader();
    return readBlocks(this.#sql, limit).map(blockRecord);
  }

  async status(): Promise<WorkspaceStatus> {
    await this.#spend.whole();
    const now = Date.now();
    this.#settlements.endOverdue(now);
    const { watch } = this.#events;
    const health = { down: watch.down(), downInPart: watch.downInPart() };
    const { seq, isFailing: storageFailing } = this.#writes;
    return { ...statusOf(this.#state, now), seq, storageFailing, ...health };
  }
}
