/** The directory's step to plans of workspaces, what billing systems asked for, and ids that are not used again. */
export function addPlansAndDeletion(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE workspaces ADD COLUMN plan TEXT;
    ALTER TABLE workspaces ADD COLUMN plan_change INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE workspaces ADD COLUMN plan_signed INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE plan_requests (
      workspace TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (workspace, key)) WITHOUT ROWID;
    CREATE TABLE deleted_workspaces (id TEXT PRIMARY KEY, deleted_at TEXT NOT NULL) WITHOUT ROWID;`);
}
