/** Schema 3: keys have persons, limits and models, and keys and persons have sums. */

/** Adds what limits of keys and persons need. Sums of keys begin with the first request after it. */
export function limitsOfPeople(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE keys ADD COLUMN person TEXT;
    ALTER TABLE keys ADD COLUMN limits TEXT;
    ALTER TABLE keys ADD COLUMN models TEXT;
    ALTER TABLE keys ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE requests ADD COLUMN key_id TEXT;
    ALTER TABLE requests ADD COLUMN person TEXT;
    CREATE TABLE running (node TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE people (id TEXT PRIMARY KEY, limits TEXT NOT NULL, has_left INTEGER NOT NULL) WITHOUT ROWID;`);
}
