/**
 * A state as the version with schema 5 wrote it, frozen: nothing here follows the code's present tables.
 */
import { block, document, key, logged, text } from "./state-before-versions.ts";

const sums = `
  bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
  requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
  PRIMARY KEY (bucket, harness, tier, model)`;

const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, harness TEXT NOT NULL,
    last4 TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, last_used_at TEXT, person TEXT, limits TEXT,
    models TEXT, version INTEGER NOT NULL DEFAULT 0);
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
    model TEXT, requested TEXT, row TEXT NOT NULL, text TEXT, key_id TEXT, person TEXT);
  CREATE TABLE quarters (${sums}) WITHOUT ROWID;
  CREATE TABLE hours (${sums}) WITHOUT ROWID;
  CREATE TABLE days (${sums}) WITHOUT ROWID;
  CREATE TABLE running (node TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE people (id TEXT PRIMARY KEY, limits TEXT NOT NULL, has_left INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, time INTEGER NOT NULL, actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL, actor_email TEXT, action TEXT NOT NULL, target TEXT NOT NULL,
    before TEXT, after TEXT, hash TEXT NOT NULL);
  CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'an event of the audit log cannot be altered'); END;
  CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'an event of the audit log cannot be removed'); END;
  CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
    WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit)
      OR NEW.time < (SELECT COALESCE(MAX(time), 0) FROM audit WHERE seq = NEW.seq - 1)
    BEGIN SELECT RAISE(ABORT, 'the audit log grows at its end only'); END;
  CREATE TABLE versions (
    n INTEGER PRIMARY KEY, time INTEGER NOT NULL, actor TEXT NOT NULL, changes TEXT NOT NULL,
    document TEXT NOT NULL);
  CREATE TABLE schema_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
  INSERT INTO schema_version (one, version) VALUES (1, 5);`;

const attempt = { model: "lab/one", status: 500, ms: 3, outcome: "failed", error: "boom" };

/** The rows of the log, oldest first, numbered from 41: one answered, one by a fallback, one failed, one blocked, one left. */
export const rowsOfVersion5 = [
  { ...logged, key_id: key.id, person: "usr_1" },
  {
    ...logged,
    id: "req_fallback",
    key_id: key.id,
    requested_model: "auto",
    attempts: [attempt, { ...attempt, model: "spare/two", status: 200, outcome: "ok" }],
    model: "spare/two",
    provider: "spare",
    cost: 0.25,
  },
  {
    ...logged,
    id: "req_failed",
    attempts: [attempt],
    model: null,
    provider: null,
    status: 500,
    cost: null,
    error: "boom: no such fuel",
  },
  {
    ...logged,
    id: "req_blocked",
    model: null,
    provider: null,
    status: 200,
    cost: null,
    blocked_by: "harness",
    error: "M200: Limit reached",
  },
  { ...logged, id: "req_left", status: 499, error: "the client left" },
];

/** The lease of a request that was under way, of a key and a person. */
function lease(now: number) {
  const reserve = { cost: 20_000_000, tokens: 20, requests: 1 };
  const lost = { model: "lab/one", input: 10, output: 10, cost: 20_000_000 };
  const of = { harness: "default", key: key.id, person: "usr_1" };
  return { id: "req_open", ...of, reserve, lost, started: now, expires: now + 45_000 };
}

/** A document, a key of a person, a limit that blocked, sums of the running quarter-hour, the rows above, and one request under way. */
export function writeVersion5(sql: SqlStorage, now: number): void {
  sql.exec(tables);
  const meta = (name: string, value: unknown) =>
    sql.exec("INSERT INTO meta (name, value) VALUES (?, ?)", name, JSON.stringify(value));
  meta("document", document);
  meta("generation", 7);
  meta("live", { windows: {}, boot: null, leases: [lease(now)], outcomes: {} });
  const { id, hash, name, harness, last4, created_at, last_used_at } = key;
  const values = [id, hash, name, harness, last4, created_at, null, last_used_at, "usr_1"];
  sql.exec("INSERT INTO keys VALUES (?,?,?,?,?,?,?,?,?,NULL,NULL,0)", ...values);
  sql.exec("INSERT INTO people VALUES ('usr_1', '[]', 0)");
  sql.exec("INSERT INTO blocks VALUES (?,?,?,?,?,?,?,?,?,?)", ...Object.values(block));
  const bucket = Math.floor(now / 900_000) * 900_000;
  for (const holder of ["default", "person:usr_1"])
    sql.exec(
      "INSERT INTO quarters VALUES (?,?,'direct','lab/one',4,1,400,40,4,80,8,1250000000000)",
      bucket,
      holder,
    );
  for (const [index, row] of rowsOfVersion5.entries()) writeRow(sql, 41 + index, row);
}

function writeRow(sql: SqlStorage, seq: number, row: (typeof rowsOfVersion5)[number]): void {
  const found = { key_id: null, person: null, ...row };
  sql.exec(
    "INSERT INTO requests VALUES (?,?,?,?,?,?,?,?,?,?)",
    seq,
    row.id,
    row.harness,
    row.status,
    row.model,
    row.requested_model,
    JSON.stringify(row),
    row.id === logged.id ? JSON.stringify(text) : null,
    found.key_id,
    found.person,
  );
}
