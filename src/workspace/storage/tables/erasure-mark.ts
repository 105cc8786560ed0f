/** Whether the workspace is being deleted, or has been; then nothing else of it is left. */
import type { Actor } from "../../contract/audit.ts";
import { hasTable } from "../sql/schema-version.ts";

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

/** Undefined unless the workspace was deleted. */
export function erasureStage(sql: SqlStorage): ErasureStage | undefined {
  if (!hasTable(sql, "erasure")) return undefined;
  const [row] = sql.exec("SELECT stage FROM erasure WHERE one = 1").toArray();
  return row?.["stage"] === "done" ? "done" : "begun";
}

/** Notes that the deletion has begun, and who asked for it first. */
export function beginErasure(sql: SqlStorage, by: Actor | undefined): void {
  createTable(sql);
  const actor = by === undefined ? null : JSON.stringify(by);
  sql.exec("INSERT OR IGNORE INTO erasure (one, stage, actor) VALUES (1, 'begun', ?)", actor);
}

/** Who asked for it; undefined if unknown. */
export function erasureActor(sql: SqlStorage): Actor | undefined {
  const [row] = sql.exec("SELECT actor FROM erasure WHERE one = 1").toArray();
  const text = row?.["actor"];
  // Written by beginErasure above.
  return typeof text === "string" ? (JSON.parse(text) as Actor) : undefined;
}

/** Notes that nothing else is left. */
export function endErasure(sql: SqlStorage): void {
  createTable(sql);
  sql.exec("INSERT OR REPLACE INTO erasure (one, stage, actor) VALUES (1, 'done', NULL)");
}

function createTable(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS erasure (
    one INTEGER PRIMARY KEY CHECK (one = 1), stage TEXT NOT NULL, actor TEXT)`);
}
