/** The table of the deployment's workspaces. */

/** One workspace. */
export interface WorkspaceRecord {
  id: string;
  name: string;
  /** Null: as many as its plan says. */
  monthly_requests: number | null;
  /** The name of its plan; null: none. */
  plan: string | null;
  /** Grows with every change of the plan. */
  plan_change: number;
  /** ISO 8601 UTC. */
  created_at: string;
}

/** The workspace that every deployment has. */
export const defaultWorkspace = "default";

const insert =
  "INTO workspaces (id, name, token_hash, monthly_requests, plan, plan_change, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)";
const select = "SELECT id, name, monthly_requests, plan, plan_change, created_at FROM workspaces";

/** The default workspace, where it is not there yet. */
export function ensureDefaultWorkspace(sql: SqlStorage): void {
  const now = new Date().toISOString();
  sql.exec(`INSERT OR IGNORE ${insert}`, defaultWorkspace, "Default", null, null, null, 0, now);
}

/** Adds a workspace that the token of this hash administers; null: its owners alone do. Throws for an id that was used before. */
export function insertWorkspace(
  sql: SqlStorage,
  workspace: WorkspaceRecord,
  tokenHash: string | null,
): void {
  const { id, name, monthly_requests, plan, plan_change, created_at } = workspace;
  const used = sql.exec("SELECT 1 FROM deleted_workspaces WHERE id = ?", id).toArray().length > 0;
  if (used) throw new Error(`the workspace ${id} was deleted`);
  // The version before knows no plans.
  const values = [monthly_requests, plan ?? null, plan_change ?? 0, created_at];
  sql.exec(`INSERT ${insert}`, id, name, tokenHash, ...values);
}

/** Oldest first. */
export function readWorkspaces(sql: SqlStorage): WorkspaceRecord[] {
  return sql.exec(`${select} ORDER BY created_at, id`).toArray().map(recordOf);
}

/** Undefined when there is none of that id. */
export function findWorkspace(sql: SqlStorage, id: string): WorkspaceRecord | undefined {
  return sql.exec(`${select} WHERE id = ?`, id).toArray().map(recordOf)[0];
}

/** Changes nothing when there is none of that id. */
export function renameWorkspace(sql: SqlStorage, id: string, name: string): void {
  sql.exec("UPDATE workspaces SET name = ? WHERE id = ?", name, id);
}

/** Null: no quota. */
export function changeQuota(sql: SqlStorage, id: string, monthlyRequests: number | null): void {
  sql.exec("UPDATE workspaces SET monthly_requests = ? WHERE id = ?", monthlyRequests, id);
}

/** The workspace that the hash of a token opens. */
export function workspaceOfToken(sql: SqlStorage, tokenHash: string): string | undefined {
  const [row] = sql.exec("SELECT id FROM workspaces WHERE token_hash = ?", tokenHash).toArray();
  return row === undefined ? undefined : String(row["id"]);
}

/** The new token's hash takes the place of the old one. */
export function changeTokenHash(sql: SqlStorage, id: string, tokenHash: string): void {
  sql.exec("UPDATE workspaces SET token_hash = ? WHERE id = ?", tokenHash, id);
}

function recordOf(row: Record<string, SqlStorageValue>): WorkspaceRecord {
  const quota = row["monthly_requests"];
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    monthly_requests: typeof quota === "number" ? quota : null,
    plan: typeof row["plan"] === "string" ? row["plan"] : null,
    plan_change: Number(row["plan_change"]),
    created_at: String(row["created_at"]),
  };
}
