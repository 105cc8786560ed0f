/**
 * A state as the version with schema 1 wrote it, frozen: nothing here follows the code's present tables.
 */
import type { Config } from "../../../src/store/config.ts";
import { calendarOf } from "../../../src/workspace/rules/sums/period.ts";
import { logged } from "./state-before-versions.ts";

const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, harness TEXT NOT NULL,
    last4 TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, last_used_at TEXT);
  CREATE TABLE sessions (name TEXT PRIMARY KEY, used INTEGER NOT NULL, value TEXT NOT NULL);
  CREATE TABLE answers (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE outcomes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE blocks (
    harness TEXT NOT NULL, metric TEXT NOT NULL, period TEXT NOT NULL, max REAL NOT NULL,
    action TEXT NOT NULL, start INTEGER NOT NULL, used REAL NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (harness, metric, period, max, action, start)) WITHOUT ROWID;
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, harness TEXT NOT NULL, status INTEGER NOT NULL,
    model TEXT, requested TEXT, row TEXT NOT NULL, text TEXT);
  CREATE INDEX requests_by_id ON requests (id);
  CREATE TABLE rollups (
    bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
    requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
    cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
    PRIMARY KEY (bucket, harness, tier, model)) WITHOUT ROWID;
  CREATE TABLE schema_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
  INSERT INTO schema_version (one, version) VALUES (1, 1);`;

/** One harness with a limit of requests a month. */
export const harnesses: Config["harnesses"] = [
  {
    id: "default",
    name: "D",
    limits: [{ metric: "requests", period: "month", max: 1e9, action: "block" }],
  },
];

export function writeTables(sql: SqlStorage): void {
  sql.exec(tables);
}

export function writeDocument(sql: SqlStorage, document: Config): void {
  const meta = (name: string, value: unknown) =>
    sql.exec("INSERT INTO meta (name, value) VALUES (?, ?)", name, JSON.stringify(value));
  meta("document", document);
  meta("generation", 3);
}

export interface OldRollup {
  bucket: number;
  group: number;
  requests: number;
  /** Picodollars. */
  cost: number;
}

/** Rows of every group in each step of the span. */
export function rollups(span: {
  from: number;
  to: number;
  step: number;
  groups: number;
}): OldRollup[] {
  const rows: OldRollup[] = [];
  const first = Math.ceil(span.from / 900_000) * 900_000;
  for (let bucket = first; bucket < span.to; bucket += span.step) {
    for (let group = 0; group < span.groups; group += 1)
      rows.push({ bucket, group, requests: 1 + group, cost: 1_234_567 + rows.length });
  }
  return rows;
}

export function writeRollups(sql: SqlStorage, rows: readonly OldRollup[]): void {
  for (const { bucket, group, requests, cost } of rows) {
    sql.exec(
      "INSERT INTO rollups VALUES (?,'default',?,?,?,0,100,10,0,50,5,?)",
      bucket,
      `tier${group % 4}`,
      `lab/m${group}`,
      requests,
      cost,
    );
  }
}

/** What the limit of a month counts. */
export function requestsOfMonth(rows: readonly OldRollup[], timezone: string, now: number): number {
  const { start } = calendarOf(timezone).span("month", now);
  return rows
    .filter(({ bucket }) => bucket >= start)
    .reduce((sum, { requests }) => sum + requests, 0);
}

interface OldRow {
  id: string;
  time: string;
  text?: { request: string; answer: string };
}

export function writeLogged(sql: SqlStorage, rows: readonly OldRow[]): void {
  for (const [index, { id, time, text }] of rows.entries()) {
    sql.exec(
      "INSERT INTO requests VALUES (?,?,'default',200,'lab/one','lab/one',?,?)",
      index + 1,
      id,
      JSON.stringify({ ...logged, id, time }),
      text === undefined ? null : JSON.stringify(text),
    );
  }
}
