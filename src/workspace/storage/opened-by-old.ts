/**
 * Takes over what version 0.1.0 wrote into a state of a later one. That version knows no schema numbers: it makes the
 * tables anew that it misses, counts its requests there, and finds nothing in them of what was spent before.
 */
import { keyNode, personNode } from "../rules/nodes.ts";
import { monthAt } from "../rules/month.ts";
import { bookNode, newNodeSums, savedNodeSum } from "../rules/sums/node-sums.ts";
import { calendarOf } from "../rules/sums/period.ts";
import { amountOf, rollupsOf, timeOf } from "../rules/sums/rollup.ts";
import { hasTable } from "./sql/schema-version.ts";
import { readStoredDocument } from "./tables/document.ts";
import { readKeys } from "./tables/keys.ts";
import { readLive, type SavedLive, writeSavedLive } from "./tables/live.ts";
import { readMeta, removeMeta } from "./tables/meta.ts";
import { rowsWithoutTime } from "./tables/request-log.ts";
import { readNodeSum, writeNodeSum } from "./tables/running.ts";

/** Only after migrating: a state that 0.1.0 has never left has these tables too. */
export function takeOverFromOld(storage: DurableObjectStorage, now: number): void {
  const { sql } = storage;
  if (!hasTable(sql, "outcomes")) return;
  storage.transactionSync(() => {
    addSumColumns(sql);
    bookOnNodes(sql, now);
    mendLive(sql, now);
    sql.exec(`
      INSERT OR REPLACE INTO conversations SELECT name, used, value FROM sessions;
      DROP TABLE sessions;
      DROP TABLE outcomes;
      DROP INDEX IF EXISTS requests_by_id;`);
  });
  console.warn("version 0.1.0 has opened this workspace's state: what it wrote was taken over");
}

/** Its sums lie in a table that upkeep moves to where they belong: it lacks the columns of schema 7. */
function addSumColumns(sql: SqlStorage): void {
  const [table] = sql.exec("SELECT sql FROM sqlite_master WHERE name = 'rollups'").toArray();
  if (table === undefined || /\bblocked\b/.test(String(table["sql"]))) return;
  sql.exec(`
    ALTER TABLE rollups ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rollups ADD COLUMN fallbacks INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rollups ADD COLUMN first_bytes TEXT NOT NULL DEFAULT '';`);
}

/** It knows no sums of keys and persons: the rows of its log say what they used. */
function bookOnNodes(sql: SqlStorage, now: number): void {
  const calendar = calendarOf(readStoredDocument(sql)?.config.timezone ?? "UTC");
  const nodes = newNodeSums((name) => readNodeSum(sql, name));
  const keys = new Map(readKeys(sql).map((key) => [key.id, key]));
  for (const record of rowsWithoutTime(sql)) {
    const key = keys.get(record.key_id ?? "");
    if (key === undefined) continue;
    const rows = rollupsOf(record, now);
    const booking = { rows, amount: amountOf(rows), time: timeOf(record, now), calendar, now };
    bookNode(nodes, keyNode(key.id), booking);
    if (key.person !== undefined) bookNode(nodes, personNode(key.person), booking);
  }
  for (const name of nodes.changed) writeNodeSum(sql, name, savedNodeSum(nodes, name));
}

/** Running totals are summed anew; the month counts on; its leases are void like all of an earlier process. */
function mendLive(sql: SqlStorage, now: number): void {
  const live = readLive(sql);
  const left = readMeta(sql, "leases") as Pick<SavedLive, "leases"> | undefined;
  for (const name of ["window", "throttles", "leases"] as const) removeMeta(sql, name);
  if (live === undefined) return;
  const { spend: _, month: saved, ...rest } = live;
  const month = monthAt(saved ?? { start: 0, requests: 0 }, now);
  const requests = month.requests + requestsSince(sql, month.start);
  const leases = [...live.leases, ...(left?.leases ?? [])];
  writeSavedLive(sql, { ...rest, boot: "", leases, month: { ...month, requests } });
}

function requestsSince(sql: SqlStorage, from: number): number {
  const query =
    "SELECT COALESCE(SUM(requests), 0) AS requests FROM rollups WHERE bucket >= ? AND model <> ''";
  return Number(sql.exec(query, from).one()["requests"]);
}
