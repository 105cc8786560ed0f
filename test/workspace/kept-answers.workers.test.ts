/** Reasoning that a workspace keeps: bounded in number, size and age, and opened from the state of the version before. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Holder } from "../../src/workspace/client/client.ts";
import { workspaceMigrations } from "../../src/workspace/storage/migrations.ts";
import {
  forgetOldReasoning,
  measureReasoning,
  nextReasoningEnd,
  readStoredReasoning,
  reasoningLife,
  trimReasoning,
  writeStoredReasoning,
} from "../../src/workspace/storage/tables/reasoning.ts";
import { migrate } from "../../src/workspace/storage/sql/schema-version.ts";
import {
  asking,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  restart,
  row,
  stubOf,
  workspaces,
} from "./workers-kit.ts";

async function settled(holder: Holder, call: string, sealed: string): Promise<void> {
  const { workspace, keyId: key_id } = holder;
  const asked = asking(holder);
  if (!isAdmitted(await workspaces.admit(workspace, asked))) throw new Error("refused");
  await workspaces.settle(workspace, row(asked.requestId, { key_id }), { call, sealed });
}

async function keptOf(holder: Holder, calls: string[]): Promise<Record<string, string>> {
  const { workspace } = holder;
  const asked = asking(holder, { reasoningOf: calls });
  const answer = await workspaces.admit(workspace, asked);
  if (!isAdmitted(answer)) throw new Error("refused");
  await workspaces.settle(workspace, row(asked.requestId, { key_id: holder.keyId }));
  return answer.reasoning ?? {};
}

/** Runs on the workspace's database. */
async function onDisk<T>(workspace: string, run: (sql: SqlStorage) => T): Promise<T> {
  await object(workspace).snapshot();
  return await runInDurableObject(stubOf(workspace), (_instance, { storage }) => run(storage.sql));
}

describe("reasoning that a workspace keeps", () => {
  it("is given with the next admission, before it is on the disk and after", async () => {
    const holder = await newHolder(newWorkspace());
    await settled(holder, "call_1", "one");
    expect(await keptOf(holder, ["call_0", "call_1"])).toEqual({ call_1: "one" });
    await object(holder.workspace).listRequests({ limit: 1 });
    await restart(holder.workspace);
    expect(await keptOf(holder, ["call_1"])).toEqual({ call_1: "one" });
  });

  it("is each key's own", async () => {
    const workspace = newWorkspace();
    const [one, two] = [await newHolder(workspace), await newHolder(workspace)];
    await settled(one, "call_1", "one");
    await settled(two, "call_1", "two");
    expect(await keptOf(one, ["call_1"])).toEqual({ call_1: "one" });
    expect(await keptOf(two, ["call_1"])).toEqual({ call_1: "two" });
  });

  it("is nothing where it or the call's id is too long, and no more than a request may carry", async () => {
    const holder = await newHolder(newWorkspace());
    await settled(holder, "c".repeat(300), "one");
    await settled(holder, "call_1", "x".repeat(600 * 1024));
    expect(await keptOf(holder, ["c".repeat(300), "call_1"])).toEqual({});
    const calls = Array.from({ length: 24 }, (_, index) => `call_${index + 2}`);
    for (const call of calls) await settled(holder, call, "y".repeat(500 * 1024));
    const given = Object.keys(await keptOf(holder, calls));
    // 8 Mi characters; the newest are given first.
    expect(given.length).toBe(16);
    expect(given).toContain("call_25");
  });

  it("is forgotten when a workspace has too much of it, the oldest first", async () => {
    const workspace = newWorkspace();
    await onDisk(workspace, (sql) => {
      const now = Date.now();
      for (let index = 0; index < 2100; index += 1)
        writeStoredReasoning(sql, { name: `k call_${index}`, made: now + index, sealed: "s" });
      trimReasoning(sql, now);
      expect(measureReasoning(sql).count).toBe(1800);
      expect(readStoredReasoning(sql, ["k call_299"], now).get("k call_299")).toBeUndefined();
      expect(readStoredReasoning(sql, ["k call_300"], now).get("k call_300")).toBe("s");
    });
  });

  it("takes no more than so many characters, whatever their number", async () => {
    const workspace = newWorkspace();
    await onDisk(workspace, (sql) => {
      const now = Date.now();
      const sealed = "s".repeat(512 * 1024);
      for (let index = 0; index < 40; index += 1)
        writeStoredReasoning(sql, { name: `k call_${index}`, made: now + index, sealed });
      trimReasoning(sql, now);
      expect(measureReasoning(sql).characters).toBeLessThanOrEqual(16 * 1024 * 1024);
      expect(readStoredReasoning(sql, ["k call_39"], now).get("k call_39")).toBe(sealed);
    });
  });

  it("is not read when it is too old, and forgotten by upkeep", async () => {
    const workspace = newWorkspace();
    await onDisk(workspace, (sql) => {
      const made = Date.now();
      writeStoredReasoning(sql, { name: "k call_1", made, sealed: "s" });
      expect(nextReasoningEnd(sql)).toBe(made + reasoningLife);
      expect(
        readStoredReasoning(sql, ["k call_1"], made + reasoningLife).get("k call_1"),
      ).toBeUndefined();
      expect(forgetOldReasoning(sql, made + reasoningLife - 1)).toBe(false);
      expect(forgetOldReasoning(sql, made + reasoningLife)).toBe(true);
      expect(nextReasoningEnd(sql)).toBeUndefined();
    });
  });

  it("is kept by a state of the version before, once that was opened", async () => {
    const workspace = newWorkspace();
    await runInDurableObject(stubOf(workspace), async (_instance, state) => {
      await state.storage.deleteAll();
      migrate(state.storage, workspaceMigrations.slice(0, 8));
      await state.storage.sync();
      state.abort("restarted by a test");
    }).catch(() => undefined);
    const holder = await newHolder(workspace);
    await settled(holder, "call_1", "one");
    await object(workspace).listRequests({ limit: 1 });
    expect(await onDisk(workspace, (sql) => measureReasoning(sql))).toEqual({
      count: 1,
      characters: 3,
    });
    expect(await keptOf(holder, ["call_1"])).toEqual({ call_1: "one" });
  });

  it("goes with its workspace", async () => {
    const holder = await newHolder(newWorkspace());
    await settled(holder, "call_1", "one");
    await object(holder.workspace).erase();
    await expect.poll(() => object(holder.workspace).snapshot().catch(String)).toContain("deleted");
    await runInDurableObject(stubOf(holder.workspace), (_instance, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'reasoning'");
      expect(tables.toArray()).toEqual([]);
    }).catch((error: unknown) => expect(String(error)).toContain("deleted"));
  });
});
