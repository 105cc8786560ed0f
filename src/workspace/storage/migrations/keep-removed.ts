/** Schema 10: what went with a harness that a change of the document removed, so that restoring brings it back. */

/** `kind` is `key` or `outcomes`; `version` that of the document without the harness; `value` JSON. */
export function keepRemoved(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE removed (
      kind TEXT NOT NULL, id TEXT NOT NULL, harness TEXT NOT NULL, version INTEGER NOT NULL,
      value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`);
}
