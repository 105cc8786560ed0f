/** The object that knows the deployment's workspaces. Asked by the admin API only, never by a request of a client. */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../store/env.ts";
import { rewriteDatabase } from "../storage/rewrite.ts";
import { migrate } from "../storage/schema-version.ts";
import { removeWorkspace } from "./deletion.ts";
import { Turns } from "../storage/slices.ts";
import { directoryMigrations } from "./migrations.ts";
import { changePlan, type PlanChange, type PlanOutcome } from "./plans.ts";
import * as sessions from "./sessions.ts";
import type { PlainScope, Scope } from "./scope.ts";
import { scopeOf, type TokenProof } from "./tokens.ts";
import { type TokenEntry, WrongTries } from "./tries.ts";
import * as workspaces from "./workspaces.ts";
import type { WorkspaceRecord } from "./workspaces.ts";

/** Workspaces, administrators' tokens, sessions of the dashboard. The class name is part of the stored state: it never changes. */
export class DirectoryObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #tries = new WrongTries();
  readonly #turns = new Turns();

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, directoryMigrations);
    this.#sql = ctx.storage.sql;
    workspaces.ensureDefaultWorkspace(this.#sql);
  }

  // Workspaces

  /** `tokenHash`: of the token that administers it; null: none. */
  create(workspace: WorkspaceRecord, tokenHash: string | null): void {
    workspaces.insertWorkspace(this.#sql, workspace, tokenHash);
  }

  /** Oldest first. */
  list(): WorkspaceRecord[] {
    return workspaces.readWorkspaces(this.#sql);
  }

  find(id: string): WorkspaceRecord | undefined {
    return workspaces.findWorkspace(this.#sql, id);
  }

  /** The changed record, or undefined when there is none of that id. */
  change(
    id: string,
    { name, monthly_requests }: { name?: string; monthly_requests?: number | null },
  ): WorkspaceRecord | undefined {
    if (name !== undefined) workspaces.renameWorkspace(this.#sql, id, name);
    if (monthly_requests !== undefined) workspaces.changeQuota(this.#sql, id, monthly_requests);
    return this.find(id);
  }

  /** What became of the change, and the workspace as it is now. */
  changePlan(change: PlanChange): { outcome: PlanOutcome; workspace: WorkspaceRecord | undefined } {
    const outcome = this.ctx.storage.transactionSync(() =>
      changePlan(this.#sql, change, Date.now()),
    );
    return { outcome, workspace: this.find(change.workspace) };
  }

  /** Forgets the workspace. False: there is none. On one machine its bytes are gone from the file too. */
  async remove(id: string): Promise<boolean> {
    const { storage } = this.ctx;
    const removed = storage.transactionSync(() => removeWorkspace(this.#sql, id));
    if (removed && this.env.BOOT_ID !== undefined) await this.#rewrite();
    return removed;
  }

  /** One after another: they share a table. */
  async #rewrite(): Promise<void> {
    await this.#turns.take(() => rewriteDatabase(this.ctx.storage));
  }

  // Tokens and sessions

  /** What a token reaches; undefined when it is nobody's. */
  scopeOf(proof: TokenProof): Scope | undefined {
    return scopeOf(this.#sql, proof);
  }

  replaceToken(change: Parameters<typeof sessions.replaceToken>[1]): void {
    sessions.replaceToken(this.#sql, change);
  }

  openSession(session: sessions.NewSession): void {
    sessions.openSession(this.#sql, session, Date.now());
  }

  useSession(session: sessions.SessionUse): Scope | undefined {
    return sessions.useSession(this.#sql, session, Date.now());
  }

  closeSession(id: string): void {
    sessions.closeSession(this.#sql, id);
  }

  closeSessions(scope: PlainScope, keep: string | null): void {
    sessions.closeSessions(this.#sql, scope, keep);
  }

  /** Counts a wrong token; milliseconds to wait when there were too many. The version before counts every one at the page. */
  countTry(address: string, entry: TokenEntry = "page"): number {
    return this.#tries.count(address, entry, Date.now());
  }

  forgetTries(address: string): void {
    this.#tries.forget(address);
  }
}
