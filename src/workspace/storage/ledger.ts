/** The ledger's tables: the newest rows of the request log, and sums by quarter of an hour. */
import type { RequestRecord } from "../contract/contract.ts";
import type { RollupRow } from "../rules/rollup.ts";
import type { Amount } from "../rules/spend.ts";

/** Rows of the request log that a workspace keeps. */
export const keptRows = 10_000;
/** Sums older than this are forgotten: thirteen months and a bit. */
export const keptSums = 400 * 86_400_000;

export function createLedger(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS requests (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL, harness TEXT NOT NULL, status INTEGER NOT NULL,
      model TEXT, requested TEXT, row TEXT NOT NULL, text TEXT);
    CREATE INDEX IF NOT EXISTS requests_by_id ON requests (id);
    CREATE TABLE IF NOT EXISTS rollups (
      bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
      requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
      cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
      PRIMARY KEY (bucket, harness, tier, model)) WITHOUT ROWID;`);
}

export interface LoggedRow {
  seq: number;
  record: RequestRecord;
}

export function appendRow(sql: SqlStorage, { seq, record }: LoggedRow): void {
  const { text, session: _session, observed: _observed, ...row } = record;
  sql.exec(
    "INSERT OR REPLACE INTO requests (seq, id, harness, status, model, requested, row, text) VALUES (?,?,?,?,?,?,?,?)",
    seq,
    record.id,
    record.harness,
    record.status,
    record.model,
    record.requested_model,
    JSON.stringify(row),
    text === undefined ? null : JSON.stringify(text),
  );
}

export function trimRows(sql: SqlStorage, newest: number): void {
  sql.exec("DELETE FROM requests WHERE seq <= ?", newest - keptRows);
}

export function addSums(sql: SqlStorage, row: RollupRow): void {
  sql.exec(
    `INSERT INTO rollups VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
     ON CONFLICT (bucket, harness, tier, model) DO UPDATE SET
       requests = requests + excluded.requests, errors = errors + excluded.errors,
       input = input + excluded.input, cached = cached + excluded.cached,
       cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
       reasoning = reasoning + excluded.reasoning, cost = cost + excluded.cost`,
    row.bucket,
    row.harness,
    row.tier,
    row.model,
    row.requests,
    row.errors,
    row.input,
    row.cached,
    row.cacheWrite,
    row.output,
    row.reasoning,
    row.cost,
  );
}

export function trimSums(sql: SqlStorage, now: number): void {
  sql.exec("DELETE FROM rollups WHERE bucket < ?", now - keptSums);
}

export function newestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MAX(seq), 0) AS seq FROM requests").one()["seq"]);
}

/** Whether the request has a row already: nothing is booked twice. */
export function hasRow(sql: SqlStorage, id: string): boolean {
  return sql.exec("SELECT 1 FROM requests WHERE id = ? LIMIT 1", id).toArray().length > 0;
}

/** What every harness has spent since that instant. */
export function spentSince(sql: SqlStorage, since: number): Map<string, Amount> {
  const rows = sql.exec(
    `SELECT harness, SUM(cost) AS cost, SUM(input + output) AS tokens, SUM(requests) AS requests
     FROM rollups WHERE bucket >= ? GROUP BY harness`,
    since,
  );
  const sums = new Map<string, Amount>();
  for (const row of rows) {
    sums.set(String(row["harness"]), {
      cost: Number(row["cost"]),
      tokens: Number(row["tokens"]),
      requests: Number(row["requests"]),
    });
  }
  return sums;
}

export interface RowFilter {
  limit: number;
  /** Only rows older than this one. */
  before?: number;
  harness?: string;
  /** From (inclusive) and to (exclusive). */
  status?: readonly [number, number];
  model?: string;
}

/** Newest first, without the texts. */
export function listRows(sql: SqlStorage, filter: RowFilter): LoggedRow[] {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...given: (string | number)[]) => {
    where.push(condition);
    values.push(...given);
  };
  if (filter.before !== undefined) add("seq < ?", filter.before);
  if (filter.harness !== undefined) add("harness = ?", filter.harness);
  if (filter.status !== undefined) add("status >= ? AND status < ?", ...filter.status);
  if (filter.model !== undefined) add("(model = ? OR requested = ?)", filter.model, filter.model);
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const query = `SELECT seq, row FROM requests ${clause} ORDER BY seq DESC LIMIT ?`;
  return [...sql.exec(query, ...values, filter.limit)].map((row) => ({
    seq: Number(row["seq"]),
    record: readRow(row["row"]),
  }));
}

/** One row, with its texts where the harness keeps them. */
export function findRow(sql: SqlStorage, id: string): RequestRecord | undefined {
  const [row] = sql
    .exec("SELECT row, text FROM requests WHERE id = ? ORDER BY seq DESC LIMIT 1", id)
    .toArray();
  if (row === undefined) return undefined;
  const record = readRow(row["row"]);
  if (row["text"] === null) return record;
  // Written by appendRow above.
  return {
    ...record,
    text: JSON.parse(String(row["text"])) as { request: string; answer: string },
  };
}

function readRow(text: SqlStorageValue | undefined): RequestRecord {
  // Written by appendRow above.
  return JSON.parse(String(text)) as RequestRecord;
}

export interface SumRow {
  bucket: number;
  group: string;
  requests: number;
  errors: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** Picodollars. */
  cost: number;
}

/** `from` inclusive, `to` exclusive, epoch ms. */
export interface SumQuestion {
  from: number;
  to: number;
  group: SumGroup;
}

export type SumGroup = "model" | "harness" | "provider" | "tier";

/** Sums of one quarter of an hour and group each, oldest first. */
export function listSums(sql: SqlStorage, { from, to, group }: SumQuestion): SumRow[] {
  const column = {
    model: "model",
    harness: "harness",
    tier: "tier",
    provider:
      "CASE WHEN instr(model, '/') > 0 THEN substr(model, 1, instr(model, '/') - 1) ELSE model END",
  }[group];
  const rows = sql.exec(
    `SELECT bucket, ${column} AS name, SUM(requests) AS requests, SUM(errors) AS errors, SUM(input) AS input,
       SUM(cached) AS cached, SUM(output) AS output, SUM(cost) AS cost
     FROM rollups WHERE bucket >= ? AND bucket < ? GROUP BY bucket, name ORDER BY bucket, name`,
    from,
    to,
  );
  return [...rows].map((row) => ({
    bucket: Number(row["bucket"]),
    group: String(row["name"]),
    requests: Number(row["requests"]),
    errors: Number(row["errors"]),
    input_tokens: Number(row["input"]),
    cached_tokens: Number(row["cached"]),
    output_tokens: Number(row["output"]),
    cost: Number(row["cost"]),
  }));
}
