/** Long readings of many workspaces: one short slice at a time, in turns, and pages of bounded size. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Pace } from "../../../src/lib/pace.ts";
import type { LogSums, SumQuestion, SumRow } from "../../../src/workspace/contract/reports.ts";
import { newHolder, newWorkspace, object, row, stubOf } from "../workers-kit.ts";

const hour = 3_600_000;
const day = 24 * hour;

describe("turns of readers", () => {
  it("go round among workspaces, however many readers one has", async () => {
    const pace = new Pace();
    const order: string[] = [];
    const reader = async (workspace: string): Promise<void> => {
      for (let slice = 0; slice < 4; slice += 1) {
        await pace.turn(workspace);
        order.push(workspace);
      }
    };
    const many = Array.from({ length: 6 }, () => reader("many"));
    await Promise.all([...many, reader("one")]);
    // By then the one had its four slices, and the others little more together.
    expect(order.lastIndexOf("one")).toBeLessThanOrEqual(11);
    expect(order).toHaveLength(28);
  });

  it("come one by one, with time for others between two", async () => {
    const pace = new Pace();
    pace.serves(Date.now());
    let others = 0;
    const serving = setInterval(() => (others += 1), 1);
    const between: number[] = [];
    const reader = async (workspace: string): Promise<void> => {
      for (let slice = 0; slice < 5; slice += 1) {
        const before = others;
        await pace.turn(workspace);
        between.push(others - before);
      }
    };
    await Promise.all(["a", "b", "c"].map(reader));
    clearInterval(serving);
    // Fifteen slices: others ran between nearly all of them.
    expect(others).toBeGreaterThanOrEqual(14);
    expect(between).toHaveLength(15);
  });

  it("come closer together where nobody is served", async () => {
    const [quiet, busy] = [new Pace(), new Pace()];
    busy.serves(Date.now());
    const done = { quiet: 0, busy: 0 };
    const reader = async (pace: Pace, name: "quiet" | "busy"): Promise<void> => {
      for (; done[name] < 40; done[name] += 1) await pace.turn("a");
    };
    const both = [reader(quiet, "quiet"), reader(busy, "busy")];
    await both[0];
    expect(done.busy).toBeLessThan(30);
    await both[1];
  });

  it("pass one over that is gone", async () => {
    const pace = new Pace();
    await pace.turn("a");
    // As a request that was given up while it waited: its timers never ring.
    const wait = scheduler.wait.bind(scheduler);
    scheduler.wait = () => new Promise(() => undefined);
    void pace.turn("gone");
    scheduler.wait = wait;
    await pace.turn("a");
    await pace.turn("a");
  });
});

/** A workspace with sums of so many hours, so many models each. */
async function filled(hours: number, models: number): Promise<string> {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const first = Math.floor(Date.now() / hour) * hour - hours * hour;
  await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
    sql.exec(
      `WITH RECURSIVE more (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
       INSERT INTO hours (bucket, harness, tier, model, requests, errors, input, cached, cache_write,
         output, reasoning, cost, blocked, fallbacks, first_bytes)
       SELECT ? + (n / ?) * ${hour}, 'default', '', 'lab/m' || (n % ?), 1, 0, 3, 0, 0, 2, 0, 5, 0, 0, 'A'
       FROM more`,
      hours * models - 1,
      first,
      models,
      models,
    );
  });
  return workspace;
}

/** Rows that a job's reports read, by turn. */
async function countingReads(workspace: string, job: () => Promise<unknown>) {
  return await runInDurableObject(stubOf(workspace), async (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`, and turns are waited for by this.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    const wait = scheduler.wait.bind(scheduler);
    let open: { rowsRead: number }[] = [];
    const turns: number[] = [];
    const close = (): void => {
      turns.push(open.reduce((sum, cursor) => sum + cursor.rowsRead, 0));
      open = [];
    };
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      // Upkeep may run beside it.
      if (/GROUP BY name|CASE WHEN \(time/.test(query[0])) open.push(cursor);
      return cursor;
    } as typeof exec;
    scheduler.wait = async (...given) => {
      await wait(...given);
      close();
    };
    try {
      await job();
      close();
    } finally {
      shared.exec = exec;
      scheduler.wait = wait;
    }
    return {
      all: turns.reduce((sum, rows) => sum + rows, 0),
      longest: Math.max(...turns),
      turns: turns.length,
    };
  });
}

async function allPages(workspace: string, question: SumQuestion) {
  const pages: SumRow[][] = [];
  for (let from: number | null = question.from; from !== null;) {
    const page = await object(workspace).pageSums({ ...question, from });
    pages.push(page.rows);
    from = page.next;
  }
  return pages;
}

describe("sums", () => {
  const question = (): SumQuestion => ({
    from: Math.floor(Date.now() / hour) * hour - 12 * day,
    to: Date.now() + hour,
    group: "model",
    by: "hour",
    times: true,
  });

  it("come in pages of whole buckets that are one answer together", async () => {
    const workspace = await filled(200, 30);
    const asked = question();
    const pages = await allPages(workspace, { ...asked, most: 100 });
    expect(pages.flat()).toEqual(await object(workspace).sums(asked));
    expect(pages.flat()).toHaveLength(6000);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(130);
    const buckets = pages.map((rows) => new Set(rows.map(({ bucket }) => bucket)));
    const distinct = new Set(pages.flat().map(({ bucket }) => bucket));
    expect(buckets.reduce((sum, { size }) => sum + size, 0)).toBe(distinct.size);
  });

  it("are read once for all pages, in short slices", async () => {
    const reads = async (hours: number) => {
      const workspace = await filled(hours, 30);
      return await countingReads(workspace, () =>
        allPages(workspace, { ...question(), most: 100 }),
      );
    };
    const [few, many] = [await reads(100), await reads(200)];
    expect(many.all).toBeLessThanOrEqual(2.5 * few.all + 100);
    // Groups are sorted on the way, which counts again.
    expect(many.all).toBeLessThanOrEqual(4 * 6000);
    expect(many.longest).toBeLessThanOrEqual(1500);
    expect(many.turns).toBeGreaterThanOrEqual(6000 / 400);
  });
});

it("sums of the log come in pages that are one answer together, read once", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const now = Date.now();
  for (let n = 0; n < 600; n += 1) {
    const time = new Date(now - n * 10 * 60_000).toISOString();
    await object(workspace).log(row(`r${n}`, { time, session_id: `s${n % 40}` }));
  }
  const question = { from: 0, to: now + hour, group: "session", by: "hour" } as const;
  const whole = await object(workspace).logSums(question);
  const pages: LogSums[] = [];
  const { all } = await countingReads(workspace, async () => {
    for (let after: number | undefined, more = true; more;) {
      const page: LogSums = await object(workspace).logSums({
        ...question,
        most: 50,
        ...(after !== undefined && { after }),
      });
      pages.push(page);
      after = page.next;
      more = after !== undefined;
    }
  });
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows);
  expect(pages[0]?.totals).toEqual(whole.totals);
  expect(Math.max(...pages.map(({ rows }) => rows.length))).toBeLessThanOrEqual(60);
  expect(all).toBeLessThanOrEqual(2 * 600);
});
