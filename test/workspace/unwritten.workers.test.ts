/**
 * A disk that refuses a batch: the runtime ends the object's instance without a word. An instance that is ended in the
 * middle of the event that writes is the same to the object: nothing of that event is on the disk.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { Holder } from "../../src/workspace/client/client.ts";
import type { WorkspaceObject } from "../../src/workspace/workspace-object.ts";
import {
  asking,
  call,
  isAdmitted,
  newKey,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  row,
  stubOf,
  workspaces,
} from "./workers-kit.ts";

/** Everything that waits is written, and the disk refuses it. */
async function failToWrite(workspace: string): Promise<void> {
  await runInDurableObject(stubOf(workspace), (instance, state) => {
    // The class of the binding. A reader of blocks has the batch written.
    (instance as unknown as WorkspaceObject).blocks(1);
    state.abort("the disk is full, says a test");
  }).catch(() => undefined);
}

async function holderOf(workspace: string, harness: string): Promise<Holder> {
  const key = await newKey(workspace, harness);
  const holder = await workspaces.identify(key.text);
  if (typeof holder === "string") throw new Error(holder);
  return holder;
}

async function twoHarnesses(): Promise<{ workspace: string; limited: Holder; free: Holder }> {
  const workspace = newWorkspace();
  const limits = [{ metric: "requests", period: "day", max: 4, action: "block" } as const];
  await putConfig(workspace, {
    harnesses: [
      { id: "limited", name: "Limited", limits },
      { id: "free", name: "Free" },
    ],
  });
  const [limited, free] = [await holderOf(workspace, "limited"), await holderOf(workspace, "free")];
  return { workspace, limited, free };
}

const settledBy = (holder: Holder): Promise<unknown> => {
  const request = asking(holder);
  return workspaces
    .admit(holder.workspace, request)
    .then((answer) =>
      isAdmitted(answer)
        ? workspaces.settle(
            holder.workspace,
            row(request.requestId, { harness: holder.harness, key_id: holder.keyId }),
          )
        : Promise.reject(new Error(refusalOf(answer))),
    );
};

const isFailing = async (workspace: string): Promise<boolean | undefined> =>
  (await object(workspace).status()).storageFailing;

it("what a limit covers is refused, nothing is forgotten, and nothing is booked twice", async () => {
  const { workspace, limited, free } = await twoHarnesses();
  for (let time = 0; time < 3; time += 1) await settledBy(limited);
  await failToWrite(workspace);
  expect(await isFailing(workspace)).toBe(true);
  const refused = await call(limited);
  expect(refused).toMatchObject({ verdict: "refused", refusal: { code: "M501" } });
  await settledBy(free);
  expect((await object(workspace).limits())[0]).toMatchObject({ used: 3 });
  expect((await object(workspace).events({ limit: 10 })).events[0]?.type).toBe("storage.failing");

  await expect.poll(() => isFailing(workspace), { timeout: 10_000 }).toBe(false);
  const rows = await object(workspace).listRequests({ limit: 20 });
  const served = rows.filter(({ record }) => record.status === 200);
  expect(new Set(served.map(({ record }) => record.id)).size).toBe(4);
  expect(served).toHaveLength(4);
  const sums = await object(workspace).sums({ from: 0, to: Date.now() + 1e6, group: "harness" });
  const counts = sums.map(({ group, requests }) => [group, requests]);
  expect(Object.fromEntries(counts)).toMatchObject({ limited: 3, free: 1 });
  const told = (await object(workspace).events({ limit: 20 })).events.map(({ type }) => type);
  expect(told.filter((type) => type === "storage.failing")).toHaveLength(1);
  await settledBy(limited);
  expect(refusalOf(await workspaces.admit(workspace, asking(limited)))).toBe("M200");
});

it("a batch that was written, though nobody was told of it, is not written again", async () => {
  const { workspace, free } = await twoHarnesses();
  await settledBy(free);
  await object(workspace).listRequests({ limit: 1 });
  await settledBy(free);
  await runInDurableObject(stubOf(workspace), (instance) => {
    (instance as unknown as WorkspaceObject).blocks(1);
  });
  await runInDurableObject(stubOf(workspace), (_instance, state) => state.abort("by a test")).catch(
    () => undefined,
  );
  expect(await object(workspace).listRequests({ limit: 10 })).toHaveLength(2);
  expect(await isFailing(workspace)).toBe(false);
});

it("the last use of a key is known after its object was evicted, to the moment", async () => {
  const { workspace, free } = await twoHarnesses();
  const used = async () => (await object(workspace).listKeys("free"))?.[0]?.last_used_at ?? "";
  await settledBy(free);
  const first = await used();
  await settledBy(free);
  const last = await used();
  expect(last >= first).toBe(true);
  await object(workspace).listRequests({ limit: 1 });
  await runInDurableObject(stubOf(workspace), (_instance, state) => state.abort("by a test")).catch(
    () => undefined,
  );
  expect(await used()).toBe(last);
});
