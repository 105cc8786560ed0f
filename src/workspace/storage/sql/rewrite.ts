/**
 * Leaves no byte of removed rows in the database's files. The database only marks their space as free, and the runtime
 * offers neither VACUUM nor secure_delete: so rows that are kept are copied into fresh tables, and everything else is
 * written over. For a database that was never much larger than it is: how much of the file is free, nobody tells.
 */

/** Of a row that writes over free space: a row holds no more than two million bytes. */
const blankLength = 1_000_000;
/** More than the log beside the database takes before it begins anew, and more than the database has in memory. */
const logLength = 8_000_000;

interface SchemaPart {
  type: string;
  name: string;
  sql: string;
}

/**
 * Takes about 0.3 s. A page that is taken while it is in memory keeps what it held between its rows: so what is in memory
 * is displaced, by reading blanks, before free pages are taken. Each batch writes over the log of those before it.
 */
export async function rewriteDatabase(storage: DurableObjectStorage): Promise<void> {
  const { sql } = storage;
  const length = logLength + 4 * sql.databaseSize;
  const steps = [
    () => writeBlanks(sql, "blanks_first", logLength),
    () => {
      readBlanks(sql, "blanks_first");
      writeBlanks(sql, "blanks", length);
    },
    () => copyTables(sql),
    () => {
      readBlanks(sql, "blanks");
      writeBlanks(sql, "blanks_first", logLength + length);
    },
    () => sql.exec("UPDATE blanks SET bytes = randomblob(length(bytes))"),
    () => {
      sql.exec("DROP TABLE blanks");
      sql.exec("DROP TABLE blanks_first");
    },
  ];
  for (const step of steps) {
    storage.transactionSync(step);
    await storage.sync();
  }
}

function writeBlanks(sql: SqlStorage, table: string, length: number): void {
  sql.exec(`DROP TABLE IF EXISTS ${table}`);
  sql.exec(`CREATE TABLE ${table} (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`);
  for (let written = 0; written < length; written += blankLength)
    sql.exec(`INSERT INTO ${table} (bytes) VALUES (zeroblob(?))`, blankLength);
}

function readBlanks(sql: SqlStorage, table: string): void {
  sql.exec(`SELECT SUM(instr(bytes, x'01')) FROM ${table}`).toArray();
}

/** What is fresh takes new pages or those of the first blanks; so the old tables go last. */
function copyTables(sql: SqlStorage): void {
  const parts = schemaOf(sql);
  const tables = parts.filter(({ type }) => type === "table");
  const indexes = parts.filter(({ type }) => type === "index");
  for (const { name, sql: made } of tables) {
    sql.exec(`ALTER TABLE "${name}" RENAME TO "before_${name}"`);
    sql.exec(made);
    sql.exec(`INSERT INTO "${name}" SELECT * FROM "before_${name}"`);
  }
  sql.exec("DROP TABLE blanks_first");
  for (const { name } of indexes) sql.exec(`DROP INDEX "${name}"`);
  for (const { sql: made } of indexes) sql.exec(made);
  for (const { name } of tables) sql.exec(`DROP TABLE "before_${name}"`);
}

/** Without the runtime's own tables, and indexes that follow from their tables. */
function schemaOf(sql: SqlStorage): SchemaPart[] {
  const query = `SELECT type, name, sql FROM sqlite_master
    WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'blanks%' AND sql IS NOT NULL`;
  return Array.from(sql.exec(query), ({ type, name, sql: made }) => ({
    type: String(type),
    name: String(name),
    sql: String(made),
  }));
}
