/** A deletion that was interrupted goes on, and a deleted workspace stays deleted. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { beginErasure } from "../../../src/workspace/storage/tables/erasure-mark.ts";
import {
  call,
  env,
  newHolder,
  newWorkspace,
  object,
  refusalOf,
  restart,
  stubOf,
  workspaces,
} from "../workers-kit.ts";

async function kvNames(workspace: string): Promise<string[]> {
  const { keys } = await env.KV.list();
  return keys.map(({ name }) => name).filter((name) => name.includes(workspace));
}

it("goes on where it was interrupted, and ends with a note alone", async () => {
  const holder = await newHolder(newWorkspace());
  const { workspace } = holder;
  expect(refusalOf(await call(holder))).toBe("admitted");
  await runInDurableObject(stubOf(workspace), async (_instance, { storage }) => {
    beginErasure(storage.sql, { type: "user", id: "usr_1", email: "one@corp.test" });
    await storage.sync();
  });
  await restart(workspace);
  expect(refusalOf(await call(holder))).toBe("M005");
  await expect.poll(() => object(workspace).snapshot().catch(String)).toContain("was deleted");
  expect(refusalOf(await call(holder))).toBe("M005");
  expect(await workspaces.refresh(holder)).toBe("M005");
  expect(await kvNames(workspace)).toEqual([]);
  const told = await object("default").pageAudit({ limit: 1, action: "workspace.deleted" });
  expect(told.events).toMatchObject([{ actor: { id: "usr_1" }, target: workspace }]);
});

it("books nothing of requests that outlive their workspace", async () => {
  const holder = await newHolder(newWorkspace());
  const { workspace } = holder;
  await object(workspace).erase();
  await expect.poll(() => object(workspace).snapshot().catch(String)).toContain("was deleted");
  await workspaces.renew(workspace, "r");
});
