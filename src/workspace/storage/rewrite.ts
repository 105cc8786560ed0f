/**
 * Leaves no byte of removed rows in the database's files. The database only marks their space as free, and the runtime
 * offers neither VACUUM nor secure_delete: so rows that are kept are copied into fresh tables, and everything else is
 * written over.
 */

/** Of a row that writes over free space: a row holds no more than two million. */
const blankLength = 1_000_000;
/** The log beside the database holds a thousand pages of four kilobytes before it begins anew, and the rest of a batch. */
const logLength = 12_000_000;

interface SchemaPart {
  type: string;
  name: string;
  sql: string;
}

/** Takes about 50 ms for a megabyte, in which others wait. */
export function rewriteDatabase(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const length = sql.databaseSize;
  storage.transactionSync(() => {
    // Fresh tables are to get pages without a past.
    writeBlanks(sql, length);
    copyTables(sql);
    writeBlanks(sql, sql.databaseSize + logLength / 2);
  });
  // The log begins anew after so long a transaction; this one is longer.
  storage.transactionSync(() => writeBlanks(sql, 4 * Math.max(length, sql.databaseSize) + logLength));
}

function writeBlanks(sql: SqlStorage, length: number): void {
  sql.exec("CREATE TABLE blanks (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)");
  for (let written = 0; written < length; written += blankLength)
    sql.exec("INSERT INTO blanks (bytes) VALUES (zeroblob(?))", blankLength);
  sql.exec("DROP TABLE blanks");
}

function copyTables(sql: SqlStorage): void {
  const parts = schemaOf(sql);
  for (const { name, sql: made } of parts.filter(({ type }) => type === "table")) {
    const before = `before_${name}`;
    sql.exec(`ALTER TABLE "${name}" RENAME TO "${before}"`);
    sql.exec(made);
    sql.exec(`INSERT INTO "${name}" SELECT * FROM "${before}"`);
    sql.exec(`DROP TABLE "${before}"`);
  }
  for (const { sql: made } of parts.filter(({ type }) => type === "index")) sql.exec(made);
}

/** Without the runtime's own tables, and indexes that follow from their tables. */
function schemaOf(sql: SqlStorage): SchemaPart[] {
  const query = `SELECT type, name, sql FROM sqlite_master
    WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL`;
  return Array.from(sql.exec(query), ({ type, name, sql: made }) => ({
    type: String(type),
    name: String(name),
    sql: String(made),
  }));
}
