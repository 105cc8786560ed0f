import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import {
  asking,
  env,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
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

it("a request writes few rows: they are what a deployment pays for", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  const state = { model: "lab/one", tier: "simple", cachedTokens: 1, inputTokens: 2, turns: 1 };
  const request = async (whileRunning: () => Promise<unknown>) => {
    const asked = asking(holder, { session: "s" });
    if (!isAdmitted(await workspaces.admit(workspace, asked))) throw new Error("refused");
    await whileRunning();
    const session = { key: "s", state: { ...state, lastUsed: Date.now() } };
    await workspaces.settle(workspace, row(asked.requestId, { session }));
    // A reader of the log waits for nothing: everything is written before it is answered.
    await object(workspace).listRequests({ limit: 1 });
  };
  await request(async () => undefined);
  const written = await countWrites(workspace);
  /** The least of a few: on a busy machine a batch may be written while the request runs. */
  const least = async (whileRunning: () => Promise<unknown>) => {
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const before = written();
      await request(whileRunning);
      counts.push(written() - before);
    }
    return Math.min(...counts);
  };
  // Log row and its index, sum, conversation and its index, answer's length, use of the key, window.
  expect(await least(async () => undefined)).toBe(8);
  // One that spans two batches also writes the leases, twice.
  expect(await least(() => object(workspace).listRequests({ limit: 1 }))).toBe(10);
});
