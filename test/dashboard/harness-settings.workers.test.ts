/** A harness's searcher, judge and queue as its page sets them. */
import { createExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import type { HarnessEntry } from "../../src/store/config.ts";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());

async function owner() {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const made = await root.call("POST /api/workspaces", { body: { name: "Team" } });
  const admin = adminClient(send, { token: made.admin_token });
  const base_url = "http://127.0.0.1:9/v1";
  const models = [{ id: "gpt-5" }, { id: "gpt-5-mini" }];
  const providers = [{ id: "web", kind: "custom", format: "responses" as const, base_url, models }];
  await admin.call("PUT /api/config", { body: { providers, harnesses: [{ id: "h", name: "H" }] } });
  let cookie = "";
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    const headers = { origin: base, cookie };
    const body = new URLSearchParams(form);
    return await send(new Request(`${base}/dashboard${path}`, { method: "POST", headers, body }));
  };
  const signedIn = await post("/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    save: (form: Record<string, string>) => post("/harnesses/h/general", { name: "H", ...form }),
    harness: async (): Promise<HarnessEntry | undefined> =>
      (await admin.call("GET /api/config", {})).harnesses?.[0],
  };
}

it("saves them, keeps what a form does not have, and takes away what is empty", async () => {
  const { save, harness } = await owner();
  const form = { web_search: "web/gpt-5-mini", safeguard_model: "web/gpt-5", queue: "30" };
  const set = {
    web_search: { provider: "web", model: "gpt-5-mini" },
    safeguard_model: "web/gpt-5",
    queue: 30,
  };
  expect((await save(form)).status).toBe(303);
  expect(await harness()).toMatchObject(set);
  expect((await save({})).status).toBe(303);
  expect(await harness()).toMatchObject(set);
  expect((await save({ web_search: "web" })).status).toBe(303);
  expect(await harness()).toHaveProperty("web_search", { provider: "web" });
  expect((await save({ web_search: "", safeguard_model: "", queue: "0" })).status).toBe(303);
  expect(await harness()).toEqual({ id: "h", name: "H" });
});

it("refuses a searcher that is no provider, and too long a wait, at their fields", async () => {
  const { save, harness } = await owner();
  const unknown = await save({ web_search: "nobody/x" });
  expect(unknown.status).toBe(422);
  expect(await unknown.text()).toContain('id="f-web_search-fault"');
  expect(await (await save({ queue: "61" })).text()).toContain('id="f-queue-fault"');
  expect(await harness()).toEqual({ id: "h", name: "H" });
});
