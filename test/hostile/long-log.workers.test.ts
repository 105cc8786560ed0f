/** A full log of long rows costs its readers time, and nobody else anything. */
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { RowFilter } from "../../src/workspace/contract/reports.ts";
import { pageRows, type SearchContext } from "../../src/workspace/storage/request-search.ts";
import { Turns } from "../../src/workspace/storage/sql/slices.ts";
import { admin, knock } from "../gateway/kit.ts";
import type { Json } from "../kit/asking.ts";
import { env, object, row } from "../workspace/workers-kit.ts";

interface Place {
  readonly workspace: string;
  readonly token: string;
}

const columns = `harness, status, model, requested, time, outcome, provider, cost, input, output, session,
  tags, texts`;

/** A workspace whose log has so many rows, each with a text and twenty seconds younger than the one before. */
async function placeWith(rows: number): Promise<Place> {
  const made = await admin<{ id: string; admin_token: string }>(
    env.ADMIN_TOKEN,
    "POST /api/workspaces",
    { name: "test" },
  );
  const place = { workspace: made.id, token: made.admin_token };
  const time = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const text = { request: "lorem ipsum ".repeat(50), answer: "dolor" };
  const said = { outcome: "ok", session_id: "s", tags: { team: "red" }, text, time } as const;
  await object(place.workspace).log(row("r1", said));
  await object(place.workspace).listRequests({ limit: 1 });
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(place.workspace));
  await runInDurableObject(stub, (_instance, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
        INSERT INTO requests (seq, id, row, ${columns})
        SELECT n, 'r' || n, json_set(row, '$.id', 'r' || n), ${columns.replace("time", "time + n * 20000")}
        FROM more, requests WHERE seq = 1`,
      rows,
    );
  });
  return place;
}

/** Rows that reading one page reads, so many times at once, and the most of them before others have their turn. */
async function rowsRead({ workspace }: Place, filter: RowFilter, times = 1) {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, async (_instance, { storage }) => {
    let cursors: { rowsRead: number }[] = [];
    const turns: number[] = [];
    const turn = (): void => {
      turns.push(cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0));
      cursors = [];
    };
    const sql: Pick<SqlStorage, "exec"> = {
      exec(query, ...values) {
        const cursor = storage.sql.exec<never>(query, ...values);
        cursors.push(cursor);
        return cursor;
      },
    };
    const timer = setInterval(turn, 0);
    // The log needs nothing else of its database.
    const named = <Row>(one: Row): Row => one;
    const context = {
      sql: sql as SqlStorage,
      turns: new Turns("w"),
      named,
      keysCalled: () => [],
      keysWith: () => [],
    };
    const pages = await Promise.all(Array.from({ length: times }, () => pageRows(context, filter)));
    clearInterval(timer);
    turn();
    return {
      page: pages[0] ?? { rows: [], more: false },
      all: turns.reduce((sum, one) => sum + one, 0),
      longest: turns.reduce((most, one) => Math.max(most, one), 0),
    };
  });
}

/** Asks the log of the place's object. */
async function logOf<Answer>(
  { workspace }: Place,
  ask: (context: SearchContext) => Promise<Answer>,
): Promise<Answer> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, (_instance, { storage: { sql } }) =>
    ask({
      sql,
      turns: new Turns("w"),
      named: (one) => one,
      keysCalled: () => [],
      keysWith: () => [],
    }),
  );
}

let half: Place;
let full: Place;

beforeAll(async () => {
  [half, full] = [await placeWith(5000), await placeWith(10_000)];
});

const hour = 3_600_000;

describe("a page of a full log", () => {
  it.each<[string, Omit<RowFilter, "limit">]>([
    ["an outcome", { outcomes: ["left"] }],
    ["a tag", { tags: [{ name: "team", value: "blue" }] }],
    ["a cost", { minCost: 100 }],
    ["a key", { key: "nobody's" }],
    ["a text", { text: "nowhere" }],
    ["a text with another case", { text: "ÄÖ" }],
    ["a word of the rows themselves", { text: "requested_model" }],
  ])(
    "by %s that no row has reads twice the rows of half a log, in slices",
    async (_name, asked) => {
      const filter = { limit: 50, ...asked };
      const [few, many] = [await rowsRead(half, filter), await rowsRead(full, filter)];
      expect(many.page.rows).toEqual([]);
      expect(many.all).toBeLessThanOrEqual(2.5 * few.all + 50);
      // Each row by its slice, and once more where it has to be looked at.
      expect(many.all).toBeLessThanOrEqual(2 * 10_000 + 1000);
      expect(many.longest).toBeLessThanOrEqual(1300);
    },
  );

  it("without a filter, or of the newest hour, reads little", async () => {
    expect((await rowsRead(full, { limit: 50 })).all).toBeLessThanOrEqual(1200);
    // Two days and a bit of rows: those that may have begun a day earlier are looked at too.
    const span = { from: Date.now() - hour, outcomes: ["left"] } as const;
    const { all } = await rowsRead(full, { limit: 50, ...span });
    expect(all).toBeLessThanOrEqual(4400);
    const old = { to: Date.now() - 71 * hour, limit: 50 };
    const { page, all: read } = await rowsRead(full, old);
    expect(page.rows).toHaveLength(50);
    expect(read).toBeLessThanOrEqual(5500);
  });
});

describe("many pages at once", () => {
  it("take turns: others wait no longer than behind one of them", async () => {
    const { all, longest } = await rowsRead(half, { limit: 50, outcomes: ["left"] }, 10);
    expect(all).toBeGreaterThanOrEqual(10 * 5000);
    expect(longest).toBeLessThanOrEqual(2 * 1300);
  });
});

describe("a search of long texts", () => {
  it("ends after so many bytes, and goes on from there until each row was looked at", async () => {
    const found: number[] = [];
    let pages = 0;
    for (let before: number | undefined = Infinity; before !== undefined; pages += 1) {
      const filter: RowFilter = { text: "DOLOR", limit: 4000, before };
      const page = await logOf(half, (context) => pageRows(context, filter, 1_000_000));
      found.push(...page.rows.map(({ seq }) => seq));
      before = page.next;
      expect(page.more).toBe(before !== undefined);
    }
    expect(found).toEqual(Array.from({ length: 5000 }, (_, index) => 5000 - index));
    expect(pages).toBeGreaterThan(4);
    expect(pages).toBeLessThan(40);
  });

  it("that finds nothing has a cursor all the same", async () => {
    const filter = { text: "nowhere", limit: 50 };
    const { rows, more, next } = await logOf(half, (context) => pageRows(context, filter, 1_000));
    expect({ rows, more, next }).toEqual({ rows: [], more: true, next: 4951 });
  });
});

describe("an export of a full log", () => {
  it("has each row once, is read as far as it is taken, and lets others in between", async () => {
    const headers = { authorization: `Bearer ${full.token}`, accept: "application/x-ndjson" };
    const answer = await knock("/api/requests", { headers });
    const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
    const decoder = new TextDecoder();
    const meanwhile = { over: false, served: 0 };
    const others = async (): Promise<void> => {
      while (!meanwhile.over) {
        await object(full.workspace).status();
        meanwhile.served += 1;
        await scheduler.wait(1);
      }
    };
    const asking = others();
    let text = "";
    let largest = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      largest = Math.max(largest, value.byteLength);
      text += decoder.decode(value, { stream: true });
    }
    meanwhile.over = true;
    await asking;
    const ids = text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Json)["id"]);
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, index) => `r${10_000 - index}`));
    // A page at a time.
    expect(largest).toBeLessThan(text.length / 100);
    expect(meanwhile.served).toBeGreaterThan(100);
  });
});
