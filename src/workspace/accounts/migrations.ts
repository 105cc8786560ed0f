/** The schema of the directory's database. */
import type { Migration } from "../storage/sql/schema-version.ts";
import { createPeopleTables } from "./people-tables.ts";
import { addPlansAndDeletion } from "./plan-and-deletion.ts";
import { createProgramTables } from "./programs.ts";
import { createRestores } from "./restores.ts";
import { createWriteProof } from "./write-proof.ts";

/** In order; the next change of a table is the next entry. */
export const directoryMigrations: readonly Migration[] = [
  createTables,
  // Tries are counted in memory.
  (sql) => sql.exec("DROP TABLE IF EXISTS tries"),
  createPeopleTables,
  createProgramTables,
  addPlansAndDeletion,
  createWriteProof,
  createRestores,
];

/** Leaves tables alone that the versions without numbers made. */
function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS workspaces (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT UNIQUE,
      monthly_requests INTEGER, created_at TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS admin_token (one INTEGER PRIMARY KEY, hash TEXT NOT NULL, setting TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS sessions (
      id TEXT PRIMARY KEY, token TEXT NOT NULL, workspace TEXT, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tries (bucket TEXT NOT NULL, at INTEGER NOT NULL);`);
}
