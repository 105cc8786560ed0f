/** The object that knows the deployment's workspaces. Asked by the admin API only, never by a request of a client. */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../store/env.ts";
import { migrate } from "../storage/schema-version.ts";
import { directoryMigrations } from "./migrations.ts";
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

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, directoryMigrations);
    this.#sql = ctx.storage.sql;
    workspaces.ensureDefaultWorkspace(this.#sql);
  }

  // Workspaces

  create(workspace: WorkspaceRecord, tokenHash: string): void {
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
