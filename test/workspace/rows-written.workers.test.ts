import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { SealedReasoning } from "../../src/workspace/contract/sealed-reasoning.ts";
import {
  asking,
  env,
  isAdmitted,
  newHolder,
  newKey,
  newWorkspace,
  object,
  restart,
  row,
  workspaces,
} from "./workers-kit.ts";

/** Counts the rows that every database of this isolate writes from now on. */
async function countWrites(workspace: string): Promise<() => number> {
  let written = 0;
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  await runInDurableObject(stub, (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      written += cursor.rowsWritten;
      return cursor;
    } as typeof exec;
  });
  return () => written;
}

const state = { model: "lab/one", tier: "simple", cachedTokens: 1, inputTokens: 2, turns: 1 };

/** The holder of a key of that person's. */
async function holderOf(workspace: string, person: string) {
  const key = await newKey(workspace, "default", { person });
  const holder = await workspaces.identify(key.text);
  if (typeof holder === "string") throw new Error(holder);
  return holder;
}

/** A workspace whose first request is done, and what one request more writes at least. */
async function measured(person?: string) {
  const workspace = newWorkspace();
  const holder = await (person === undefined ? newHolder(workspace) : holderOf(workspace, person));
  const request = async (whileRunning: () => Promise<unknown>, kept?: SealedReasoning) => {
    const asked = asking(holder, { session: "s" });
    if (!isAdmitted(await workspaces.admit(workspace, asked))) throw new Error("refused");
    await whileRunning();
    const session = { key: "s", also: ["t"], state: { ...state, lastUsed: Date.now() } };
    const observed = [{ tier: "simple", what: "served" }] as const;
    const key_id = holder.keyId;
    const ended = row(asked.requestId, { key_id, session, observed: [...observed] });
    await workspaces.settle(workspace, ended, kept);
    await allWritten();
  };
  // A reader of the log waits for nothing: everything is written before it is answered.
  const allWritten = async () => await object(workspace).listRequests({ limit: 1 });
  // The use of the key and the length of the answer are written once an hour, one a batch.
  for (let time = 0; time < 3; time += 1) await request(async () => undefined);
  const written = await countWrites(workspace);
  /** The least of a few: on a busy machine a batch may be written while the request runs. */
  const least = async (whileRunning: () => Promise<unknown>, kept?: SealedReasoning) => {
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const before = written();
      await request(whileRunning, kept);
      counts.push(written() - before);
    }
    return Math.min(...counts);
  };
  return { workspace, allWritten, least };
}

it("a request writes few rows: they are what a deployment pays for", async () => {
  const { least, allWritten } = await measured();
  // Log row, sum, conversation, the key's sums, and one for windows, leases, spend and outcomes.
  expect(await least(async () => undefined)).toBe(5);
  // One that spans two batches also writes its lease.
  expect(await least(allWritten)).toBe(6);
});

it("a request whose reasoning is kept writes one row more", async () => {
  const { least } = await measured();
  const kept = { call: "call_1", sealed: "sealed:1:x" };
  expect(await least(async () => undefined, kept)).toBe(6);
});

it("a request with a person's key also writes the person's sums", async () => {
  const { least, allWritten } = await measured("usr_1");
  expect(await least(async () => undefined)).toBe(7);
  expect(await least(allWritten)).toBe(8);
});

it("a request writes as few rows where the log is full", async () => {
  const { workspace, least, allWritten } = await measured();
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  await runInDurableObject(stub, (_instance, { storage }) => {
    storage.sql.exec(`
      WITH RECURSIVE more (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM more WHERE n < 10000)
      INSERT INTO requests (seq, id, harness, status, row)
        SELECT n, 'r' || n, 'default', 200, '{"id":"r"}' FROM more`);
  });
  await restart(workspace);
  await allWritten();
  expect(await least(async () => undefined)).toBe(5);
  expect(await least(allWritten)).toBe(6);
});
