/**
 * Tables that wait beside those in use until all of a backup is there. They have the schema of the version that wrote the
 * backup, so that putting them in place is renaming, and bringing them up to date the same migrations as ever.
 */
import { migrate, type Migration, noteSchemaVersion } from "./schema-version.ts";
import { columnsOf, ownTables, quoted } from "./table-pages.ts";

const prefix = "staged_";

/** A database's schema at one version. */
interface DatabaseSchema {
  /** SQL that makes each table, by its name. */
  readonly tables: ReadonlyMap<string, string>;
  /** Indexes and triggers. */
  readonly others: readonly { readonly table: string; readonly sql: string }[];
}

/** Rows for one staged table. */
export interface StagedRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** The rows do not fit their table. */
export class UnfitRowsError extends Error {}

/** Thrown to undo what was made to look at it. */
class Undo extends Error {}

/** The schema that the first so many migrations make. Everything is put back as it was. */
function schemaAt(
  storage: DurableObjectStorage,
  migrations: readonly Migration[],
  version: number,
): DatabaseSchema {
  const { sql } = storage;
  let found: DatabaseSchema = { tables: new Map(), others: [] };
  try {
    storage.transactionSync(() => {
      setAside(sql);
      for (const step of migrations.slice(0, version)) step(sql);
      found = readSchema(sql);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return found;
}

function setAside(sql: SqlStorage): void {
  for (const { type, name } of parts(sql))
    if (type !== "table") sql.exec(`DROP ${type} ${quoted(name)}`);
  for (const name of ownTables(sql))
    sql.exec(`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(`staged_aside_${name}`)}`);
}

function readSchema(sql: SqlStorage): DatabaseSchema {
  const names = new Set(ownTables(sql));
  const own = parts(sql).filter(({ table }) => names.has(table));
  return {
    tables: new Map(
      own.filter(({ type }) => type === "table").map(({ name, sql: made }) => [name, made]),
    ),
    others: own.filter(({ type }) => type !== "table"),
  };
}

function parts(sql: SqlStorage) {
  const query = `SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE sql IS NOT NULL AND tbl_name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;
  return Array.from(sql.exec(query), (row) => ({
    type: String(row["type"]),
    name: String(row["name"]),
    table: String(row["tbl_name"]),
    sql: String(row["sql"]),
  }));
}

/** Makes empty staged tables; those of before are gone. */
export function stageTables(
  storage: DurableObjectStorage,
  migrations: readonly Migration[],
  version: number,
): void {
  const { tables } = schemaAt(storage, migrations, version);
  storage.transactionSync(() => {
    dropStaged(storage.sql);
    for (const [name, made] of tables) storage.sql.exec(renamed(made, name));
  });
}

function renamed(made: string, name: string): string {
  const begin = /^CREATE TABLE\s+(?:"[^"]+"|\w+)/;
  return made.replace(begin, `CREATE TABLE ${stagedName(name)}`);
}

/** The name of a table's staged one, as SQL writes it. */
export function stagedName(table: string): string {
  return quoted(prefix + table);
}

/** Tables that have a staged one. */
export function stagedTables(sql: SqlStorage): string[] {
  const query =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'staged\\_%' ESCAPE '\\'";
  return Array.from(sql.exec(query), ({ name }) => String(name).slice(prefix.length));
}

/** Changes nothing where there are none. */
export function dropStaged(sql: SqlStorage): void {
  for (const table of stagedTables(sql)) sql.exec(`DROP TABLE ${stagedName(table)}`);
}

/** Throws UnfitRowsError where there is no such table or column, or a row stands there already. */
export function addStaged(sql: SqlStorage, { table, columns, rows }: StagedRows): void {
  const known = new Set(columnsOf(sql, prefix + table).map(({ name }) => name));
  const fits = columns.every((name) => known.has(name)) && new Set(columns).size === columns.length;
  if (!fits) throw new UnfitRowsError(`there is no such table: ${table}`);
  const places = columns.map(() => "?").join(", ");
  const query = `INSERT INTO ${stagedName(table)} (${columns.map(quoted).join(", ")}) VALUES (${places})`;
  for (const row of rows) {
    if (row.length !== columns.length) throw new UnfitRowsError(`rows of ${table} are not whole`);
    try {
      sql.exec(query, ...row);
    } catch (error) {
      throw new UnfitRowsError(`a row of ${table} does not fit: ${String(error)}`);
    }
  }
}

/** Removes the rows that were added to these tables. */
export function emptyStaged(sql: SqlStorage, tables: readonly string[]): void {
  const known = new Set(stagedTables(sql));
  for (const table of tables) if (known.has(table)) sql.exec(`DELETE FROM ${stagedName(table)}`);
}

/** What takes the place of what. */
export interface Replacement {
  readonly storage: DurableObjectStorage;
  readonly migrations: readonly Migration[];
  /** Of the staged tables. */
  readonly version: number;
  /** Tables in use that stay. */
  readonly keep: ReadonlySet<string>;
}

/** Puts the staged tables in place and brings them up to date. To be called in a transaction. */
export function replaceTables({ storage, migrations, version, keep }: Replacement): void {
  const { sql } = storage;
  const { tables, others } = schemaAt(storage, migrations, version);
  for (const name of ownTables(sql)) if (!keep.has(name)) sql.exec(`DROP TABLE ${quoted(name)}`);
  for (const name of tables.keys())
    if (keep.has(name)) sql.exec(`DROP TABLE ${stagedName(name)}`);
    else sql.exec(`ALTER TABLE ${stagedName(name)} RENAME TO ${quoted(name)}`);
  for (const { table, sql: made } of others) if (!keep.has(table)) sql.exec(made);
  noteSchemaVersion(sql, version);
  migrate(storage, migrations);
}
