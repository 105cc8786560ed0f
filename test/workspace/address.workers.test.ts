import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { readTimes } from "../../src/workspace/address/saved-times.ts";
import { env, workspaces, newWorkspace } from "./workers-kit.ts";

function stubOf(address: string) {
  return env.IP.get(env.IP.idFromName(address));
}

async function tables(address: string): Promise<number> {
  return runInDurableObject(
    stubOf(address),
    (_instance, state) =>
      state.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'log'").toArray().length,
  );
}

/** Requests that are on the disk. */
async function saved(address: string): Promise<number> {
  return runInDurableObject(
    stubOf(address),
    (_instance, state) => readTimes(state.storage.sql).length,
  );
}

describe("a client address", () => {
  it("is remembered over a restart of its object", async () => {
    const address = newWorkspace();
    await Promise.all(Array.from({ length: 500 }, () => workspaces.countAddress(address)));
    while ((await saved(address)) < 500) await new Promise((resolve) => setTimeout(resolve, 50));
    await runInDurableObject(stubOf(address), (_instance, state) => {
      state.abort("restarted by a test");
    }).catch(() => undefined);
    expect(await workspaces.countAddress(address)).toMatchObject({ ok: false, limit: 500 });
  });

  it("leaves nothing on the disk when it has gone quiet", async () => {
    const address = newWorkspace();
    const answer = await workspaces.countAddress(address);
    if (!answer.ok) throw new Error("refused");
    while ((await tables(address)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await runDurableObjectAlarm(stubOf(address))).toBe(true);
    expect(await tables(address)).toBe(1);
    await workspaces.uncountAddress(address, answer.token);
    await runDurableObjectAlarm(stubOf(address));
    expect(await tables(address)).toBe(0);
    expect((await workspaces.countAddress(address)).ok).toBe(true);
    // Saved anew, with its table.
    while ((await tables(address)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
