/**
 * Versions of an object's tables. The number of the last migration that ran is stored beside them; a state
 * without one is from the time before there were versions, and the first migration takes it over.
 */

/** One step of a schema. Its version is its place in the list, from 1; a step that was released never changes. */
export type Migration = (sql: SqlStorage) => void;

const newerState = "this state was written by a newer version";

/** The state was written by a newer version of the gateway. */
export class NewerStateError extends Error {
  constructor(stored: number, known: number) {
    super(`${newerState} (schema ${stored}), this version knows ${known}; start the newer version`);
  }
}

/** Whether it is a NewerStateError, also one that an object threw: of those only the message arrives. */
export function isNewerStateError(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith(newerState);
}

/** Brings the tables up to date, each step in a transaction of its own. Throws NewerStateError and writes nothing. */
export function migrate(storage: DurableObjectStorage, migrations: readonly Migration[]): void {
  const { sql } = storage;
  const stored = knownVersion(sql, migrations);
  for (const [index, migration] of migrations.entries()) {
    if (index < stored) continue;
    storage.transactionSync(() => {
      migration(sql);
      noteSchemaVersion(sql, index + 1);
    });
  }
}

/** The stored version; 0 where none is. Throws NewerStateError. */
export function knownVersion(sql: SqlStorage, migrations: readonly Migration[]): number {
  const stored = readVersion(sql);
  if (stored > migrations.length) throw new NewerStateError(stored, migrations.length);
  return stored;
}

/** Whether the database has a table of that name. */
export function hasTable(sql: SqlStorage, name: string): boolean {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return sql.exec(query, name).toArray().length > 0;
}

function readVersion(sql: SqlStorage): number {
  if (!hasTable(sql, "schema_version")) return 0;
  const [row] = sql.exec("SELECT version FROM schema_version WHERE one = 1").toArray();
  return Number(row?.["version"] ?? 0);
}

/** Notes which version the tables have. */
export function noteSchemaVersion(sql: SqlStorage, version: number): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS schema_version (
    one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL)`);
  sql.exec("INSERT OR REPLACE INTO schema_version (one, version) VALUES (1, ?)", version);
}
