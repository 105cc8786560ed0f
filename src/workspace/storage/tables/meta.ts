/** The table of single values, each JSON text under a name. */

type MetaName =
  | "document"
  | "generation"
  | "quota"
  | "plan"
  | "workspace"
  | "live"
  | "marks"
  | "names"
  | "texts"
  // Of the version before, until it is migrated.
  | "window"
  | "throttles"
  | "leases";

/** The value; undefined where none was written. */
export function readMeta(sql: SqlStorage, name: MetaName): unknown {
  const [row] = sql.exec("SELECT value FROM meta WHERE name = ?", name).toArray();
  return row === undefined ? undefined : JSON.parse(String(row["value"]));
}

/** Writes the value; one that stands there already costs no written row. */
export function writeMeta(sql: SqlStorage, name: MetaName, value: unknown): void {
  sql.exec(
    `INSERT INTO meta (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    name,
    JSON.stringify(value),
  );
}

/** Changes nothing where none was written. */
export function removeMeta(sql: SqlStorage, name: MetaName): void {
  sql.exec("DELETE FROM meta WHERE name = ?", name);
}
