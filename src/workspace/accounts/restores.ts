/**
 * Restores of the deployment: one at a time of a workspace, and the moment from which one counts. Every workspace fills staged tables;
 * when all are whole, the directory notes the decision with its own part in one transaction, and each workspace puts its
 * tables in place. An object that begins with staged tables asks here what has become of them.
 */
import type { RestoreRows, RestoreStage, RestoreTerms } from "../contract/restore.ts";
import { columnsOf, quoted } from "../storage/sql/table-pages.ts";
import {
  addStaged,
  dropStaged,
  emptyStaged,
  stagedName,
  stagedTables,
} from "../storage/sql/staged-tables.ts";

/** The directory's step to restores. `workspaces`: a JSON list of those that are not done; `whole`: 0 or 1. */
export function createRestores(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE restores (
    id TEXT PRIMARY KEY, stage TEXT NOT NULL, boot TEXT, touched INTEGER NOT NULL, workspaces TEXT NOT NULL,
    trust TEXT NOT NULL, whole INTEGER NOT NULL) WITHOUT ROWID`);
}

/** Tables of a backup, and the column that names the workspace of a row; null: rows are added to those that are there. */
const workspaceColumns: Readonly<Record<string, string | null>> = {
  users: null,
  workspaces: "id",
  memberships: "workspace",
  group_roles: "workspace",
  invitations: "workspace",
  access_tokens: "workspace",
  program_sign_ins: "workspace",
};

/**
 * Tables that a backup holds. Sessions of browsers, codes that wait and the deployment's own replaced token belong to the
 * machine, and what was deleted stays deleted.
 */
export const keptTables: readonly string[] = Object.keys(workspaceColumns);

/** Milliseconds without a word after which whoever restored is gone. */
const patience = 120_000;

/** A restore that begins. */
export interface NewRestore extends Pick<RestoreTerms, "trust" | "whole"> {
  readonly id: string;
  /** Ids of the workspaces that it fills. */
  readonly workspaces: readonly string[];
}

/**
 * False: another one of the same workspaces is under way. One of another process, or that is silent for too long, is over;
 * and an owner's gives way to the administrator's, for a file may be sent as slowly as its sender likes.
 */
export function beginRestore(
  storage: DurableObjectStorage,
  { boot, now, ...restore }: NewRestore & { boot: string | null; now: number },
): boolean {
  const { sql } = storage;
  return storage.transactionSync(() => {
    sql.exec(
      "DELETE FROM restores WHERE stage = 'running' AND (boot IS NOT ? OR touched <= ?)",
      boot,
      now - patience,
    );
    const rivals = runningRestores(sql).filter((other) => isRival(restore, other));
    if (rivals.some(({ trust }) => restore.trust === "owner" || trust !== "owner")) return false;
    for (const { id } of rivals) sql.exec("DELETE FROM restores WHERE id = ?", id);
    if (restore.whole) stage(sql);
    const { id, workspaces, trust, whole } = restore;
    sql.exec(
      "INSERT INTO restores (id, stage, boot, touched, workspaces, trust, whole) VALUES (?, 'running', ?, ?, ?, ?, ?)",
      id,
      boot,
      now,
      JSON.stringify(workspaces),
      trust,
      Number(whole),
    );
    return true;
  });
}

function runningRestores(sql: SqlStorage): NewRestore[] {
  const query = "SELECT id, workspaces, trust, whole FROM restores WHERE stage = 'running'";
  return Array.from(sql.exec(query), (row) => ({
    id: String(row["id"]),
    // Written by beginRestore.
    workspaces: JSON.parse(String(row["workspaces"])) as string[],
    trust: row["trust"] === "owner" ? "owner" : "administrator",
    whole: row["whole"] === 1,
  }));
}

function isRival(one: NewRestore, other: NewRestore): boolean {
  if (one.whole || other.whole) return true;
  return one.workspaces.some((id) => other.workspaces.includes(id));
}

/** Tables of the same columns, without keys: rows are merged by `decideRestore`. */
function stage(sql: SqlStorage): void {
  dropStaged(sql);
  for (const table of keptTables)
    sql.exec(`CREATE TABLE ${stagedName(table)} AS SELECT * FROM ${quoted(table)} WHERE 0`);
}

/** False: it is not under way. */
export function touchRestore(sql: SqlStorage, id: string, now: number): boolean {
  const query = "UPDATE restores SET touched = ? WHERE id = ? AND stage = 'running'";
  return sql.exec(query, now, id).rowsWritten > 0;
}

/** Throws UnfitRowsError. */
export function addRestoreRows(storage: DurableObjectStorage, id: string, rows: RestoreRows): void {
  if (!isRunning(storage.sql, id)) throw new Error("this restore is not under way any more");
  storage.transactionSync(() => addStaged(storage.sql, rows));
}

/** Forgets the rows of these tables. */
export function restoreAgain(sql: SqlStorage, id: string, tables: readonly string[]): void {
  if (isRunning(sql, id)) emptyStaged(sql, tables);
}

/** To be called in a transaction. `whole`: the file has the directory's part. */
export function decideRestore(sql: SqlStorage, id: string, whole: boolean): boolean {
  if (!isRunning(sql, id)) return false;
  if (whole) for (const table of keptTables) merge(sql, table, workspacesOf(sql, id));
  dropStaged(sql);
  sql.exec("UPDATE restores SET stage = 'decided' WHERE id = ?", id);
  return true;
}

/** Rows of these workspaces are those of the backup; rows of others stay. */
function merge(sql: SqlStorage, table: string, workspaces: readonly string[]): void {
  const staged = stagedName(table);
  const known = new Set(columnsOf(sql, `staged_${table}`).map(({ name }) => name));
  const shared = columnsOf(sql, table).filter(({ name }) => known.has(name));
  const columns = shared.map(({ name }) => quoted(name)).join(", ");
  const column = workspaceColumns[table] ?? null;
  const ids = JSON.stringify(workspaces);
  const of = `${column} IN (SELECT value FROM json_each(?))`;
  if (column !== null) sql.exec(`DELETE FROM ${quoted(table)} WHERE ${of}`, ids);
  const insert = `INSERT OR REPLACE INTO ${quoted(table)} (${columns}) SELECT ${columns} FROM ${staged}`;
  if (column === null) sql.exec(insert);
  else sql.exec(`${insert} WHERE ${of}`, ids);
}

/** What has become of it. One of another process, or that is silent for too long, is given up. */
export function restoreStage(
  sql: SqlStorage,
  id: string,
  { boot, now }: { boot: string | null; now: number },
): RestoreStage {
  const [row] = sql.exec("SELECT stage, boot, touched FROM restores WHERE id = ?", id).toArray();
  if (row === undefined) return "unknown";
  if (row["stage"] === "decided") return "decided";
  const isAlive = row["boot"] === boot && Number(row["touched"]) > now - patience;
  return isAlive ? "running" : "unknown";
}

/** One that was not decided is given up; of one that was, the workspace is done, and with the last one all of it. */
export function endRestore(sql: SqlStorage, id: string, workspace: string | undefined): void {
  if (isRunning(sql, id)) {
    if (stagedTables(sql).length > 0) dropStaged(sql);
    sql.exec("DELETE FROM restores WHERE id = ?", id);
    return;
  }
  const left = workspacesOf(sql, id).filter((name) => name !== workspace);
  if (left.length === 0) sql.exec("DELETE FROM restores WHERE id = ?", id);
  else sql.exec("UPDATE restores SET workspaces = ? WHERE id = ?", JSON.stringify(left), id);
}

function isRunning(sql: SqlStorage, id: string): boolean {
  const query = "SELECT 1 FROM restores WHERE id = ? AND stage = 'running'";
  return sql.exec(query, id).toArray().length > 0;
}

function workspacesOf(sql: SqlStorage, id: string): string[] {
  const [row] = sql.exec("SELECT workspaces FROM restores WHERE id = ?", id).toArray();
  // Written by beginRestore and endRestore.
  return row === undefined ? [] : (JSON.parse(String(row["workspaces"])) as string[]);
}
