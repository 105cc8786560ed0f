/** The schema of a workspace's database. */
import { createAuditTable } from "./tables/audit.ts";
import { readMeta, removeMeta } from "./tables/meta.ts";
import { describeRequests } from "./migrations/describe-requests.ts";
import { keepEvents } from "./migrations/keep-events.ts";
import { keepReasoning } from "./migrations/keep-reasoning.ts";
import { keepRemoved } from "./migrations/keep-removed.ts";
import { limitsOfPeople } from "./migrations/limits-of-people.ts";
import { sumOutcomes } from "./migrations/sum-outcomes.ts";
import { writeSavedLive, timeSteps, type SavedLive } from "./tables/live.ts";
import { countMonthsOfUtc } from "./months-of-utc.ts";
import type { Migration } from "./sql/schema-version.ts";
import { createVersionTable } from "./tables/versions.ts";

/** In order; the next change of a table is the next entry. */
export const workspaceMigrations: readonly Migration[] = [
  createTables,
  writeFewerRows,
  limitsOfPeople,
  keepHistory,
  countMonthsOfUtc,
  describeRequests,
  sumOutcomes,
  keepEvents,
  keepReasoning,
  keepRemoved,
];

/** Leaves tables alone that the versions without numbers made. */
function createTables(sql: SqlStorage): void {
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
      PRIMARY KEY (harness, metric, period, max, action, start)) WITHOUT ROWID;
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

/**
 * One row for all that changes with every request, conversations and the log without a second index, sums on three
 * levels. The table `rollups` stays until its sums have been moved, slice by slice: it may be long.
 */
function writeFewerRows(sql: SqlStorage): void {
  writeSavedLive(sql, liveBefore(sql));
  for (const name of ["window", "throttles", "leases"] as const) removeMeta(sql, name);
  for (const level of ["quarters", "hours", "days"]) {
    sql.exec(`CREATE TABLE ${level} (
      bucket INTEGER NOT NULL, harness TEXT NOT NULL, tier TEXT NOT NULL, model TEXT NOT NULL,
      requests INTEGER NOT NULL, errors INTEGER NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
      cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER NOT NULL,
      PRIMARY KEY (bucket, harness, tier, model)) WITHOUT ROWID`);
  }
  sql.exec(`
    CREATE TABLE conversations (name TEXT PRIMARY KEY, used INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO conversations SELECT name, used, value FROM sessions;
    DROP TABLE sessions;
    DROP TABLE outcomes;
    DROP INDEX requests_by_id;
    ALTER TABLE answers ADD COLUMN saved INTEGER NOT NULL DEFAULT 0;`);
}

/** Windows, leases and outcomes where the version before had them. */
function liveBefore(sql: SqlStorage): SavedLive {
  // Each was written in this shape by that version alone.
  const leases = (readMeta(sql, "leases") ?? { boot: null, leases: [] }) as Pick<
    SavedLive,
    "boot" | "leases"
  >;
  const whole = (readMeta(sql, "window") ?? []) as number[];
  const throttles = (readMeta(sql, "throttles") ?? {}) as Record<string, number[]>;
  const windows = Object.entries({ "": whole, ...throttles });
  const outcomes = sql.exec("SELECT name, value FROM outcomes").toArray();
  return {
    ...leases,
    windows: Object.fromEntries(windows.map(([name, times]) => [name, timeSteps(times)])),
    outcomes: Object.fromEntries(
      outcomes.map(({ name, value }) => [
        String(name),
        JSON.parse(String(value)) as SavedLive["outcomes"][string],
      ]),
    ),
  };
}

/** The audit log and the document's versions. */
function keepHistory(sql: SqlStorage): void {
  createAuditTable(sql);
  createVersionTable(sql);
}
