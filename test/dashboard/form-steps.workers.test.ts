/** What a step of a form leaves with the browser: a page to come back to, and what was entered when the session had ended. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());
let cookie = "";

beforeAll(async () => {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const made = await root.call("POST /api/workspaces", { body: { name: "Steps" } });
  const signedIn = await post("/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
});

const post = async (path: string, form: Record<string, string>, headers = { cookie, accept: "" }) =>
  await send(
    new Request(`${base}/dashboard${path}`, {
      method: "POST",
      headers: { origin: base, ...headers },
      body: new URLSearchParams(form),
      redirect: "manual",
    }),
  );

const form = {
  kind: "custom",
  id: "a",
  format: "chat",
  api_key: "sk-entered-0123",
  base_url: "a b",
};

describe("a step of adding a provider", () => {
  it("can be gone back to, says in its title what happened, and holds no key", async () => {
    const step = await post("/add-provider", { ...form, do: "test" });
    expect(step.status).toBe(422);
    expect(step.headers.get("cache-control")).toBe("private, no-cache");
    const page = await step.text();
    expect(page).toContain("<title>Error: Add Custom endpoint · Gateway</title>");
    expect(page).toContain("It contains a space. Remove it.");
    expect(page).not.toContain(form.api_key);
  });

  it("other pages are not kept", async () => {
    const shown = await send(new Request(`${base}/dashboard/providers`, { headers: { cookie } }));
    expect(shown.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a form that is sent after its session ended", () => {
  it("says so and how to send it again, without repeating it", async () => {
    const refused = await post("/add-provider", form, { cookie: "", accept: "text/html,*/*" });
    expect(refused.status).toBe(401);
    const page = await refused.text();
    expect(page).toContain("<h1>Your session ended</h1>");
    expect(page).toContain("Reload this page");
    expect(page).not.toContain(form.api_key);
  });

  it("a script only learns that it was refused", async () => {
    const refused = await post("/add-provider", form, { cookie: "", accept: "*/*" });
    expect([refused.status, await refused.text()]).toEqual([401, "Sign in again."]);
  });
});
