/**
 * A state as the version with schema 2 wrote it, frozen: nothing here follows the code's present tables.
 */
import { document, key, logged } from "./state-before-versions.ts";

const sums = `
  bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
  requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
  PRIMARY KEY (bucket, harness, tier, model)`;

const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, harness TEXT NOT NULL,
    last4 TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, last_used_at TEXT);
  CREATE TABLE answers (
    name TEXT PRIMARY KEY, value TEXT NOT NULL, saved INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
  CREATE TABLE conversations (name TEXT PRIMARY KEY, used INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE blocks (
    harness TEXT NOT NULL, metric TEXT NOT NULL, period TEXT NOT NULL, max REAL NOT NULL,
    action TEXT NOT NULL, start INTEGER NOT NULL, used REAL NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (harness, metric, period, max, action, start)) WITHOUT ROWID;
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, harness TEXT NOT NULL, status INTEGER NOT NULL,
    model TEXT, requested TEXT, row TEXT NOT NULL, text TEXT);
  CREATE TABLE quarters (${sums}) WITHOUT ROWID;
  CREATE TABLE hours (${sums}) WITHOUT ROWID;
  CREATE TABLE days (${sums}) WITHOUT ROWID;
  CREATE TABLE schema_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
  INSERT INTO schema_version (one, version) VALUES (1, 2);`;

/** The lease of a request that was under way, without the ids of a key and a person. */
function lease(now: number) {
  const reserve = { cost: 20_000_000, tokens: 20, requests: 1 };
  const lost = { model: "lab/one", input: 10, output: 10, cost: 20_000_000 };
  return { id: "req_open", harness: "default", reserve, lost, started: now, expires: now + 45_000 };
}

/** A document, a key, one row of the log, and one request under way. */
export function writeVersion2(sql: SqlStorage, now: number): void {
  sql.exec(tables);
  const meta = (name: string, value: unknown) =>
    sql.exec("INSERT INTO meta (name, value) VALUES (?, ?)", name, JSON.stringify(value));
  meta("document", document);
  meta("generation", 7);
  meta("live", { windows: {}, boot: null, leases: [lease(now)], outcomes: {} });
  const { id, hash, name, harness, last4, created_at, last_used_at } = key;
  const values = [id, hash, name, harness, last4, created_at, null, last_used_at];
  sql.exec("INSERT INTO keys VALUES (?,?,?,?,?,?,?,?)", ...values);
  sql.exec(
    "INSERT INTO requests VALUES (41,'req_old','default',200,'lab/one','lab/one',?,NULL)",
    JSON.stringify(logged),
  );
}
