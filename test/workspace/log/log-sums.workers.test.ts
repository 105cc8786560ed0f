/** The request log added up by key, session, agent, role and tag: against what every row says. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { LogSumQuestion, LogSums } from "../../../src/workspace/contract/reports.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import { histogramOf, shortened } from "../../../src/workspace/rules/sums/histogram.ts";
import { calendarOf } from "../../../src/workspace/rules/sums/period.ts";
import { rowsOfVersion5, writeVersion5 } from "../schema/state-of-version-5.ts";
import {
  attempt,
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
const timezone = "Asia/Kolkata";

/** Requests of the last three days, every kind of them. */
function someRequests(now: number, count: number): RequestRecord[] {
  return Array.from({ length: count }, (_none, n) => {
    const time = new Date(now - 3 * day + Math.floor((n * 3 * day) / count)).toISOString();
    const who = {
      key_id: `key_${n % 4}`,
      ...(n % 4 !== 3 && { key_name: `name ${n % 4}` }),
      ...(n % 2 === 0 && { person: "usr_1" }),
      ...(n % 3 !== 0 && { session_id: `s${n % 7}` }),
      ...(n % 5 === 0 && { agent: `a${n % 2}` }),
      ...(n % 3 !== 1 && { role: n % 3 === 0 ? "main" : "background" }),
      ...(n % 4 !== 1 && { tags: { team: `t${n % 3}`, ...(n % 8 === 0 && { env: "prod" }) } }),
    };
    const none = { attempts: [], model: null, usage: null, cost: null, first_byte_ms: null };
    if (n % 11 === 5)
      return row(`r${n}`, { time, ...who, ...none, status: 429, outcome: "blocked" });
    if (n % 13 === 6)
      return row(`r${n}`, { time, ...who, ...none, status: 502, outcome: "failed" });
    const failed = attempt({ model: "other/two", status: 500, outcome: "failed", cost: 0.003 });
    const attempts = n % 6 === 0 ? [failed, attempt()] : [attempt()];
    const outcome = n % 6 === 0 ? "fallback" : "ok";
    return row(`r${n}`, { time, ...who, attempts, outcome, first_byte_ms: (n * 53) % 2500 });
  });
}

const groupsOf: Record<string, (record: RequestRecord) => string[]> = {
  key: ({ key_id = "" }) => [key_id],
  session: ({ session_id = "" }) => [session_id],
  agent: ({ agent = "" }) => [agent],
  role: ({ role = "" }) => [role],
  tag: ({ tags }) =>
    tags === undefined ? [""] : Object.entries(tags).map(([name, value]) => `${name}=${value}`),
  "tag team": ({ tags }) => [tags?.["team"] ?? ""],
};

/** A row in the making. */
interface Sum {
  bucket: number;
  group: string;
  times: string;
}

/** One row a bucket and group, made from one request after the other. */
function addedUp(
  records: readonly RequestRecord[],
  { by, group }: { by: "hour" | "day"; group: string },
) {
  const calendar = calendarOf(timezone);
  const rows = new Map<string, Sum>();
  for (const record of records) {
    const time = Date.parse(record.time);
    const bucket = by === "day" ? calendar.span("day", time).start : Math.floor(time / hour) * hour;
    for (const name of groupsOf[group]?.(record) ?? []) {
      const key = `${bucket} ${name}`;
      rows.set(key, withRequest(rows.get(key) ?? { bucket, group: name, times: "" }, record));
    }
  }
  return [...rows.values()].map(({ times, ...rest }) => ({ ...rest, times: shortened(times) }));
}

function withRequest(sum: Sum, record: RequestRecord) {
  const { outcome, attempts, first_byte_ms: took } = record;
  const used = attempts.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const before = (name: string): number => Number(Reflect.get(sum, name) ?? 0);
  const total = (of: (usage: (typeof used)[number]) => number): number =>
    used.reduce((all, usage) => all + of(usage), 0);
  const cost = attempts.reduce(
    (all, attempted) => all + Math.round((attempted.cost ?? 0) * 1e12),
    0,
  );
  return {
    ...sum,
    requests: before("requests") + (outcome === "blocked" ? 0 : 1),
    errors: before("errors") + (outcome === "failed" ? 1 : 0),
    blocked: before("blocked") + (outcome === "blocked" ? 1 : 0),
    fallbacks: before("fallbacks") + (outcome === "fallback" ? 1 : 0),
    input_tokens: before("input_tokens") + total((usage) => usage.input_tokens),
    cached_tokens: before("cached_tokens") + total((usage) => usage.cached_tokens),
    output_tokens: before("output_tokens") + total((usage) => usage.output_tokens),
    cost: before("cost") + cost,
    times: sum.times + histogramOf(took),
  };
}

function plain({ rows }: LogSums) {
  return rows.map(({ first_bytes = "", ...rest }) => ({ ...rest, times: shortened(first_bytes) }));
}

function inAnyOrder(rows: readonly object[]): string[] {
  return rows
    .map((one) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort();
}

/** Questions by the name of their grouping. */
function questionOf(
  group: string,
  rest: Pick<LogSumQuestion, "from" | "to" | "by">,
): LogSumQuestion {
  if (group === "tag team") return { ...rest, group: "tag", tagName: "team" };
  return { ...rest, group: group as LogSumQuestion["group"] };
}

describe("the request log added up", async () => {
  const now = Date.now();
  const records = someRequests(now, 420);
  const workspace = newWorkspace();
  const filled = (async () => {
    await newHolder(workspace);
    await putConfig(workspace, { timezone, harnesses: [{ id: "default", name: "D" }] });
    for (const record of records) await object(workspace).log(record);
  })();
  const span = { from: now - 2 * day, to: now - hour };
  const inSpan = records.filter(
    ({ time }) => Date.parse(time) >= span.from && Date.parse(time) < span.to,
  );

  it.each(Object.keys(groupsOf))("by %s says what every row says", async (group) => {
    await filled;
    for (const by of ["hour", "day"] as const) {
      const answer = await object(workspace).logSums(questionOf(group, { ...span, by }));
      expect(inAnyOrder(plain(answer))).toEqual(inAnyOrder(addedUp(inSpan, { by, group })));
      expect(answer.completeFrom).toBeNull();
      const all = answer.totals.reduce(
        (sum, total) => sum + total.requests + (total.blocked ?? 0),
        0,
      );
      expect(all).toBe(inSpan.length);
    }
  });

  it("names keys, and counts a person's own alone", async () => {
    await filled;
    const question = { ...span, by: "day", group: "key" } as const;
    const { names } = await object(workspace).logSums(question);
    expect(names).toEqual({ key_0: "name 0", key_1: "name 1", key_2: "name 2" });
    const own = await object(workspace).logSums({ ...question, person: "usr_1" });
    const theirs = inSpan.filter(({ person }) => person === "usr_1");
    expect(inAnyOrder(plain(own))).toEqual(
      inAnyOrder(addedUp(theirs, { by: "day", group: "key" })),
    );
    expect((await object(workspace).logSums({ ...question, person: "usr_2" })).rows).toEqual([]);
  });

  it("says from when on it is whole, once rows are gone", async () => {
    await filled;
    await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
      sql.exec("DELETE FROM requests WHERE seq <= 100");
    });
    const { completeFrom } = await object(workspace).logSums({ ...span, by: "day", group: "key" });
    const oldest = records[100];
    expect(completeFrom).toBe(Date.parse(oldest?.time ?? "") + (oldest?.total_ms ?? 0));
  });
});

it("rows of version 5 are added up with those of this one", async () => {
  const workspace = newWorkspace();
  const now = Date.now();
  await runInDurableObject(stubOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    writeVersion5(state.storage.sql, now);
    await state.storage.sync();
  });
  await restart(workspace);
  await object(workspace).log(row("new", { session_id: "s" }));
  const { totals, rows } = await object(workspace).logSums({
    from: 0,
    to: now + hour,
    group: "session",
    by: "span",
  });
  const [total] = totals;
  expect((total?.requests ?? 0) + (total?.blocked ?? 0)).toBe(rowsOfVersion5.length + 1);
  expect(total).toMatchObject({ blocked: 1, fallbacks: 1 });
  expect(rows.find(({ group }) => group === "s")).toMatchObject({ requests: 1 });
});

it("beyond 500 groups the smallest are one, and nothing is lost", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const sessions = Array.from({ length: 700 }, (_none, n) => `s${String(n).padStart(3, "0")}`);
  for (const session_id of [...sessions, ...sessions.slice(0, 10)])
    await object(workspace).log(row(crypto.randomUUID(), { session_id }));
  const question = { from: 0, to: Date.now() + hour, group: "session", by: "span" } as const;
  const { rows } = await object(workspace).logSums(question);
  expect(rows).toHaveLength(500);
  expect(rows.find(({ group }) => group === "other")).toMatchObject({ requests: 201 });
  for (const twice of sessions.slice(0, 10))
    expect(rows.find(({ group }) => group === twice)).toMatchObject({ requests: 2 });
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(710);
});

it("takes small slices, and work grows like the number of rows", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  let [read, most] = [0, 0];
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      if (!query[0].includes("CASE WHEN (time")) return cursor;
      const found = cursor.toArray();
      read += cursor.rowsRead;
      most = Math.max(most, cursor.rowsRead);
      return { [Symbol.iterator]: () => found[Symbol.iterator]() } as unknown as typeof cursor;
    } as typeof exec;
  });
  const work = async (upTo: number): Promise<number> => {
    await runInDurableObject(stubOf(workspace), (_instance, { storage: { sql } }) => {
      sql.exec(
        `WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
         INSERT OR IGNORE INTO requests (seq, id, harness, status, row, time)
           SELECT n, 'r' || n, 'default', 200, ?, ? FROM more`,
        upTo,
        JSON.stringify(row("r")),
        Date.now(),
      );
    });
    read = 0;
    await object(workspace).logSums({ from: 0, to: Date.now() + hour, group: "key", by: "span" });
    return read;
  };
  const once = await work(4000);
  expect(await work(8000)).toBeLessThanOrEqual(2.5 * once);
  expect(once).toBeGreaterThanOrEqual(4000);
  expect(most).toBeLessThanOrEqual(400);
});
