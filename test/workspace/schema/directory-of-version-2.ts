/** The directory as version 2 of its tables wrote it: CREATE TABLE statements and rows, frozen. */

/** With one workspace, a replaced admin token, and sessions of the deployment's and of the workspace's token. */
export function writeDirectoryOfVersion2(sql: SqlStorage, now: number): void {
  sql.exec(`
    CREATE TABLE workspaces (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT UNIQUE,
      monthly_requests INTEGER, created_at TEXT NOT NULL);
    CREATE TABLE admin_token (one INTEGER PRIMARY KEY, hash TEXT NOT NULL, setting TEXT NOT NULL);
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY, token TEXT NOT NULL, workspace TEXT, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE schema_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (1, 2);
    INSERT INTO workspaces VALUES ('default', 'Default', NULL, NULL, '2026-01-01T00:00:00.000Z');
    INSERT INTO workspaces VALUES ('ws_1', 'One', 'hash-of-ws', 50, '2026-01-02T00:00:00.000Z');
    INSERT INTO admin_token VALUES (1, 'rotated', 'setting');`);
  sql.exec("INSERT INTO sessions VALUES ('s', 'hash-of-ws', 'ws_1', ?)", now);
  sql.exec("INSERT INTO sessions VALUES ('d', 'rotated', NULL, ?)", now);
}
