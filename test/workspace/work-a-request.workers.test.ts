import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { newState } from "../../src/workspace/rules/state.ts";
import { WriteBehind } from "../../src/workspace/storage/write-behind.ts";
import {
  call,
  env,
  newHolder,
  newKey,
  newWorkspace,
  object,
  restart,
  stubOf,
} from "./workers-kit.ts";

interface Work {
  statements: number;
  rowsRead: number;
}

/** Counts what all databases of this isolate do from now on. */
async function countWork(workspace: string): Promise<() => Work> {
  const work = { statements: 0, rowsRead: 0 };
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    // All databases share the prototype of `SqlStorage`.
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      work.statements += 1;
      // The cursor goes on counting while it is read.
      queueMicrotask(() => (work.rowsRead += cursor.rowsRead));
      return cursor;
    } as typeof exec;
  });
  return () => ({ ...work });
}

/** What one request comes to with the batch that it is written in; `object.events` waits for that. */
async function workOf(workspace: string, ask: () => Promise<unknown>, work: () => Work) {
  const before = work();
  await ask();
  await object(workspace).events({ limit: 1 });
  const after = work();
  return {
    // Without the reading of events, and of the newest one's number.
    statements: after.statements - before.statements - 2,
    rowsRead: after.rowsRead - before.rowsRead,
  };
}

/** Upkeep has been there, and set its alarm: it leaves the next instances alone, and runs beside no count. */
async function restartAfterUpkeep(workspace: string): Promise<void> {
  await object(workspace).events({ limit: 1 });
  await runInDurableObject(stubOf(workspace), async (instance, { storage }) => {
    await (instance as unknown as { alarm(): Promise<void> }).alarm();
    expect(await storage.getAlarm()).not.toBeNull();
  });
  await restart(workspace);
}

async function fillLog(workspace: string): Promise<void> {
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    storage.sql.exec(`
      WITH RECURSIVE more (n) AS (SELECT 40 UNION ALL SELECT n + 1 FROM more WHERE n < 10039)
      INSERT INTO requests (seq, id, harness, status, row)
        SELECT n, 'r' || n, 'default', 200, '{"id":"r","time":"2026-11-01T00:00:00Z"}' FROM more`);
  });
}

it("a request takes as few statements and reads as few rows beside a full log and many keys", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  await call(holder);
  await restartAfterUpkeep(workspace);
  for (let time = 0; time < 4; time += 1) {
    await call(holder);
    await object(workspace).events({ limit: 1 });
  }
  const work = await countWork(workspace);
  const few = await workOf(workspace, () => call(holder), work);
  // Its row, its sum, its key's sums, and what changes with every request.
  expect(few.statements).toBe(4);
  for (let made = 0; made < 200; made += 1) await newKey(workspace);
  await fillLog(workspace);
  await restart(workspace);
  await object(workspace).snapshot();
  await workOf(workspace, () => call(holder), work);
  const many = await workOf(workspace, () => call(holder), work);
  expect(many.statements).toBe(few.statements);
  // The oldest row of a full log is taken over.
  expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead + 5);
});

it("an object begins with few statements, and reads nothing of its log", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  await call(holder);
  await restartAfterUpkeep(workspace);
  const work = await countWork(workspace);
  const begin = async (): Promise<Work> => {
    await restart(workspace);
    const before = work();
    await call(holder);
    // Upkeep would begin a second after the object.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const { statements, rowsRead } = work();
    return { statements: statements - before.statements, rowsRead: rowsRead - before.rowsRead };
  };
  const short = await begin();
  await fillLog(workspace);
  const long = await begin();
  expect(short.statements).toBeLessThanOrEqual(29);
  // What is written once an hour may have been among the first.
  expect(long.statements).toBeLessThanOrEqual(short.statements);
  expect(long.rowsRead).toBeLessThanOrEqual(short.rowsRead + 5);
});

it("objects of one process write apart: a hundred batches a second, and each what it has", async () => {
  const objects = Array.from({ length: 60 }, newWorkspace);
  const rounds = 5;
  const started = Date.now();
  const written = await Promise.all(objects.map((workspace) => writeInRounds(workspace, rounds)));
  const elapsed = Date.now() - started;
  expect(written).toEqual(objects.map(() => rounds));
  // However slow the machine is: no batch comes before its time.
  expect(objects.length * rounds).toBeLessThanOrEqual(elapsed / 10 + 1);
});

/** Has the object of a self-hosted process write a batch, and another when that is written, and so on. */
async function writeInRounds(workspace: string, rounds: number): Promise<number> {
  await object(workspace).snapshot();
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, async (_instance, { storage }) => {
    const limits = { window: null, slots: null, address: null, coolsDown: false };
    const state = newState(limits, { workspace, generation: 1, config: {} });
    let done = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const writes = new WriteBehind({
      id: `another of ${workspace}`,
      storage,
      state,
      boot: "boot",
      left: undefined,
      written: () => next(),
      addEvent: () => undefined,
    });
    const next = (): void => {
      if (done === rounds) return resolve(done);
      done += 1;
      writes.changed({ live: true });
    };
    next();
    return await promise;
  });
}
