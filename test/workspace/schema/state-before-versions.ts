/**
 * A state as the last version without schema numbers wrote it: its CREATE TABLE statements and rows of each table,
 * frozen. Nothing here follows the code's present tables.
 */
import type { Config } from "../../../src/store/config.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";

/** Every table of a workspace's database. */
const workspaceTables = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, harness TEXT NOT NULL,
    last4 TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, last_used_at TEXT);
  CREATE TABLE IF NOT EXISTS sessions (name TEXT PRIMARY KEY, used INTEGER NOT NULL, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS answers (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS outcomes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    harness TEXT NOT NULL, metric TEXT NOT NULL, period TEXT NOT NULL, max REAL NOT NULL,
    action TEXT NOT NULL, start INTEGER NOT NULL, used REAL NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (harness, metric, period, max, action, start)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS requests (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, harness TEXT NOT NULL, status INTEGER NOT NULL,
    model TEXT, requested TEXT, row TEXT NOT NULL, text TEXT);
  CREATE INDEX IF NOT EXISTS requests_by_id ON requests (id);
  CREATE TABLE IF NOT EXISTS rollups (
    bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
    requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
    cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
    PRIMARY KEY (bucket, harness, tier, model)) WITHOUT ROWID;`;

/** The document in force, at generation 7. */
export const document: Config = {
  timezone: "UTC",
  providers: [{ id: "lab", kind: "custom", format: "chat", base_url: "https://lab.example/v1" }],
  harnesses: [
    {
      id: "default",
      name: "Default",
      routing: { learning: true },
      limits: [{ metric: "cost", period: "month", max: 5, action: "block" }],
    },
  ],
};

/** A key of the default harness. */
export const key = {
  id: "key_old",
  hash: "0123456789abcdef",
  name: "old",
  harness: "default",
  last4: "wxyz",
  created_at: "2026-01-02T03:04:05.000Z",
  expires_at: null,
  last_used_at: "2026-02-03T04:05:06.000Z",
};

/** A conversation of the default harness, under the key `talk`. */
export const session = {
  model: "lab/one",
  tier: "simple",
  lastUsed: 1_770_000_000_000,
  cachedTokens: 12,
  inputTokens: 34,
  turns: 5,
};

/** The one row of the log. */
export const logged = {
  id: "req_old",
  time: "2026-02-03T04:05:06.000Z",
  harness: "default",
  format: "chat",
  requested_model: "lab/one",
  tier: "direct",
  reason: "named",
  confidence: 1,
  attempts: [],
  model: "lab/one",
  provider: "lab",
  status: 200,
  stream: false,
  usage: null,
  cost: 0.5,
  dropped: [],
  first_byte_ms: 3,
  total_ms: 5,
  error: null,
};

/** A limit that blocked three times. */
export const block = {
  harness: "default",
  metric: "cost",
  period: "month",
  max: 5,
  action: "block",
  start: 1_769_904_000_000,
  used: 5.5,
  first: 1_770_000_000_000,
  last: 1_770_000_100_000,
  count: 3,
} as const;

/** Picodollars of the running month. */
export const spent = 1_250_000_000_000;

/** Writes the whole state of a workspace in which one request is under way since `now`. */
export function writeOldWorkspace(sql: SqlStorage, now: number): void {
  sql.exec(workspaceTables);
  const meta = (name: string, value: unknown) =>
    sql.exec(
      "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
      name,
      JSON.stringify(value),
    );
  meta("document", document);
  meta("generation", 7);
  meta("quota", 1000);
  meta("window", [now - 2000, now - 1000]);
  const reserve = { cost: 20_000_000, tokens: 20, requests: 1 };
  const lost = { model: "lab/one", input: 10, cost: 10_000_000 };
  const lease = {
    id: "req_open",
    harness: "default",
    reserve,
    lost,
    started: now,
    expires: now + 45_000,
  };
  meta("leases", { boot: null, leases: [lease] });
  sql.exec("INSERT INTO keys VALUES (?,?,?,?,?,?,?,?)", ...Object.values(keyRow()));
  sql.exec(
    "INSERT INTO sessions VALUES (?,?,?)",
    "default talk",
    session.lastUsed,
    JSON.stringify(session),
  );
  sql.exec("INSERT INTO answers VALUES (?,?)", "default lab/one", "[5000,5001]");
  sql.exec("INSERT INTO outcomes VALUES (?,?)", "default", JSON.stringify(outcomes));
  sql.exec("INSERT INTO blocks VALUES (?,?,?,?,?,?,?,?,?,?)", ...Object.values(block));
  sql.exec(
    "INSERT INTO requests VALUES (41,?,?,200,?,?,?,?)",
    logged.id,
    logged.harness,
    logged.model,
    logged.requested_model,
    JSON.stringify(logged),
    JSON.stringify(text),
  );
  const bucket = Math.floor(now / 900_000) * 900_000;
  sql.exec(
    "INSERT INTO rollups VALUES (?,'default','direct','lab/one',4,1,400,40,4,80,8,?)",
    bucket,
    spent,
  );
}

/** What that version does to a state of a later one: it misses tables and makes them anew, then books a request there. */
export function openNewerWorkspace(sql: SqlStorage, record: RequestRecord): void {
  sql.exec(workspaceTables);
  const [newest] = sql.exec("SELECT MAX(seq) AS seq FROM requests").toArray();
  sql.exec(
    "INSERT OR REPLACE INTO requests (seq, id, harness, status, model, requested, row, text) VALUES (?,?,?,?,?,?,?,?)",
    Number(newest?.["seq"] ?? 0) + 1,
    record.id,
    record.harness,
    record.status,
    record.model,
    record.requested_model,
    JSON.stringify(record),
    null,
  );
  sql.exec(
    "INSERT INTO rollups VALUES (?,?,?,?,1,0,10,0,0,10,0,20000000)",
    Math.floor(Date.parse(record.time) / 900_000) * 900_000,
    record.harness,
    record.tier,
    record.model,
  );
  sql.exec(
    "INSERT INTO sessions VALUES (?,?,?)",
    "default talk",
    session.lastUsed,
    JSON.stringify(session),
  );
  sql.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('window', '[]')");
  sql.exec(
    "INSERT OR REPLACE INTO meta (name, value) VALUES ('leases', ?)",
    JSON.stringify({ boot: "old", leases: [] }),
  );
}

/** What the log keeps of the row's texts. */
export const text = { request: "hello", answer: "hi" };

/** Counts of the default harness. */
export const outcomes = {
  simple: { served: 9, errors: 1, truncated: 0, rephrased: 2, overridden: 0, bad_calls: 0 },
};

/** In the order of the columns. */
function keyRow() {
  const { id, hash, name, harness, last4, created_at, expires_at, last_used_at } = key;
  return { id, hash, name, harness, last4, created_at, expires_at, last_used_at };
}

/** Every table of the directory's database, with one workspace, a replaced admin token and a session. */
export function writeOldDirectory(sql: SqlStorage, now: number): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS workspaces (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT UNIQUE,
    monthly_requests INTEGER, created_at TEXT NOT NULL)`);
  sql.exec(`
    CREATE TABLE IF NOT EXISTS admin_token (one INTEGER PRIMARY KEY, hash TEXT NOT NULL, setting TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS sessions (
      id TEXT PRIMARY KEY, token TEXT NOT NULL, workspace TEXT, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tries (bucket TEXT NOT NULL, at INTEGER NOT NULL);`);
  sql.exec(
    "INSERT INTO workspaces VALUES ('default', 'Renamed', NULL, NULL, '2026-01-01T00:00:00.000Z')",
  );
  sql.exec(
    "INSERT INTO workspaces VALUES ('ws_1', 'One', 'hash-of-ws', 50, '2026-01-02T00:00:00.000Z')",
  );
  sql.exec("INSERT INTO admin_token VALUES (1, 'rotated', 'setting')");
  sql.exec("INSERT INTO sessions VALUES ('s', 'hash-of-ws', 'ws_1', ?)", now);
  for (let number = 0; number < 5; number += 1) sql.exec("INSERT INTO tries VALUES ('a', ?)", now);
}

/** The table of an address that has made 500 requests. */
export function writeOldAddress(sql: SqlStorage, now: number): void {
  sql.exec("CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, times TEXT NOT NULL)");
  const times = JSON.stringify(Array.from({ length: 500 }, () => now));
  sql.exec("INSERT OR REPLACE INTO log (id, times) VALUES (1, ?)", times);
}
