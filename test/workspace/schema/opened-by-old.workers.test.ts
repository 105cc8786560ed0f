/** A state that version 0.1.0, which knows no schema numbers, has opened and served from. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { LimitEntry } from "../../../src/store/config.ts";
import { openNewerWorkspace, session } from "./state-before-versions.ts";
import {
  asking,
  call,
  newKey,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  row,
  stubOf,
  workspaces,
} from "../workers-kit.ts";

const limit = (max: number): LimitEntry => ({
  metric: "requests",
  period: "day",
  max,
  action: "block",
});

it("is whole again: what was spent counts, and sums and log can be asked for", async () => {
  const workspace = newWorkspace();
  await putConfig(workspace, {
    harnesses: [{ id: "default", name: "Default", limits: [limit(3)] }],
  });
  const key = await newKey(workspace, "default", { limits: [limit(5)] });
  const holder = await workspaces.identify(key.text);
  if (typeof holder === "string") throw new Error(holder);
  for (let time = 0; time < 2; time += 1) await call(holder);
  // A reader of the log: everything is on the disk when it is answered.
  await object(workspace).listRequests({ limit: 1 });
  await runInDurableObject(stubOf(workspace), async (_instance, state) => {
    // As upkeep leaves it.
    state.storage.sql.exec("DROP TABLE IF EXISTS rollups");
    openNewerWorkspace(state.storage.sql, row("req_of_old", { key_id: key.id }));
    await state.storage.sync();
    state.abort("ended by a test");
  }).catch(() => undefined);

  const sums = await object(workspace).sums({ from: 0, to: Date.now() + 1e6, group: "harness" });
  expect(sums.reduce((all, { requests }) => all + requests, 0)).toBe(3);
  expect((await object(workspace).limits()).map(({ used }) => used)).toEqual([3, 3]);
  expect((await object(workspace).status()).monthly.used).toBe(3);
  expect(refusalOf(await workspaces.admit(workspace, asking(holder)))).toBe("M200");
  expect(await object(workspace).listRequests({ limit: 10 })).toHaveLength(3);
  const asked = { harness: "default", candidates: [], flexible: false, session: "talk" };
  expect((await object(workspace).foresee(asked)).session).toEqual(session);
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    const query =
      "SELECT name FROM sqlite_master WHERE name IN ('sessions', 'outcomes', 'requests_by_id')";
    expect(storage.sql.exec(query).toArray()).toEqual([]);
  });
});
