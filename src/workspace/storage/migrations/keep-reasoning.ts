/** Schema 9: reasoning of answers with tool calls, for clients that do not bring it back. */

/** `name` is the key's id and that of the answer's first call; `made` in epoch ms; `size` characters of the sealed text. */
export function keepReasoning(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE reasoning (
      name TEXT PRIMARY KEY, made INTEGER NOT NULL, size INTEGER NOT NULL, sealed TEXT NOT NULL) WITHOUT ROWID;`);
}
