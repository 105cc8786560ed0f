/** Nothing that a client or provider sends keeps a workspace from saving what it must. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { RequestRecord } from "../../src/workspace/contract/request-record.ts";
import { appendRow, newestSeq } from "../../src/workspace/storage/tables/request-log.ts";
import {
  asking,
  attempt,
  call,
  env,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  restart,
  row,
  workspaces,
} from "../workspace/workers-kit.ts";

const long = "x".repeat(3_000_000);

/** As large as no client or provider should make it. */
function huge(id: string): RequestRecord {
  return row(id, {
    requested_model: long,
    tier: long,
    reason: long,
    error: long,
    attempts: Array.from({ length: 1000 }, (_, index) =>
      attempt({ model: `lab/${index}`, error: long.slice(0, 20_000) }),
    ),
    dropped: Array.from({ length: 50_000 }, (_, index) => `messages[].${index}`),
    routing: { tier: long },
    text: { request: long, answer: long },
    session: {
      key: "s",
      also: [long, ...Array.from({ length: 1000 }, (_, index) => `s${index}`)],
      state: {
        model: long,
        tier: long,
        lastUsed: 1,
        cachedTokens: 0,
        inputTokens: 0,
        turns: 1,
      },
    },
    observed: Array.from({ length: 100_000 }, () => ({ tier: "simple", what: "served" })),
  });
}

it("a record of any size is booked and logged, and what comes after it too", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  const asked = asking(holder);
  if (!isAdmitted(await workspaces.admit(workspace, asked))) throw new Error("refused");
  await workspaces.settle(workspace, huge(asked.requestId));
  await call(holder);
  const rows = await object(workspace).listRequests({ limit: 10 });
  expect(rows).toHaveLength(2);
  expect(rows[1]?.record).toMatchObject({ id: asked.requestId, status: 200 });
  expect(JSON.stringify(rows).length).toBeLessThan(100_000);
  await restart(workspace);
  expect(await object(workspace).status()).toMatchObject({ inFlight: 0, monthly: { used: 2 } });
  const logged = await object(workspace).findRequest(asked.requestId);
  expect(logged?.text?.request).toHaveLength(20_000);
});

it("a row that the database refuses leaves its ids and numbers, and a line without its content", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(newWorkspace()));
  await runInDurableObject(stub, (_instance, { storage }) => {
    const seq = newestSeq(storage.sql) + 1;
    storage.transactionSync(() => appendRow(storage.sql, { seq, record: { ...huge("big") } }));
    const [kept] = storage.sql.exec("SELECT row FROM requests WHERE seq = ?", seq).toArray();
    expect(JSON.parse(String(kept?.["row"]))).toMatchObject({ id: "big", status: 200 });
    expect(String(kept?.["row"])).toContain("texts were cut");
  });
  expect(said).toHaveBeenCalledOnce();
  expect(String(said.mock.calls[0]?.[0]).length).toBeLessThan(200);
  said.mockRestore();
});

it("names that clients make up are rows of their own up to a number a day, and sums stay exact", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  for (let index = 0; index < 450; index += 1) {
    const attempts = [attempt({ model: `lab/made-up-${index % 300}` })];
    await object(workspace).settleLate(row(`r${index}`, { attempts }));
    if (index === 250) {
      await object(workspace).listRequests({ limit: 1 });
      await restart(workspace);
    }
  }
  await call(holder, { candidates: [{ id: "other/one", input: 1 }] });
  const question = { from: 0, to: Date.now() + 1e6, group: "model", by: "span" } as const;
  const sums = await object(workspace).sums(question);
  const mine = sums.filter(({ group }) => group.startsWith("lab/made-up"));
  expect(mine).toHaveLength(200);
  const rest = sums.find(({ group }) => group === "lab/*");
  expect(rest?.requests).toBe(100 + 1);
  expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(451);
});

it("a list of large rows comes in pages that fit into one answer", async () => {
  const workspace = newWorkspace();
  await newHolder(workspace);
  const attempts = Array.from({ length: 32 }, () =>
    attempt({ model: `lab/${"m".repeat(500)}`, error: "e".repeat(500) }),
  );
  for (let index = 0; index < 200; index += 1)
    await object(workspace).log(row(`r${index}`, { attempts, routing: "r".repeat(31_000) }));
  const first = await object(workspace).pageRequests({ limit: 500 });
  expect(first.more).toBe(true);
  expect(JSON.stringify(first).length).toBeLessThan(8_000_000);
  const before = first.rows.at(-1)?.seq ?? 0;
  const second = await object(workspace).pageRequests({ limit: 500, before });
  const ids = [...first.rows, ...second.rows].map(({ record }) => record.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(first.rows.length);
});
