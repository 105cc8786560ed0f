/** Sums that were written long ago: folded slice by slice, exact at every moment. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { SumGroup } from "../../../src/workspace/contract/reports.ts";
import * as before from "../schema/state-of-version-1.ts";
import {
  call,
  fold,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  restart,
  stubOf,
} from "../workers-kit.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** A workspace whose state is what the version before wrote. */
async function oldWorkspace(fill: (sql: SqlStorage) => void): Promise<string> {
  const workspace = newWorkspace();
  await runInDurableObject(stubOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    before.writeTables(state.storage.sql);
    fill(state.storage.sql);
    await state.storage.sync();
  });
  await restart(workspace);
  return workspace;
}

/** The answers to every kind of question. */
async function answersOf(workspace: string, from: number, to: number) {
  const groups: SumGroup[] = ["model", "harness", "provider", "tier"];
  const asked = groups.map(async (group) => ({
    day: await object(workspace).sums({ from, to, group, by: "day" }),
    span: await object(workspace).sums({ from, to, group, by: "span" }),
  }));
  return await Promise.all(asked);
}

async function countOf(workspace: string, table: string): Promise<number> {
  return await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    const { sql } = storage;
    const named = "SELECT 1 FROM sqlite_master WHERE name = ?";
    if (sql.exec(named, table).toArray().length === 0) return 0;
    return Number(sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one()["n"]);
  });
}

describe.each(["UTC", "Asia/Kolkata"])("sums of the version before in %s", (timezone) => {
  it("are equal before, while and after they are folded, and after a restart half way", async () => {
    const now = Date.now();
    const span = { from: now - 45 * day, to: now + hour };
    const rows = before.rollups({ from: span.from, to: now, step: 17 * 900_000, groups: 3 });
    const workspace = await oldWorkspace((sql) => {
      before.writeDocument(sql, { timezone, harnesses: before.harnesses });
      before.writeRollups(sql, rows);
    });
    const first = await answersOf(workspace, span.from, span.to);
    const sum = (member: "cost" | "requests") =>
      rows.reduce((total, row) => total + row[member], 0);
    for (const {
      span: [total, ...none],
    } of [first[2] ?? { span: [] }]) {
      expect(none).toEqual([]);
      expect(total).toMatchObject({ cost: sum("cost"), requests: sum("requests") });
    }
    const limits = await object(workspace).limits();
    const folding = fold(workspace).catch(() => undefined);
    await scheduler.wait(100);
    expect(await answersOf(workspace, span.from, span.to)).toEqual(first);
    await restart(workspace);
    await folding;
    expect(await countOf(workspace, "rollups")).toBeGreaterThan(0);
    await fold(workspace);
    expect(await countOf(workspace, "rollups")).toBe(0);
    expect(await countOf(workspace, "days")).toBeGreaterThan(0);
    expect(await answersOf(workspace, span.from, span.to)).toEqual(first);
    expect(await object(workspace).limits()).toEqual(limits);
    expect(limits[0]?.used).toBe(before.requestsOfMonth(rows, timezone, now));
  });
});

it("another time zone cuts the days anew that are kept as hours, and totals stay", async () => {
  const now = Date.now();
  const from = now - 12 * day;
  const rows = before.rollups({ from, to: now, step: 2 * hour, groups: 1 });
  const workspace = await oldWorkspace((sql) => {
    before.writeDocument(sql, { timezone: "UTC", harnesses: before.harnesses });
    before.writeRollups(sql, rows);
  });
  await fold(workspace);
  await putConfig(workspace, { timezone: "Asia/Tokyo", harnesses: before.harnesses });
  const limits = await object(workspace).limits();
  expect(limits[0]?.used).toBe(before.requestsOfMonth(rows, "Asia/Tokyo", now));
  const question = { from: from - day, to: now + hour, group: "model", by: "day" } as const;
  const asked = await object(workspace).sums(question);
  for (const { bucket } of asked) expect(new Date(bucket + 9 * hour).getUTCHours()).toBe(0);
  await fold(workspace);
  expect(await object(workspace).sums(question)).toEqual(asked);
  const total = asked.reduce((sum, { cost }) => sum + cost, 0);
  expect(total).toBe(rows.reduce((sum, { cost }) => sum + cost, 0));
});

it("no statement scans many rows, however many there are", async () => {
  const now = Date.now();
  const from = now - 10 * day;
  const rows = before.rollups({ from, to: now, step: 900_000, groups: 20 });
  const workspace = await oldWorkspace((sql) => {
    before.writeDocument(sql, { harnesses: before.harnesses });
    before.writeRollups(sql, rows);
  });
  let most = 0;
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      const rowsOf = cursor.toArray.bind(cursor);
      cursor.toArray = () => {
        const found = rowsOf();
        most = Math.max(most, cursor.rowsRead);
        return found;
      };
      most = Math.max(most, cursor.rowsRead);
      return cursor;
    } as typeof exec;
  });
  await restart(workspace);
  await object(workspace).limits();
  await answersOf(workspace, from, now);
  await fold(workspace);
  await answersOf(workspace, from, now);
  expect(rows.length).toBeGreaterThan(15_000);
  expect(most).toBeLessThanOrEqual(5000);
});

it("texts are forgotten after 30 days in a workspace that nobody uses", async () => {
  const old = new Date(Date.now() - 31 * day).toISOString();
  const young = new Date(Date.now() - 29 * day).toISOString();
  const text = { request: "hello", answer: "hi" };
  const workspace = await oldWorkspace((sql) => {
    before.writeDocument(sql, { harnesses: before.harnesses });
    before.writeLogged(sql, [
      { id: "plain", time: old },
      { id: "old", time: old, text },
      { id: "young", time: young, text },
    ]);
  });
  // Whatever wakes it sets the alarm: here its first run is due at once.
  await object(workspace).snapshot();
  await fold(workspace);
  expect(await object(workspace).findRequest("old")).not.toHaveProperty("text");
  expect(await object(workspace).findRequest("young")).toMatchObject({ text });
  await runInDurableObject(stubOf(workspace), async (_instance, { storage }) => {
    const alarm = await storage.getAlarm();
    expect(alarm).toBeGreaterThan(Date.parse(young) + 30 * day - hour);
    expect(alarm).toBeLessThan(Date.parse(young) + 30 * day + 2 * hour);
  });
  expect(await runDurableObjectAlarm(stubOf(workspace))).toBe(true);
});

it("a workspace without requests sets no alarm, and its first request sets one", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  await fold(workspace);
  const alarm = () =>
    runInDurableObject(stubOf(workspace), (_instance, { storage }) => storage.getAlarm());
  expect(await alarm()).toBeNull();
  await call(holder);
  await object(workspace).listRequests({ limit: 1 });
  await fold(workspace);
  expect(await alarm()).toBeGreaterThan(Date.now());
});
