/** Schema 8: events, webhooks, what is on its way to them, and what was told already. */

/** `due` of a delivery that waits: when it is sent next; of one that ended: when its event happened. Epoch ms. */
export function keepEvents(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE webhooks (
      id TEXT PRIMARY KEY, made INTEGER NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, style TEXT NOT NULL,
      sealed_secret TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
      last_at INTEGER, last_status INTEGER, last_ok INTEGER) WITHOUT ROWID;
    CREATE TABLE deliveries (
      webhook TEXT NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, time INTEGER NOT NULL, state TEXT NOT NULL,
      due INTEGER NOT NULL, attempts INTEGER NOT NULL, last_at INTEGER, status INTEGER, error TEXT,
      PRIMARY KEY (webhook, n)) WITHOUT ROWID;
    CREATE INDEX deliveries_by_due ON deliveries (webhook, state, due);
    CREATE TABLE told (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`);
}
