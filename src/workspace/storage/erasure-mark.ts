/** Whether the workspace is being deleted, or has been: nothing else of it is left then. */
import { hasTable } from "./schema-version.ts";

const gone = "this workspace was deleted";

/** The workspace was deleted; every call of its object fails so. */
export class DeletedWorkspaceError extends Error {
  constructor() {
    super(gone);
  }
}

/** Whether it is a DeletedWorkspaceError, also one that an object threw: of those only the message arrives. */
export function isDeletedWorkspaceError(error: unknown): error is Error {
  return error instanceof Error && error.message.includes(gone);
}

/** How far the deletion is. */
export type ErasureStage = "begun" | "done";

/** Undefined where nobody deleted the workspace. */
export function erasureStage(sql: SqlStorage): ErasureStage | undefined {
  if (!hasTable(sql, "erasure")) return undefined;
  const [row] = sql.exec("SELECT stage FROM erasure WHERE one = 1").toArray();
  return row?.["stage"] === "done" ? "done" : "begun";
}

/** Notes how far it is. */
export function markErasure(sql: SqlStorage, stage: ErasureStage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS erasure (
    one INTEGER PRIMARY KEY CHECK (one = 1), stage TEXT NOT NULL)`);
  sql.exec("INSERT OR REPLACE INTO erasure (one, stage) VALUES (1, ?)", stage);
}
