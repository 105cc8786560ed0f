/** Rows of any table in the order of its primary key, page by page, as backups read them. */

/** One page; `next` is the key of its last row, null behind the last page. */
export interface TablePage {
  columns: string[];
  rows: (string | number | null)[][];
  next: (string | number)[] | null;
}

/** What is read of a table: what comes after a key, and no rows whose first key is above `upTo`. */
export interface TableQuestion {
  table: string;
  after: readonly (string | number)[] | null;
  upTo?: number;
}

/** Tables whose rows may be long: they are read one by one, for a cursor that is left open locks its table. */
const wideTables: ReadonlySet<string> = new Set([
  "audit",
  "events",
  "meta",
  "requests",
  "running",
  "versions",
]);
const rowsAtOnce = 100;
const longestPage = 128_000;

/** Names of the database's own tables: without the runtime's, SQLite's, and those of restoring, deleting and versions. */
export function ownTables(sql: SqlStorage): string[] {
  const query = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'staged\\_%' ESCAPE '\\'
    AND name NOT IN ('schema_version', 'erasure', 'restoring') ORDER BY name`;
  return Array.from(sql.exec(query), ({ name }) => String(name));
}

/** The columns of a table, in their order. */
export function columnsOf(sql: SqlStorage, table: string): { name: string; key: number }[] {
  const query = "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid";
  return Array.from(sql.exec(query, table), ({ name, pk }) => ({
    name: String(name),
    key: Number(pk),
  }));
}

/** At least one row, where there is one. */
export function pageTable(sql: SqlStorage, { table, after, upTo }: TableQuestion): TablePage {
  const columns = columnsOf(sql, table);
  const keys = columns.filter(({ key }) => key > 0).sort((one, other) => one.key - other.key);
  const limit = wideTables.has(table) ? 1 : rowsAtOnce;
  const names = columns.map(({ name }) => name);
  const reading: Reading = { table, names, keys: keys.map(({ name }) => name), upTo, limit };
  const rows: TablePage["rows"] = [];
  let length = 0;
  let last = after;
  while (rows.length < rowsAtOnce && length < longestPage) {
    const found = readAfter(sql, reading, last);
    for (const row of found) {
      rows.push(row);
      length += row.reduce<number>((sum, value) => sum + String(value).length, 0);
    }
    const newest = found.at(-1);
    if (newest !== undefined) last = keyOf(reading, newest);
    if (found.length < limit) return { columns: names, rows, next: null };
  }
  return { columns: names, rows, next: last === null ? null : [...last] };
}

interface Reading {
  readonly table: string;
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly upTo: number | undefined;
  readonly limit: number;
}

function readAfter(
  sql: SqlStorage,
  { table, names, keys, upTo, limit }: Reading,
  after: readonly (string | number)[] | null,
): TablePage["rows"] {
  const order = keys.map(quoted).join(", ");
  const where = [
    ...(after === null ? [] : [`(${order}) > (${after.map(() => "?").join(", ")})`]),
    ...(upTo === undefined ? [] : [`${quoted(keys[0] ?? "")} <= ?`]),
  ];
  const filter = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const query = `SELECT ${names.map(quoted).join(", ")} FROM ${quoted(table)} ${filter} ORDER BY ${order} LIMIT ?`;
  const values = [...(after ?? []), ...(upTo === undefined ? [] : [upTo]), limit];
  return sql
    .exec(query, ...values)
    .toArray()
    .map((row) => names.map((name) => plain(row[name])));
}

function keyOf({ names, keys }: Reading, row: readonly (string | number | null)[]) {
  return keys.map((key) => row[names.indexOf(key)] ?? "");
}

/** No table has binary values. */
function plain(value: SqlStorageValue | undefined): string | number | null {
  if (value instanceof ArrayBuffer) throw new TypeError("binary values cannot be backed up");
  return value ?? null;
}

/** The name as SQL writes it. Names come from the schema, never from a file. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
