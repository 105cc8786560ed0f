/** Filters of the request log find the rows that plain reading finds, page by page, in files, and while rows are added. */
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import { admin, knock } from "../../gateway/kit.ts";
import type { Json } from "../../kit/asking.ts";
import { random } from "../../kit/random.ts";
import { type Condition, conditionMakers, plannedTime, randomRows } from "./log-rows.ts";
import { env, object, row } from "../workers-kit.ts";

interface LogPage {
  data: (Json & { id: string })[];
  next: string | null;
}

let workspace: string;
let token: string;
/** In the order in which they were logged. */
let rows: RequestRecord[];
let makers: ReturnType<typeof conditionMakers>;

async function newPlace(): Promise<{ workspace: string; token: string }> {
  const made = await admin<{ id: string; admin_token: string }>(
    env.ADMIN_TOKEN,
    "POST /api/workspaces",
    { name: "test" },
  );
  return { workspace: made.id, token: made.admin_token };
}

/** Every fifth row as the version before wrote it: without the newer columns, its texts elsewhere. */
async function makeOld(): Promise<void> {
  await object(workspace).listRequests({ limit: 1 });
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  await runInDurableObject(stub, (_instance, { storage }) => {
    storage.sql.exec(`UPDATE requests SET text = texts, texts = NULL, time = NULL, outcome = NULL,
      provider = NULL, cost = NULL, input = NULL, output = NULL, session = NULL, agent = NULL, role = NULL,
      tags = NULL, key_name = NULL WHERE seq % 5 = 0`);
  });
}

beforeAll(async () => {
  ({ workspace, token } = await newPlace());
  const keyNames = new Map<string, string>();
  for (const name of ["alpha", "it's beta"]) {
    const key = await admin<{ id: string }>(token, "POST /api/harnesses/default/keys", { name });
    keyNames.set(key.id, name);
  }
  const plan = { start: Math.floor(Date.now() / 1000) * 1000 - plannedTime, keyNames };
  makers = conditionMakers(plan);
  rows = randomRows(random(5), 300, plan);
  for (const one of rows) await object(workspace).log(one);
  await makeOld();
});

function searchOf(conditions: readonly Condition[]): URLSearchParams {
  return new URLSearchParams(conditions.map(({ name, value }) => [name, value]));
}

/** Ids of every page's rows. */
async function walk(conditions: readonly Condition[], limit: number): Promise<string[]> {
  const ids: string[] = [];
  const search = searchOf(conditions);
  search.set("limit", String(limit));
  for (;;) {
    const page = await admin<LogPage>(token, `GET /api/requests?${search.toString()}`);
    ids.push(...page.data.map(({ id }) => id));
    if (page.next === null) return ids;
    search.set("before", page.next);
  }
}

function expected(conditions: readonly Condition[]): string[] {
  const found = rows.filter((one) => conditions.every(({ matches }) => matches(one)));
  return found.map(({ id }) => id).toReversed();
}

async function exported(accept: string, conditions: readonly Condition[]): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, accept };
  const search = searchOf(conditions).toString();
  return await (await knock(`/api/requests?${search}`, { headers })).text();
}

const filters = Object.keys(conditionMakers({ start: 0, keyNames: new Map() }));

describe("each filter", () => {
  it.each(filters)("%s finds what it says, with every value", async (filter) => {
    const rng = random(filter.length);
    const tried = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const condition = makers[filter]?.(rng);
      if (condition === undefined || tried.has(condition.value)) continue;
      tried.add(condition.value);
      expect(await walk([condition], 97), condition.value).toEqual(expected([condition]));
    }
    expect(tried.size).toBeGreaterThan(1);
  });
});

describe("filters together", () => {
  it("find rows that meet all of them, whatever a page holds", async () => {
    const rng = random(11);
    let found = 0;
    for (let round = 0; round < 120; round += 1) {
      const conditions = rng.list(2, 4, () => pickCondition(rng));
      // Each name but `tag` stands once in an address.
      const [...named] = new Map(conditions.map((one) => [unique(one), one])).values();
      const wanted = expected(named);
      found += wanted.length;
      expect(await walk(named, rng.int(1, 60)), searchOf(named).toString()).toEqual(wanted);
    }
    expect(found).toBeGreaterThan(100);
  });

  const unique = ({ name, value }: Condition) => (name === "tag" ? value : name);
  const pickCondition = (rng: ReturnType<typeof random>): Condition => {
    const [first = "", ...others] = filters;
    const make = makers[rng.pick([first, ...others])];
    if (make === undefined) throw new Error("no such filter");
    return make(rng);
  };
});

describe("a search", () => {
  it("takes signs of SQL's patterns for themselves", async () => {
    const place = await newPlace();
    const errors = ["100%", "100 percent", "a_b", "axb", "back\\slash", "it's"];
    for (const error of errors)
      await object(place.workspace).log(row(error, { error, status: 500 }));
    const find = async (q: string) => {
      const search = new URLSearchParams({ q }).toString();
      const page = await admin<LogPage>(place.token, `GET /api/requests?${search}`);
      return page.data.map(({ id }) => id);
    };
    expect(await find("0%")).toEqual(["100%"]);
    expect(await find("A_B")).toEqual(["a_b"]);
    expect(await find("k\\s")).toEqual(["back\\slash"]);
    expect(await find("t's")).toEqual(["it's"]);
    expect(await find("%")).toEqual(["100%"]);
    expect(await find("x".repeat(200))).toEqual([]);
  });
});

describe("a query that is none", () => {
  it.each([
    "outcome=good",
    "outcome=ok,",
    "from=yesterday",
    "min_cost=-1",
    "min_cost=1e99",
    "tag=UPPER=1",
    "tag=a=b=c",
    "tag=a&".repeat(9),
    `q=${"x".repeat(201)}`,
    "session=a&session=b",
  ])("%s is refused with a word about its field", async (search) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await knock(`/api/requests?${search}`, { headers });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(search.slice(0, search.indexOf("=")));
  });
});

describe("an export", () => {
  it("as lines of JSON is every page, and the texts that are kept", async () => {
    const conditions = [outcomeIs("ok")];
    const lines = (await exported("application/x-ndjson", conditions)).trim().split("\n");
    const found = lines.map((line) => JSON.parse(line) as Json);
    expect(found.map(({ id }) => id)).toEqual(expected(conditions));
    for (const line of found) {
      const source = rows.find(({ id }) => id === line["id"]);
      expect(line["text"]).toEqual(source?.text);
      const shown = await admin<Json>(token, `GET /api/requests/${String(line["id"])}`);
      expect(line).toEqual(shown);
    }
  });

  it("as CSV has a line for every row, and no texts", async () => {
    const conditions = [outcomeIs("failed")];
    const csv = await exported("text/csv", conditions);
    const [head = "", ...lines] = csv.split("\r\n");
    expect(head.split(",").slice(0, 3)).toEqual(['"id"', '"time"', '"outcome"']);
    const ids = lines.flatMap((line) => /^"(req_\d+)"/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(expected(conditions));
    expect(csv).not.toContain("ŠKODA");
  });

  it("as CSV has no cell that a spreadsheet takes for a formula", async () => {
    const place = await newPlace();
    const formula = '=HYPERLINK("http://x")';
    const said = { session_id: formula, agent: "+1", requested_model: "@SUM(A1)", error: "-2+3" };
    await object(place.workspace).log(row("r", { ...said, role: "\tx" }));
    const headers = { authorization: `Bearer ${place.token}`, accept: "text/csv" };
    const csv = await (await knock("/api/requests", { headers })).text();
    for (const cell of Object.values(said))
      expect(csv).toContain(`"'${cell.replaceAll('"', '""')}"`);
    expect(csv).toContain(`"'\tx"`);
  });

  const outcomeIs = (value: "ok" | "failed"): Condition => ({
    name: "outcome",
    value,
    matches: ({ outcome }) => outcome === value,
  });
});

describe("while rows are added", () => {
  it("pages and exports have what was there, each row once", async () => {
    const place = await newPlace();
    const log = object(place.workspace);
    for (let index = 0; index < 120; index += 1) await log.log(row(`old_${index}`));
    const wanted = Array.from({ length: 120 }, (_, index) => `old_${119 - index}`);
    let added = 0;
    const add = async () => await log.log(row(`new_${(added += 1)}`));
    const ids: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const before: string = next === "" ? "" : `&before=${next}`;
      const page: LogPage = await admin(place.token, `GET /api/requests?limit=7&q=old${before}`);
      ids.push(...page.data.map(({ id }) => id));
      next = page.next;
      await add();
    }
    expect(ids).toEqual(wanted);
    const headers = { authorization: `Bearer ${place.token}`, accept: "application/x-ndjson" };
    const answer = await knock("/api/requests?q=old", { headers });
    const [text] = await Promise.all([answer.text(), ...Array.from({ length: 20 }, add)]);
    const lines = text.trim().split("\n");
    expect(lines.map((line) => String((JSON.parse(line) as Json)["id"]))).toEqual(wanted);
  });
});

describe("a key", () => {
  it("is shown by its name of today, and by its last one when it is revoked", async () => {
    const place = await newPlace();
    const path = "/api/harnesses/default/keys";
    const key = await admin<{ id: string }>(place.token, `POST ${path}`, { name: "first" });
    const log = object(place.workspace);
    await log.log(row("r", { key_id: key.id }));
    const found = async (name: string) => {
      const page = await admin<LogPage>(place.token, `GET /api/requests?key=${name}`);
      return page.data.map(({ id, key: shown }) => [id, shown]);
    };
    expect(await found("first")).toEqual([["r", "first"]]);
    await admin(place.token, `PATCH ${path}/${key.id}`, { name: "second" });
    expect(await found("first")).toEqual([]);
    expect(await found("second")).toEqual([["r", "second"]]);
    expect(await found(key.id)).toEqual([["r", "second"]]);
    await admin(place.token, `DELETE ${path}/${key.id}`);
    // The row was written when the key had that name.
    expect(await found("first")).toEqual([["r", "first"]]);
  });

  it("without a name is told by its last characters, and one that is gone while its request ran by its name", async () => {
    const place = await newPlace();
    const path = "/api/harnesses/default/keys";
    const nameless = await admin<{ id: string; key: string }>(place.token, `POST ${path}`, {});
    const brief = await admin<{ id: string }>(place.token, `POST ${path}`, { name: "brief" });
    const log = object(place.workspace);
    await log.log(row("nameless", { key_id: nameless.id }));
    await admin(place.token, `DELETE ${path}/${brief.id}`);
    await log.log(row("brief", { key_id: brief.id }));
    await admin(place.token, `DELETE ${path}/${nameless.id}`);
    const { data } = await admin<LogPage>(place.token, "GET /api/requests");
    expect(data.map(({ id, key, key_last4 }) => [id, key, key_last4])).toEqual([
      ["brief", "brief", undefined],
      ["nameless", undefined, nameless.key.slice(-4)],
    ]);
  });
});
