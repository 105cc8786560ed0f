import { describe, expect, it } from "vitest";
import { workspacesOf } from "../../src/workspace/client/client.ts";
import { policyOf } from "../../src/policy/choose.ts";
import { firstDocument } from "../../src/store/defaults.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { makeKey } from "../../src/store/keys.ts";
import {
  asking,
  call,
  env,
  workspaces,
  newHolder,
  newKey,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  row,
} from "./workers-kit.ts";

describe("keys", () => {
  it("work at once, and are refused from the next request on when they are revoked", async () => {
    const workspace = newWorkspace();
    const key = await newKey(workspace);
    const holder = await workspaces.identify(key.text);
    if (typeof holder === "string") throw new Error(holder);
    expect(holder).toMatchObject({ workspace, harness: "default", keyId: key.id });
    expect(refusalOf(await call(holder))).toBe("admitted");
    expect(await object(workspace).deleteKey("default", key.id)).toBe(true);
    expect(refusalOf(await call(holder))).toBe("M005");
    expect(refusalOf(await call(holder, { weight: "light" }))).toBe("M005");
    expect(await workspaces.refresh(holder)).toBe("M005");
  });

  it("take their sums with them, also where a request still runs", async () => {
    const workspace = newWorkspace();
    const key = await newKey(workspace);
    const holder = await workspaces.identify(key.text);
    if (typeof holder === "string") throw new Error(holder);
    const settled = async (end: () => Promise<unknown>): Promise<number | undefined> => {
      const request = asking(holder);
      expect((await workspaces.admit(workspace, request)).verdict).toBe("admitted");
      await end();
      await workspaces.settle(workspace, row(request.requestId, { key_id: key.id }));
      const name = `key:${key.id}`;
      return (await object(workspace).daysOf([name]))[name]?.length;
    };
    expect(await settled(async () => undefined)).toBe(1);
    expect(await settled(() => object(workspace).deleteKey("default", key.id))).toBe(0);
  });

  it("end with their harness, and stay with one that remains", async () => {
    const workspace = newWorkspace();
    const two = {
      harnesses: [
        { id: "default", name: "D" },
        { id: "two", name: "Two" },
      ],
    };
    await putConfig(workspace, two);
    const [kept, gone] = await Promise.all([
      newKey(workspace, "default"),
      newKey(workspace, "two"),
    ]);
    await putConfig(workspace, { harnesses: [{ id: "default", name: "Renamed" }] });
    expect(await workspaces.identify(kept.text)).toMatchObject({ harness: "default" });
    const left = await workspaces.identify(gone.text);
    if (typeof left !== "string") expect(await workspaces.refresh(left)).toBe("M005");
    await putConfig(workspace, two);
    expect(await object(workspace).listKeys("two")).toEqual([]);
  });

  it("of another make are refused without asking any object", async () => {
    const other = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const forged = await makeKey(newWorkspace(), await keyringOf(other));
    expect(await workspaces.identify(forged)).toBe("M005");
    expect(await workspaces.identify("gw_nonsense")).toBe("M005");
    expect(await workspaces.identify("sk-test")).toBe("M003");
    const unknown = await makeKey(newWorkspace(), await keyringOf(env.ENCRYPTION_KEY));
    expect(await workspaces.identify(unknown)).toBe("M005");
  });

  it("stay good when their encryption key is gone, but call no workspace into being", async () => {
    const newer = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const later = workspacesOf({ ...env, ENCRYPTION_KEY: newer }, policyOf(env));
    const workspace = newWorkspace();
    const key = await newKey(workspace);
    while ((await env.KV.get(`key:${key.hash}`)) === null) await scheduler.wait(10);
    expect(await later.identify(key.text)).toMatchObject({ workspace, keyId: key.id });
    const unknown = await makeKey(newWorkspace(), await keyringOf(env.ENCRYPTION_KEY));
    expect(await later.identify(unknown)).toBe("M005");
  });

  it("remember when they were used last", async () => {
    const holder = await newHolder(newWorkspace());
    const before = Date.now();
    await call(holder);
    const [key] = (await object(holder.workspace).listKeys("default")) ?? [];
    expect(Date.parse(key?.last_used_at ?? "")).toBeGreaterThanOrEqual(before);
  });
});

describe("the document", () => {
  it("begins as the demo's, and changes with a generation that admission compares", async () => {
    const workspace = newWorkspace();
    const holder = await newHolder(workspace);
    expect(holder.snapshot.config).toEqual(firstDocument("self-hosted"));
    await putConfig(workspace, { harnesses: [{ id: "default", name: "New" }] });
    const answer = await workspaces.admit(workspace, asking(holder));
    if (answer.verdict !== "stale") throw new Error(answer.verdict);
    expect(answer.snapshot.config.harnesses?.[0]?.name).toBe("New");
    expect(await workspaces.identify((await newKey(workspace)).text)).toMatchObject({
      snapshot: { generation: 2 },
    });
    expect((await object(workspace).status()).rate?.remaining).toBe(200);
  });

  it("is not replaced by a writer who has not seen the newest one", async () => {
    const workspace = newWorkspace();
    const { config, generation } = await object(workspace).snapshot();
    expect(await object(workspace).putConfig({}, generation)).toEqual({
      ok: true,
      generation: generation + 1,
    });
    expect(await object(workspace).putConfig(config, generation)).toEqual({
      ok: false,
      generation: generation + 1,
    });
    expect((await object(workspace).snapshot()).config).toEqual({});
  });
});
