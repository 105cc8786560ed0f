/** What goes with a harness that a change of the document removes, and comes back with it. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/store/config.ts";
import { workspaceMigrations } from "../../../src/workspace/storage/migrations.ts";
import { migrate } from "../../../src/workspace/storage/sql/schema-version.ts";
import {
  asking,
  isAdmitted,
  newKey,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
  stubOf,
  type TestKey,
  workspaces,
} from "../workers-kit.ts";

const limits = [{ metric: "requests", period: "month", max: 100, action: "block" }] as const;
const whole: Config = {
  harnesses: [
    { id: "default", name: "D" },
    { id: "team", name: "T" },
  ],
};

async function restore(workspace: string, n: number): Promise<void> {
  const config = await object(workspace).versionDocument(n);
  if (config === undefined) throw new Error("no such version");
  const { generation } = await object(workspace).snapshot();
  const next = { config, generation, way: "restore", restored: n } as const;
  expect(await object(workspace).changeConfig(next)).toMatchObject({ ok: true });
}

/** A workspace whose harness `team` has a key with one request. */
async function used(person?: string): Promise<{ workspace: string; key: TestKey }> {
  const workspace = newWorkspace();
  await putConfig(workspace, whole);
  const more = { limits, ...(person !== undefined && { person }) };
  const key = await newKey(workspace, "team", more);
  const holder = await workspaces.identify(key.text);
  if (typeof holder === "string") throw new Error(holder);
  const asked = asking(holder);
  expect(isAdmitted(await workspaces.admit(workspace, asked))).toBe(true);
  const observed = [{ tier: "simple", what: "served" }] as const;
  const names = { harness: "team", key_id: key.id };
  await workspaces.settle(workspace, row(asked.requestId, { ...names, observed: [...observed] }));
  return { workspace, key };
}

async function refusalOfKey({ text }: TestKey): Promise<string | undefined> {
  const holder = await workspaces.identify(text);
  return typeof holder === "string" ? holder : undefined;
}

describe("a harness that a change removed and a restored version has again", () => {
  it("has its keys, what they used and what routing learned, across a restart", async () => {
    const { workspace, key } = await used();
    const before = {
      limits: await object(workspace).limits(),
      outcomes: await object(workspace).outcomes("team"),
    };
    expect(before).toMatchObject({ limits: [{ used: 1 }], outcomes: { simple: { served: 1 } } });
    await putConfig(workspace, {});
    expect(await object(workspace).outcomes("team")).toEqual({});
    expect(await object(workspace).identify(key.hash)).toEqual({ refusal: "M005" });
    await restart(workspace);
    expect(await object(workspace).identify(key.hash)).toEqual({ refusal: "M005" });
    await restore(workspace, 2);
    expect(await refusalOfKey(key)).toBeUndefined();
    await restart(workspace);
    expect(await object(workspace).limits()).toEqual(before.limits);
    expect(await object(workspace).outcomes("team")).toEqual(before.outcomes);
    expect(await object(workspace).listKeys("team")).toMatchObject([{ id: key.id }]);
  });

  it("gets none of them where another change makes a harness of that name", async () => {
    const { workspace, key } = await used();
    await putConfig(workspace, {});
    await putConfig(workspace, whole);
    expect(await object(workspace).identify(key.hash)).toEqual({ refusal: "M005" });
    expect(await object(workspace).listKeys("team")).toEqual([]);
    // Nor from a version that came after they had gone.
    await putConfig(workspace, { ...whole, timezone: "Asia/Tokyo" });
    await restore(workspace, 4);
    expect(await object(workspace).listKeys("team")).toEqual([]);
  });

  it("says before which keys would stop, and which would work again", async () => {
    const { workspace, key } = await used();
    const named = [{ id: key.id, name: "test", harness: "team", last4: key.text.slice(-4) }];
    expect(await object(workspace).keysTouched({})).toEqual({ stopping: named, returning: [] });
    await putConfig(workspace, {});
    expect(await object(workspace).keysTouched(whole, 2)).toEqual({
      stopping: [],
      returning: named,
    });
    expect(await object(workspace).keysTouched(whole)).toEqual({ stopping: [], returning: [] });
  });

  it("gets no key of a person who left meanwhile", async () => {
    const { workspace, key } = await used("usr_1");
    await putConfig(workspace, {});
    await object(workspace).revokePerson("usr_1");
    await object(workspace).welcomePerson("usr_1");
    await restore(workspace, 2);
    expect(await object(workspace).identify(key.hash)).toEqual({ refusal: "M005" });
  });

  it("is kept as long as a version is that has it", async () => {
    const { workspace, key } = await used();
    await putConfig(workspace, {});
    for (let made = 0; made < 50; made += 1)
      await putConfig(workspace, { retention: { rows: made } });
    await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
      for (const table of ["removed", "running"])
        expect(storage.sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([]);
    });
    expect(await object(workspace).identify(key.hash)).toEqual({ refusal: "M005" });
  });
});

it("a state of the schema before is opened, and keeps what goes from then on", async () => {
  const workspace = newWorkspace();
  await runInDurableObject(stubOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    migrate(state.storage, workspaceMigrations.slice(0, 9));
    await state.storage.sync();
    state.abort("restarted by a test");
  }).catch(() => undefined);
  await putConfig(workspace, whole);
  const key = await newKey(workspace, "team");
  await putConfig(workspace, {});
  await restore(workspace, 2);
  expect(await object(workspace).listKeys("team")).toMatchObject([{ id: key.id }]);
});
