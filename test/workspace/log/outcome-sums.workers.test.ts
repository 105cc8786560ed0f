/** Blocks, fallbacks and times until the first byte in the sums: against what every single request says. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { SumQuestion, SumRow } from "../../../src/workspace/contract/reports.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import {
  histogramOf,
  percentilesOf,
  shortened,
} from "../../../src/workspace/rules/sums/histogram.ts";
import { calendarOf } from "../../../src/workspace/rules/sums/period.ts";
import { writeVersion5 } from "../schema/state-of-version-5.ts";
import {
  attempt,
  fold,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
  stubOf,
} from "../workers-kit.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The same requests in every run, spread over the days before `now`. */
function requestsBefore(now: number, { days, count }: { days: number; count: number }) {
  let state = 11;
  const random = (): number =>
    (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return Array.from({ length: count }, (_none, index) => {
    const time = Math.floor(now - random() * days * day);
    return requestOf(index, time, { kind: random(), took: Math.floor(40 / (1.001 - random())) });
  });
}

function requestOf(
  index: number,
  time: number,
  { kind, took }: { kind: number; took: number },
): RequestRecord {
  const model = index % 3 === 0 ? "lab/one" : "other/two";
  const common = { time: new Date(time).toISOString(), first_byte_ms: took, total_ms: took + 5 };
  const id = `req_${index}`;
  const none = { attempts: [], model: null, usage: null, cost: null, first_byte_ms: null };
  if (kind < 0.1) return row(id, { ...common, ...none, status: 429, outcome: "blocked" });
  if (kind < 0.2) return row(id, { ...common, ...none, status: 502, outcome: "failed" });
  const outcome = kind < 0.3 ? "fallback" : "ok";
  return row(id, { ...common, attempts: [attempt({ model })], model, outcome });
}

/** What each bucket's requests say one by one. */
function expected(records: readonly RequestRecord[], bucketOf: (time: number) => number) {
  const sums = new Map<
    number,
    { requests: number; blocked: number; fallbacks: number; times: string }
  >();
  for (const { time, outcome, first_byte_ms: took } of records) {
    const bucket = bucketOf(Date.parse(time));
    const sum = sums.get(bucket) ?? { requests: 0, blocked: 0, fallbacks: 0, times: "" };
    sums.set(bucket, sum);
    sum.requests += outcome === "blocked" ? 0 : 1;
    sum.blocked += outcome === "blocked" ? 1 : 0;
    sum.fallbacks += outcome === "fallback" ? 1 : 0;
    sum.times += histogramOf(took);
  }
  return [...sums]
    .map(([bucket, sum]) => ({ bucket, ...sum, times: shortened(sum.times) }))
    .sort((a, b) => a.bucket - b.bucket);
}

/** The answer by bucket alone, in the same words. */
async function answered(workspace: string, question: Omit<SumQuestion, "group">) {
  const all = { ...question, group: "harness", times: true } as const;
  const rows: SumRow[] = await object(workspace).sums(all);
  return rows.map(({ bucket, requests, blocked, fallbacks, first_bytes = "" }) => {
    return { bucket, requests, blocked, fallbacks, times: shortened(first_bytes) };
  });
}

/** Books them: what limits refused was never admitted. */
async function book(workspace: string, records: readonly RequestRecord[]): Promise<void> {
  for (const record of records) {
    if (record.outcome === "blocked") await object(workspace).log(record);
    else await object(workspace).settleLate(record);
  }
}

describe.each(["UTC", "Asia/Kolkata", "Europe/Berlin"])("sums of outcomes in %s", (timezone) => {
  it("say what every request said, before and after they are folded, and after a restart", async () => {
    const workspace = newWorkspace();
    await newHolder(workspace);
    await putConfig(workspace, { timezone, harnesses: [{ id: "default", name: "D" }] });
    const now = Date.now();
    const records = requestsBefore(now, { days: 9, count: 700 });
    await book(workspace, records);
    const span = { from: now - 12 * day, to: now + hour };
    const calendar = calendarOf(timezone);
    const byDay = expected(records, (time) => calendar.span("day", time).start);
    const byHour = expected(records, (time) => Math.floor(time / hour) * hour);
    const check = async () => {
      expect(await answered(workspace, { ...span, by: "day" })).toEqual(byDay);
      expect(await answered(workspace, { ...span, by: "hour" })).toEqual(byHour);
      const [whole] = await answered(workspace, { ...span, by: "span" });
      expect(whole?.times).toBe(expected(records, () => 0)[0]?.times);
    };
    await check();
    await fold(workspace);
    await check();
    await restart(workspace);
    await check();
    await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
      expect(Number(sql.exec("SELECT COUNT(*) AS n FROM days").one()["n"])).toBeGreaterThan(8);
    });
  });
});

it("another time zone cuts the days anew, with their histograms", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const now = Date.now();
  const records = requestsBefore(now, { days: 5, count: 200 });
  await book(workspace, records);
  await fold(workspace);
  await putConfig(workspace, { timezone: "Asia/Tokyo", harnesses: [{ id: "default", name: "D" }] });
  const calendar = calendarOf("Asia/Tokyo");
  const byDay = expected(records, (time) => calendar.span("day", time).start);
  const question = { from: now - 9 * day, to: now + hour, by: "day" } as const;
  expect(await answered(workspace, question)).toEqual(byDay);
  await fold(workspace);
  expect(await answered(workspace, question)).toEqual(byDay);
});

it("a busy quarter-hour stays a short row, and few rows are written for it", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  let written = 0;
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      if (query[0].includes("quarters")) written += cursor.rowsWritten;
      return cursor;
    } as typeof exec;
  });
  const now = Date.now();
  let batches = 0;
  for (let at = 0; at < 1500; at += 3) {
    const few = [at, at + 1, at + 2].map((n) =>
      requestOf(n, now, { kind: 0.5, took: (n * 37) % 4000 }),
    );
    await book(workspace, few);
    // Whoever reads the log has everything written before.
    await object(workspace).listRequests({ limit: 1 });
    batches += 1;
  }
  await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
    const longest = "SELECT MAX(length(first_bytes)) AS n FROM quarters";
    expect(Number(sql.exec(longest).one()["n"])).toBeLessThanOrEqual(600);
  });
  // Two models a batch, and now and then one written anew.
  expect(written).toBeGreaterThan(batches);
  expect(written).toBeLessThan(2.05 * batches);
});

it("refused requests share one row of a batch, whoever was refused", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const now = Date.now();
  const refused = (n: number) => ({ ...requestOf(n, now, { kind: 0, took: 0 }), person: "usr_1" });
  await Promise.all(Array.from({ length: 60 }, (_none, n) => object(workspace).log(refused(n))));
  const question = { from: now - hour, to: now + hour, group: "model", by: "span" } as const;
  const [all, ...none] = await object(workspace).sums(question);
  expect(none).toEqual([]);
  expect(all).toMatchObject({ group: "", requests: 0, errors: 0, cost: 0, blocked: 60 });
  const own = await object(workspace).sums({ ...question, holder: "person:usr_1" });
  expect(own).toMatchObject([{ blocked: 60 }]);
  expect(await object(workspace).sums({ ...question, holder: "person:usr_2" })).toEqual([]);
  await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
    expect(Number(sql.exec("SELECT COUNT(*) AS n FROM quarters").one()["n"])).toBe(2);
  });
});

it("sums of version 5 go on, and have times from then on", async () => {
  const workspace = newWorkspace();
  const now = Date.now();
  await runInDurableObject(stubOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    writeVersion5(state.storage.sql, now);
    await state.storage.sync();
  });
  await restart(workspace);
  const question = {
    from: now - hour,
    to: now + hour,
    group: "model",
    by: "span",
    times: true,
  } as const;
  const [before] = await object(workspace).sums(question);
  expect(before).toMatchObject({
    requests: 4,
    errors: 1,
    blocked: 0,
    fallbacks: 0,
    first_bytes: "",
  });
  await object(workspace).settleLate(row("req_new", { first_byte_ms: 250, outcome: "fallback" }));
  const [after] = await object(workspace).sums(question);
  expect(after).toMatchObject({ requests: 5, errors: 1, blocked: 0, fallbacks: 1 });
  expect(percentilesOf(after?.first_bytes ?? "")?.p50).toBeCloseTo(250, -2);
});
