/** A workspace's tables as a backup takes them. */
import type { StoredValue } from "../../store/backup/records.ts";
import { hasTable, knownVersion, type Migration } from "../storage/sql/schema-version.ts";
import { ownTables, pageTable, type TableQuestion } from "../storage/sql/table-pages.ts";
import { readMeta } from "../storage/tables/meta.ts";
import { newestSeq } from "../storage/tables/request-log.ts";
import { resealedRows, ringOfFile } from "./resealed-rows.ts";

/** What a backup of a workspace begins with. */
export interface BackupBegin {
  /** Version of the tables. */
  schema: number;
  /** Tables that do not change while they are read but at their end. */
  lasting: string[];
  /** Tables that belong together: read anew where `marks` changed meanwhile. */
  moving: string[];
  /** Number of the newest row of the log. */
  newest: number;
  /** Which sums were folded. */
  marks: string;
}

/** One page, with its credentials sealed for the file. */
export interface BackupPage {
  columns: string[];
  rows: StoredValue[][];
  next: (string | number)[] | null;
  marks: string;
}

/**
 * What a backup does not hold: deliveries, which would be sent twice, and reasoning, which is kept for a day and sealed for
 * the deployment.
 */
const leftOut: ReadonlySet<string> = new Set(["deliveries", "reasoning"]);
/** Rows that are added at the end only, or stay for long. */
const lastingTables: ReadonlySet<string> = new Set([
  "audit",
  "conversations",
  "events",
  "keys",
  "people",
  "requests",
  "versions",
  "webhooks",
]);

/** To be called when nothing waits to be written. */
export function beginBackup(sql: SqlStorage, migrations: readonly Migration[]): BackupBegin {
  const tables = ownTables(sql).filter((name) => !leftOut.has(name));
  return {
    schema: knownVersion(sql, migrations),
    lasting: tables.filter((name) => lastingTables.has(name)),
    moving: tables.filter((name) => !lastingTables.has(name)),
    newest: newestSeq(sql),
    marks: marksOf(sql),
  };
}

/** What a page is read with. */
export interface PageAsked extends TableQuestion {
  /** Of the file, base64. */
  credentialKey: string;
}

/** A page of a table; an empty one where upkeep has just dropped the table. */
export async function readBackupPage(
  sql: SqlStorage,
  { credentialKey, ...question }: PageAsked,
  { workspace, encryptionKeys }: { workspace: string; encryptionKeys: string },
): Promise<BackupPage> {
  if (!hasTable(sql, question.table))
    return { columns: [], rows: [], next: null, marks: marksOf(sql) };
  const ring = await ringOfFile(credentialKey, encryptionKeys);
  const { columns, rows, next } = pageTable(sql, question);
  const resealed = await resealedRows(
    { table: question.table, columns, rows },
    { workspace, ring },
  );
  return { columns, rows: resealed.rows.map((row) => [...row]), next, marks: marksOf(sql) };
}

/** What folding has moved, and whether it is done with the sums of old versions. */
function marksOf(sql: SqlStorage): string {
  return JSON.stringify([readMeta(sql, "marks") ?? null, hasTable(sql, "rollups")]);
}
