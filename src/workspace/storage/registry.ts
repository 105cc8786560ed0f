/** Tables of what must survive at once: the document, the keys, blocks; and of what the next batch saves. */
import type { Config } from "../../store/config.ts";
import type { KeyRecord } from "../../store/snapshot.ts";

export function createRegistry(sql: SqlStorage): void {
  sql.exec(`
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
      PRIMARY KEY (harness, metric, period, max, action, start)) WITHOUT ROWID;`);
}

export type MetaName =
  | "document"
  | "generation"
  | "workspace"
  | "quota"
  | "window"
  | "throttles"
  | "leases";

export function readMeta(sql: SqlStorage, name: MetaName): unknown {
  const [row] = sql.exec("SELECT value FROM meta WHERE name = ?", name).toArray();
  return row === undefined ? undefined : JSON.parse(String(row["value"]));
}

export function writeMeta(sql: SqlStorage, name: MetaName, value: unknown): void {
  sql.exec("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, JSON.stringify(value));
}

export function readDocument(sql: SqlStorage): { config: Config; generation: number } | undefined {
  const config = readMeta(sql, "document");
  if (config === undefined) return undefined;
  // Only validated documents are written.
  return { config: config as Config, generation: Number(readMeta(sql, "generation")) };
}

export function writeDocument(sql: SqlStorage, config: Config, generation: number): void {
  writeMeta(sql, "document", config);
  writeMeta(sql, "generation", generation);
}

export function readKeys(sql: SqlStorage): KeyRecord[] {
  const rows = sql.exec("SELECT * FROM keys ORDER BY created_at, id").toArray();
  return rows.map((row) => ({
    id: String(row["id"]),
    name: String(row["name"]),
    harness: String(row["harness"]),
    hash: String(row["hash"]),
    last4: String(row["last4"]),
    created_at: String(row["created_at"]),
    expires_at: textOrNull(row["expires_at"]),
    last_used_at: textOrNull(row["last_used_at"]),
  }));
}

function textOrNull(value: SqlStorageValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

export function writeKey(sql: SqlStorage, key: KeyRecord): void {
  sql.exec(
    `INSERT INTO keys (id, hash, name, harness, last4, created_at, expires_at, last_used_at)
     VALUES (?,?,?,?,?,?,?,?)`,
    key.id,
    key.hash,
    key.name,
    key.harness,
    key.last4,
    key.created_at,
    key.expires_at,
    key.last_used_at,
  );
}

export function removeKey(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM keys WHERE id = ?", id);
}

export function writeLastUse(sql: SqlStorage, id: string, time: string): void {
  sql.exec("UPDATE keys SET last_used_at = ? WHERE id = ?", time, id);
}

/** A limit that blocked, or a notifying one that was crossed, once a period. */
export interface BlockRecord {
  harness: string;
  metric: "cost" | "tokens" | "requests";
  period: "hour" | "day" | "week" | "month";
  max: number;
  action: "block" | "notify";
  /** Of the period, and of the first and the last block in it; epoch ms. */
  start: number;
  first: number;
  last: number;
  /** In the limit's own unit, USD for cost. */
  used: number;
  count: number;
}

export function blockKey(block: Omit<BlockRecord, "first" | "last" | "used" | "count">): string {
  const { harness, metric, period, max, action, start } = block;
  return [harness, metric, period, max, action, start].join(" ");
}

export function writeBlock(sql: SqlStorage, block: BlockRecord): void {
  sql.exec(
    `INSERT OR REPLACE INTO blocks (harness, metric, period, max, action, start, used, first, last, count)
     VALUES (?,?,?,?,?,?,?,?,?,?)`,
    block.harness,
    block.metric,
    block.period,
    block.max,
    block.action,
    block.start,
    block.used,
    block.first,
    block.last,
    block.count,
  );
}

export function trimBlocks(sql: SqlStorage, since: number): void {
  sql.exec("DELETE FROM blocks WHERE last < ?", since);
}

/** Newest first. */
export function readBlocks(sql: SqlStorage, limit: number): BlockRecord[] {
  const rows = sql.exec("SELECT * FROM blocks ORDER BY last DESC LIMIT ?", limit).toArray();
  // Written by writeBlock above, whose columns carry these names and types.
  return rows as unknown as BlockRecord[];
}

/** Name and JSON text of every row, oldest use first. */
export function readNamed(
  sql: SqlStorage,
  table: "sessions" | "answers" | "outcomes",
): [string, unknown][] {
  const order = table === "sessions" ? "ORDER BY used" : "";
  const rows = sql.exec(`SELECT name, value FROM ${table} ${order}`).toArray();
  return rows.map((row) => [String(row["name"]), JSON.parse(String(row["value"]))]);
}

export function writeSession(
  sql: SqlStorage,
  row: { name: string; used: number; value: unknown },
): void {
  sql.exec(
    "INSERT OR REPLACE INTO sessions (name, used, value) VALUES (?, ?, ?)",
    row.name,
    row.used,
    JSON.stringify(row.value),
  );
}

/** Keeps the newest conversations only. */
export function trimSessions(sql: SqlStorage, keep: number): void {
  sql.exec(
    "DELETE FROM sessions WHERE used < (SELECT used FROM sessions ORDER BY used DESC LIMIT 1 OFFSET ?)",
    keep,
  );
}

export function writeAnswers(sql: SqlStorage, name: string, lengths: readonly number[]): void {
  sql.exec(
    "INSERT OR REPLACE INTO answers (name, value) VALUES (?, ?)",
    name,
    JSON.stringify(lengths),
  );
}

export function writeOutcomes(sql: SqlStorage, harness: string, value: unknown): void {
  sql.exec(
    "INSERT OR REPLACE INTO outcomes (name, value) VALUES (?, ?)",
    harness,
    JSON.stringify(value),
  );
}

export function removeOutcomes(sql: SqlStorage, harness: string): void {
  sql.exec("DELETE FROM outcomes WHERE name = ?", harness);
}
