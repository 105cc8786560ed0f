/** Limits on the dashboard: changes of a key's are told and undone, and what limits blocked is counted and found. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient, type Send } from "../kit/admin-api.ts";
import { asking, env, isAdmitted, workspaces } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send: Send = async (request) => worker.fetch(request, env, createExecutionContext());
const root = adminClient(send, { token: env.ADMIN_TOKEN });
const harness = { id: "default", name: "Default" };

async function newPlace() {
  const made = await root.call("POST /api/workspaces", { body: { name: "Test" } });
  const client = adminClient(send, { token: made.admin_token });
  await client.call("PUT /api/config", { body: { harnesses: [harness] } });
  const params = { id: "default" };
  const key = await client.call("POST /api/harnesses/{id}/keys", {
    params,
    body: { name: "laptop" },
  });
  let cookie = "";
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    const headers = { origin: base, cookie };
    const body = new URLSearchParams(form);
    const init = { method: "POST", redirect: "manual", headers, body } as const;
    return await send(new Request(`${base}${path}`, init));
  };
  const get = async (path: string): Promise<string> =>
    await (await send(new Request(`${base}${path}`, { headers: { cookie } }))).text();
  const signedIn = await post("/dashboard/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const keyLimits = async () =>
    (await client.call("GET /api/limits", {})).data.filter(({ node }) => node === "key");
  return { workspace: made.id, client, key, post, get, keyLimits };
}

const daily = { metric: "cost", period: "day", max: "5", action: "block" };

describe("limits of a key", () => {
  it("say what was changed, and are as before after Undo", async () => {
    const { key, post, get, keyLimits } = await newPlace();
    const path = `/dashboard/harnesses/default/keys/${key.id}`;
    const added = await post(`${path}/limits`, { ...daily, limit: "" });
    expect(await get(added.headers.get("location") ?? "")).toContain("$5.00 per day added");
    const changed = await post(`${path}/limits`, { ...daily, max: "9", limit: "cost day 5 block" });
    const page = await get(changed.headers.get("location") ?? "");
    expect(page).toContain("$5.00 per day → $9.00 per day");
    expect(page).toContain(`action="${path}/limits/undo"`);
    expect(await keyLimits()).toMatchObject([{ max: 9, name: "laptop", key_harness: "default" }]);
    const undone = await post(`${path}/limits/undo`, {});
    expect(undone.headers.get("location")).toBe(`${path}?done=limit-undone`);
    expect(await keyLimits()).toMatchObject([{ max: 5 }]);
    const removed = await post(`${path}/limits/delete`, { limit: "cost day 5 block" });
    expect(await get(removed.headers.get("location") ?? "")).toContain("$5.00 per day removed");
    await post(`${path}/limits/undo`, {});
    expect(await keyLimits()).toMatchObject([{ max: 5 }]);
  });

  it("are not overwritten where the one to change is gone, nor undone where they were changed again", async () => {
    const { client, key, post, keyLimits } = await newPlace();
    const path = `/dashboard/harnesses/default/keys/${key.id}`;
    await post(`${path}/limits`, { ...daily, limit: "" });
    const gone = await post(`${path}/limits`, { ...daily, max: "9", limit: "cost day 1 block" });
    expect(gone.status).toBe(422);
    await client.call("PATCH /api/harnesses/{id}/keys/{keyId}", {
      params: { id: "default", keyId: key.id },
      body: { name: "renamed" },
    });
    expect((await post(`${path}/limits/undo`, {})).status).toBe(422);
    expect(await keyLimits()).toMatchObject([{ max: 5 }]);
  });
});

describe("limits of the workspace in two tabs", () => {
  it("are removed although another was added meanwhile, and say where one is gone", async () => {
    const { client, post } = await newPlace();
    const path = "/dashboard/settings/limits";
    const added = await post(path, { ...daily, limit: "" });
    expect(added.status).toBe(303);
    await post(path, { ...daily, max: "9", limit: "" });
    const removed = await post(`${path}/delete`, { limit: "cost day 5 block" });
    expect(removed.headers.get("location")).toMatch(/done=deleted/);
    const gone = await post(`${path}/delete`, { limit: "cost day 5 block" });
    expect(gone.status).toBe(422);
    expect(await gone.text()).toContain("This limit was changed or removed in the meantime.");
    expect((await client.call("GET /api/config", {})).limits).toMatchObject([{ max: 9 }]);
  });

  it("are undone and redone on the page where they were changed", async () => {
    const { client, post, get } = await newPlace();
    const page = "/dashboard/harnesses/default/limits";
    const limits = async () =>
      (await client.call("GET /api/config", {})).harnesses?.[0]?.limits?.map(({ max }) => max);
    const added = await post(page, { ...daily, limit: "" });
    const version = /version=(\d+)/.exec(added.headers.get("location") ?? "")?.[1] ?? "";
    const undone = await post("/dashboard/settings/history/undo", { version, back: page });
    const place = undone.headers.get("location") ?? "";
    expect(place).toBe(`${page}?done=undone&version=${Number(version) + 1}`);
    const shown = await get(place);
    expect(shown).toContain("$5.00 per day removed");
    expect(shown).toMatch(/>\s*Redo\s*</);
    expect(await limits()).toBeUndefined();
    const again = { version: String(Number(version) + 1), back: page, word: "Redo" };
    const redone = await post("/dashboard/settings/history/undo", again);
    expect(await limits()).toEqual([5]);
    const last = await get(redone.headers.get("location") ?? "");
    expect(last).toContain("Redone.");
    expect(last).toMatch(/>\s*Undo\s*</);
  });
});

describe("what limits blocked", () => {
  it("is on the overview and at the limit, with a link to those requests alone", async () => {
    const { workspace, client, key, get } = await newPlace();
    const limits = [{ metric: "requests", period: "day", max: 0, action: "block" } as const];
    await client.call("PUT /api/config", { body: { harnesses: [{ ...harness, limits }] } });
    const holder = await workspaces.identify(key.key);
    if (typeof holder === "string") throw new Error(holder);
    expect(isAdmitted(await workspaces.admit(workspace, asking(holder)))).toBe(false);
    const answer = await send(
      new Request(`${base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "Hi" }] }),
      }),
    );
    await answer.text();
    for (const path of ["/dashboard", "/dashboard/harnesses/default/limits"]) {
      const page = (await get(path)).replaceAll("&amp;", "&");
      expect(page, path).toMatch(
        /href="\/dashboard\/requests\?outcome=blocked&blocked_by=harness&harness=default&from=[^"]+">1 blocked|2 blocked/,
      );
    }
  });

  it("is found by whose limit it was", async () => {
    const { client } = await newPlace();
    const found = await client.call("GET /api/requests", { query: { blocked_by: "harness" } });
    expect(found.data).toEqual([]);
    await expect(
      client.call("GET /api/requests", { query: { blocked_by: "nobody" } }),
    ).rejects.toThrow();
  });

  it("is nothing on an overview without limits", async () => {
    const { get } = await newPlace();
    const page = await get("/dashboard");
    expect(page).toContain("No spending limit.");
    expect(page).not.toContain("blocked today");
  });
});
