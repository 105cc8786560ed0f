/** The object that knows the deployment's workspaces. Asked by the admin API only, never by a request of a client. */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../store/env.ts";
import * as signIn from "./sign-in.ts";

export interface WorkspaceRecord {
  id: string;
  name: string;
  /** Null: no quota. */
  monthly_requests: number | null;
  /** ISO 8601 UTC. */
  created_at: string;
}

export const defaultWorkspace = "default";

export class DirectoryObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS workspaces (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT UNIQUE,
      monthly_requests INTEGER, created_at TEXT NOT NULL)`);
    this.#sql.exec(
      "INSERT OR IGNORE INTO workspaces VALUES (?, 'Default', NULL, NULL, ?)",
      defaultWorkspace,
      new Date().toISOString(),
    );
    signIn.createSignIn(this.#sql);
  }

  create(workspace: WorkspaceRecord, tokenHash: string): void {
    const { id, name, monthly_requests, created_at } = workspace;
    this.#sql.exec(
      "INSERT INTO workspaces VALUES (?, ?, ?, ?, ?)",
      id,
      name,
      tokenHash,
      monthly_requests,
      created_at,
    );
  }

  /** Oldest first. */
  list(): WorkspaceRecord[] {
    return this.#sql.exec(`${columns} ORDER BY created_at, id`).toArray().map(recordOf);
  }

  find(id: string): WorkspaceRecord | undefined {
    return this.#sql.exec(`${columns} WHERE id = ?`, id).toArray().map(recordOf)[0];
  }

  /** What a token reaches; undefined when it is nobody's. */
  scopeOf(proof: signIn.TokenProof): signIn.Scope | undefined {
    return signIn.scopeOf(this.#sql, proof);
  }

  replaceToken(change: Parameters<typeof signIn.replaceToken>[1]): void {
    signIn.replaceToken(this.#sql, change);
  }

  openSession(session: signIn.NewSession): void {
    signIn.openSession(this.#sql, session, Date.now());
  }

  useSession(session: signIn.SessionUse): signIn.Scope | undefined {
    return signIn.useSession(this.#sql, session, Date.now());
  }

  closeSession(id: string): void {
    signIn.closeSession(this.#sql, id);
  }

  closeSessions(scope: signIn.Scope, keep: string | null): void {
    signIn.closeSessions(this.#sql, scope, keep);
  }

  /** Milliseconds to wait before the next try to sign in; 0 when this one may be judged. */
  countTry(bucket: string): number {
    return signIn.countTry(this.#sql, bucket, Date.now());
  }

  forgetTries(bucket: string): void {
    signIn.forgetTries(this.#sql, bucket);
  }

  /** The changed record, or undefined when there is none of that id. */
  change(
    id: string,
    change: { name?: string; monthly_requests?: number | null },
  ): WorkspaceRecord | undefined {
    if (change.name !== undefined) {
      this.#sql.exec("UPDATE workspaces SET name = ? WHERE id = ?", change.name, id);
    }
    if (change.monthly_requests !== undefined) {
      const quota = change.monthly_requests;
      this.#sql.exec("UPDATE workspaces SET monthly_requests = ? WHERE id = ?", quota, id);
    }
    return this.find(id);
  }
}

const columns = "SELECT id, name, monthly_requests, created_at FROM workspaces";

function recordOf(row: Record<string, SqlStorageValue>): WorkspaceRecord {
  const quota = row["monthly_requests"];
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    monthly_requests: typeof quota === "number" ? quota : null,
    created_at: String(row["created_at"]),
  };
}
