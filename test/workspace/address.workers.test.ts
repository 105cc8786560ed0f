import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { objectNameOf } from "../../src/workspace/client/address-object-name.ts";
import { readSavedWindows, timesOf } from "../../src/workspace/address/saved-windows.ts";
import { env, newWorkspace, workspaces } from "./workers-kit.ts";

function stubOf(address: string) {
  return env.IP.get(env.IP.idFromName(address));
}

function inObject<Answer>(address: string, run: (sql: SqlStorage) => Answer): Promise<Answer> {
  return runInDurableObject(stubOf(address), (_instance, state) => run(state.storage.sql));
}

async function tables(address: string): Promise<number> {
  const query = "SELECT 1 FROM sqlite_master WHERE name = 'windows'";
  return await inObject(address, (sql) => sql.exec(query).toArray().length);
}

/** Requests that are on the disk. */
async function saved(address: string): Promise<number> {
  return await inObject(address, (sql) => readSavedWindows(sql).flatMap(timesOf).length);
}

function countMany(address: string, count: number) {
  const caller = { address, standing: "stranger" } as const;
  return Promise.all(
    Array.from({ length: count }, async () => await workspaces.countAddress(caller)),
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("a client address", () => {
  it("is remembered over a restart of its object", async () => {
    const address = newWorkspace();
    await countMany(address, 500);
    await until(async () => (await saved(address)) === 500);
    await runInDurableObject(stubOf(address), (_instance, state) => {
      state.abort("restarted by a test");
    }).catch(() => undefined);
    const [answer] = await countMany(address, 1);
    expect(answer).toMatchObject({ ok: false, limit: 500 });
    const keyed = await workspaces.countAddress({ address, standing: "keyed" });
    expect(keyed.ok).toBe(true);
  });

  it("leaves nothing on the disk when it has gone quiet", async () => {
    const address = newWorkspace();
    const answers = await countMany(address, 150);
    await until(async () => (await tables(address)) === 1);
    expect(await runDurableObjectAlarm(stubOf(address))).toBe(true);
    expect(await tables(address)).toBe(1);
    for (const answer of answers) {
      if (!answer.ok) throw new Error("refused");
      await workspaces.uncountAddress({ address, standing: "stranger", token: answer.token });
    }
    await runDurableObjectAlarm(stubOf(address));
    expect(await tables(address)).toBe(0);
    await countMany(address, 150);
    // Saved anew, with its table.
    await until(async () => (await tables(address)) === 1);
  });

  it("writes a row for all of its requests, and none while they are few", async () => {
    const rowsFor = async (requests: number): Promise<number> => {
      const address = newWorkspace();
      return await runInDurableObject(stubOf(address), async (instance, state) => {
        const before = state.storage.sql.exec("SELECT total_changes() AS n").one()["n"];
        // The binding names this class.
        const counter = instance as unknown as { hit(caller: object): unknown };
        for (let done = 0; done < requests; done += 1) counter.hit({ address, standing: "keyed" });
        await new Promise((resolve) => setTimeout(resolve, 5500));
        const after = state.storage.sql.exec("SELECT total_changes() AS n").one()["n"];
        return Number(after) - Number(before);
      });
    };
    const [few, many] = await Promise.all([rowsFor(90), rowsFor(450)]);
    expect(few).toBe(0);
    // With the two versions of the schema that the first saving writes.
    expect(many).toBeLessThan(10);
  });
});

describe("the objects that count addresses", () => {
  const addresses = Array.from({ length: 5000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);

  it("are sixteen in a process of one's own, all of them used alike", () => {
    const own = { ...env, BOOT_ID: "boot" };
    const names = addresses.map((address) => objectNameOf(own, address));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    expect(counts.size).toBe(16);
    for (const count of counts.values()) expect(count).toBeGreaterThan(200);
  });

  it("are one an address on the platform", () => {
    expect(objectNameOf(env, "192.0.2.1")).toBe("192.0.2.1");
  });
});
