/** Every route of the admin API answers what it documents, over a workspace with real traffic in it. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import worker from "../../src/worker.ts";
import { type AdminClient, adminClient, type RouteName, type Send } from "../kit/admin-api.ts";
import { replyScript, openLane, provider } from "../kit/asking.ts";
import { asked, rowOf, world } from "../gateway/kit.ts";
import { gatewayWith, newAccount, signedIn } from "../sign-in/kit.ts";
import { env } from "../workspace/workers-kit.ts";

const send: Send = async (request) => worker.fetch(request, env, createExecutionContext());
/** The deployment's administrator. */
const deployment = adminClient(send, { token: env.ADMIN_TOKEN });
const cloud = adminClient(
  async (request) => worker.fetch(request, { ...env, MODE: "cloud" }, createExecutionContext()),
  { token: env.ADMIN_TOKEN },
);
const billing = adminClient(
  async (request) =>
    worker.fetch(request, { ...env, PLANS: '{"free":{}}' }, createExecutionContext()),
  { token: env.ADMIN_TOKEN },
);
/** The administrator of the workspace below. */
let admin: AdminClient;
let adminToken: string;
/** A gateway where people sign in, and its administrator in the default workspace. */
const teamGateway = gatewayWith();
const team = adminClient((request) => teamGateway.send(request), { token: env.ADMIN_TOKEN });
/** Somebody who signed in there. */
let person: string;
/** A request that failed over to its second model; its attempts say all that attempts can say. */
let requestId: string;
const harness = { id: "h" };

/** Two models of a provider that turns the first request down. */
async function failingProvider() {
  const lane = openLane();
  const good = replyScript("chat", { text: "GOOD" }, { stream: false });
  await lane.answer({ status: 429, headers: { "retry-after": "7" }, body: "{}" }, good);
  const models = ["m", "n"].map((id) => ({ id, cost: { input: 1, output: 1 } }));
  return provider({ id: "p", format: "chat", lane, models });
}

beforeAll(async () => {
  const chain = ["p/m", "p/n"];
  const where = await world({
    providers: [await failingProvider()],
    harnesses: [
      {
        id: "h",
        name: "H",
        log_text: true,
        routing: { tiers: { simple: chain, standard: chain, complex: chain, reasoning: chain } },
        limits: [{ metric: "requests", period: "day", max: 0.5, action: "notify" }],
      },
    ],
  });
  adminToken = where.token;
  admin = adminClient(send, { token: adminToken });
  person = await signedInPerson();
  const messages = [{ role: "user", content: "hi" }];
  const answer = await asked(where, { client: "chat", body: { model: "auto", messages } });
  expect(answer.status, answer.text).toBe(200);
  requestId = String(answer.headers.get("x-gateway-request-id"));
  await rowOf(where, requestId);
});

/** Signs in at the dashboard with the token of the workspace below. */
async function dashboardSession() {
  const headers = { origin: "http://gateway.test", "user-agent": "browser" };
  const form = new URLSearchParams({ token: adminToken });
  const url = "http://gateway.test/dashboard/sign-in";
  expect((await send(new Request(url, { method: "POST", headers, body: form }))).status).toBe(303);
  const [session] = (await admin.call("GET /api/sessions", {})).data;
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/** Signs somebody in, who becomes an owner of the team's workspace. Their id. */
async function signedInPerson(): Promise<string> {
  const account = await newAccount();
  const body = { role: "owner", email: account.email } as const;
  await team.call("POST /api/members", { body });
  await signedIn(teamGateway, account);
  const { data } = await team.call("GET /api/members", {});
  return data.find(({ email }) => email === account.email)?.id ?? "";
}

async function newWorkspace() {
  return await deployment.call("POST /api/workspaces", { body: { name: "Test" } });
}

/** A new webhook in place of those of other cases. */
async function newWebhook(url: string) {
  for (const { id } of (await admin.call("GET /api/webhooks", {})).data)
    await admin.call("DELETE /api/webhooks/{id}", { params: { id } });
  return await admin.call("POST /api/webhooks", { body: { url, events: ["key.created"] } });
}

/** A receiver that answers with these statuses in turn. */
async function receiver(...statuses: number[]) {
  const lane = openLane();
  await lane.answer(...statuses.map((status) => ({ status, body: "" })));
  return lane;
}

const passphrase = "correct horse battery";

/** One case a route: it calls the route, and says what must stand in the answer besides its shape. */
const cases: { [Name in RouteName]: () => Promise<void> } = {
  "GET /healthz": async () => {
    expect((await admin.call("GET /healthz", {})).status).toBe("ok");
  },
  "GET /api/status": async () => {
    const { cooling, monthly_requests: monthly } = await admin.call("GET /api/status", {});
    expect(Object.keys(cooling)).toEqual(["p/m"]);
    expect(monthly).toEqual({ limit: null, used: 1 });
  },
  "POST /api/backup": async () => {
    const file = await admin.call("POST /api/backup", { body: { passphrase } });
    const begin = new Uint8Array(await file.arrayBuffer()).subarray(0, 8);
    expect(new TextDecoder().decode(begin)).toBe("GWBACKUP");
  },
  "POST /api/restore": async () => {
    const file = await admin.call("POST /api/backup", { body: { passphrase } });
    const restored = await admin.call("POST /api/restore", {
      body: new Uint8Array(await file.arrayBuffer()),
      headers: { "x-gateway-passphrase": passphrase },
    });
    expect(restored.scope).toBe("workspace");
    expect(restored.workspaces).toMatchObject([{ audit: "kept" }]);
  },
  "POST /api/drain": async () => {
    const body = { seconds: 3600 };
    expect(await deployment.call("POST /api/drain", { body })).toEqual({});
    await expect(admin.call("POST /api/drain", { body })).rejects.toThrow("403");
  },
  "GET /api/drain": async () => {
    expect(await deployment.call("GET /api/drain", {})).toEqual({ requests: 0, streams: 0 });
  },
  "GET /api/config": async () => {
    const { providers } = await admin.call("GET /api/config", {});
    expect(providers?.[0]).toMatchObject({ id: "p", api_key: "***" });
  },
  "PUT /api/config": async () => {
    const config = await admin.call("GET /api/config", {});
    const body = { ...config, timezone: "Asia/Tokyo" };
    expect(await admin.call("PUT /api/config", { body })).toEqual(body);
  },
  "GET /api/history": async () => {
    const { data } = await admin.call("GET /api/history", {});
    expect(data.at(-1)).toMatchObject({ actor: { type: "system" }, changes: [] });
    expect(data.at(-2)?.changes).toContainEqual(
      expect.objectContaining({ path: "providers.p", after: expect.anything() }),
    );
  },
  "POST /api/history/{n}/restore": async () => {
    const { data } = await admin.call("GET /api/history", {});
    const params = { n: String(data[0]?.n) };
    const config = await admin.call("GET /api/config", {});
    expect(await admin.call("POST /api/history/{n}/restore", { params })).toEqual(config);
  },
  "GET /api/audit": async () => {
    const query = { action: "config.changed", limit: "1" };
    const { data } = await admin.call("GET /api/audit", { query });
    expect(data).toMatchObject([
      { action: "config.changed", actor: { type: "workspace_token", id: "" } },
    ]);
  },
  "POST /api/harnesses/{id}/keys": async () => {
    const body = { name: "laptop" };
    const made = await admin.call("POST /api/harnesses/{id}/keys", { params: harness, body });
    expect(made).toMatchObject({ name: "laptop", key: expect.stringMatching(/^gw_/) });
  },
  "GET /api/harnesses/{id}/keys": async () => {
    const { data } = await admin.call("GET /api/harnesses/{id}/keys", { params: harness });
    expect(data[0]?.last_used_at).toMatch(/^\d{4}-/);
  },
  "PATCH /api/harnesses/{id}/keys/{keyId}": async () => {
    const limits = [{ metric: "tokens", period: "day", max: 5, action: "block" }] as const;
    const made = await admin.call("POST /api/harnesses/{id}/keys", {
      params: harness,
      body: { name: "n", limits: [...limits], models: ["p/*"] },
    });
    const params = { ...harness, keyId: made.id };
    const change = async (body: object) =>
      await admin.call("PATCH /api/harnesses/{id}/keys/{keyId}", { params, body });
    expect(await change({ name: "m" })).toMatchObject({ name: "m", limits, models: ["p/*"] });
    const cleared = { limits: null, models: null, expires_at: "2030-01-01T00:00:00+01:00" };
    expect(await change(cleared)).toMatchObject({
      name: "m",
      person: null,
      limits: [],
      models: null,
      expires_at: "2029-12-31T23:00:00.000Z",
    });
  },
  "DELETE /api/harnesses/{id}/keys/{keyId}": async () => {
    const { id: keyId } = await admin.call("POST /api/harnesses/{id}/keys", { params: harness });
    const params = { ...harness, keyId };
    await admin.call("DELETE /api/harnesses/{id}/keys/{keyId}", { params });
    const { data } = await admin.call("GET /api/harnesses/{id}/keys", { params: harness });
    expect(data.map(({ id }) => id)).not.toContain(keyId);
  },
  "POST /api/providers/{id}/test": async () => {
    const params = { id: "demo" };
    expect(await deployment.call("POST /api/providers/{id}/test", { params })).toMatchObject({
      ok: true,
      status: 200,
    });
  },
  "GET /api/local": async () => {
    // In cloud mode, where no port of this machine is asked.
    const { data } = await cloud.call("GET /api/local", {});
    expect(data).toEqual([]);
  },
  "GET /api/models": async () => {
    const { data } = await admin.call("GET /api/models", {});
    expect(data.map(({ id }) => id)).toEqual(["p/m", "p/n"]);
  },
  "POST /api/route": async () => {
    const body = { model: "auto", messages: [{ role: "user", content: "hi" }] };
    const question = { harness: "h", format: "chat", body } as const;
    const decided = await admin.call("POST /api/route", { body: question });
    expect(decided).toMatchObject({
      candidates: ["p/n", "p/m"],
      cooling: { "p/m": expect.any(String) },
    });
    expect(decided.contributions?.length).toBeGreaterThan(0);
    expect(decided.conversation?.model).toBe("p/n");
    expect(decided.why).toMatch(/^Simple \(\d+%\): a short question/);
  },
  "GET /api/harnesses/{id}/tiers": async () => {
    const { data } = await admin.call("GET /api/harnesses/{id}/tiers", { params: harness });
    expect(data).toContainEqual(
      expect.objectContaining({ tier: "simple", origin: "configured", models: ["p/m", "p/n"] }),
    );
  },
  "GET /api/harnesses/{id}/learning": async () => {
    const { tiers } = await admin.call("GET /api/harnesses/{id}/learning", { params: harness });
    expect(tiers.simple.served).toBe(1);
  },
  "DELETE /api/harnesses/{id}/learning": async () => {
    await admin.call("DELETE /api/harnesses/{id}/learning", { params: harness });
    const { tiers } = await admin.call("GET /api/harnesses/{id}/learning", { params: harness });
    expect(tiers.simple.served).toBe(0);
  },
  "PUT /api/requests/{id}/feedback": async () => {
    const params = { id: requestId };
    const say = async (verdict: "right" | "too_weak") =>
      await admin.call("PUT /api/requests/{id}/feedback", { params, body: { verdict } });
    expect(await say("right")).toEqual({ verdict: "right", tier: "simple" });
    expect(await say("too_weak")).toMatchObject({ verdict: "too_weak" });
    const { feedback, why } = await admin.call("GET /api/requests/{id}", { params });
    expect(feedback).toEqual({ own: "too_weak", right: 0, too_weak: 1, too_strong: 0 });
    expect(why).toMatch(/^Simple \(\d+%\): .*m failed \(\d+\), so n answered\.$/);
    const query = { feedback: "too_weak" } as const;
    expect((await admin.call("GET /api/requests", { query })).data.map(({ id }) => id)).toEqual([
      requestId,
    ]);
    const others = await admin.call("GET /api/requests", { query: { feedback: "right" } });
    expect(others.data).toEqual([]);
    const { tiers } = await admin.call("GET /api/harnesses/{id}/learning", { params: harness });
    expect(tiers.simple).toMatchObject({ right: 0, too_weak: 1, too_strong: 0 });
  },
  "DELETE /api/requests/{id}/feedback": async () => {
    const params = { id: requestId };
    await admin.call("DELETE /api/requests/{id}/feedback", { params });
    const { feedback } = await admin.call("GET /api/requests/{id}", { params });
    expect(feedback).toBeUndefined();
    const { tiers } = await admin.call("GET /api/harnesses/{id}/learning", { params: harness });
    expect(tiers.simple.too_weak).toBe(0);
  },
  "GET /api/usage": async () => {
    const { data } = await admin.call("GET /api/usage", { query: { group: "model", by: "day" } });
    expect(data).toMatchObject([{ group: "p/n", requests: 1, errors: 0, fallbacks: 1 }]);
    for (const group of ["key", "session", "agent", "role", "tag"] as const) {
      const report = await admin.call("GET /api/usage", { query: { group, by: "hour" } });
      expect(report.total).toMatchObject({ requests: 1, fallbacks: 1, cost: data[0]?.cost });
      expect(report.complete_from).toBeNull();
    }
  },
  "GET /api/summary": async () => {
    const summary = await admin.call("GET /api/summary", {});
    expect(summary).toMatchObject({ requests: 1, saved: { against: "p/m" } });
    expect(summary.first_byte_ms?.p50).toBeGreaterThanOrEqual(0);
  },
  "GET /api/requests": async () => {
    const { data, next } = await admin.call("GET /api/requests", { query: { limit: "1" } });
    expect(next).toBeNull();
    expect(data[0]).toMatchObject({ id: requestId, model: "p/n", routing: { tier: "simple" } });
    expect(data[0]?.attempts).toEqual([
      {
        model: "p/m",
        status: 429,
        ms: expect.any(Number),
        outcome: "failed",
        error: expect.stringContaining("429"),
      },
      {
        model: "p/n",
        status: 200,
        ms: expect.any(Number),
        outcome: "ok",
        usage: expect.objectContaining({ estimated: expect.any(Boolean) }),
        cost: expect.any(Number),
      },
    ]);
  },
  "GET /api/requests/{id}": async () => {
    const row = await admin.call("GET /api/requests/{id}", { params: { id: requestId } });
    expect(row.text?.answer).toContain("GOOD");
  },
  "GET /api/limits": async () => {
    const { data } = await admin.call("GET /api/limits", {});
    expect(data).toMatchObject([{ harness: "h", metric: "requests", max: 0.5, used: 1 }]);
  },
  "GET /api/blocks": async () => {
    const { data } = await admin.call("GET /api/blocks", {});
    expect(data).toMatchObject([{ harness: "h", action: "notify", count: 1 }]);
  },
  "POST /api/admin-token": async () => {
    const { admin_token: token } = await newWorkspace();
    const before = adminClient(send, { token });
    const { admin_token: next } = await before.call("POST /api/admin-token", {});
    await expect(before.call("GET /api/config", {})).rejects.toThrow("401");
    await adminClient(send, { token: next }).call("GET /api/config", {});
    before.called.forEach((name) => admin.called.add(name));
  },
  "GET /api/me": async () => {
    expect(await admin.call("GET /api/me", {})).toMatchObject({ user: null, role: "owner" });
  },
  "GET /api/members": async () => {
    const { data } = await team.call("GET /api/members", {});
    expect(data).toContainEqual(expect.objectContaining({ id: person, role: "owner" }));
  },
  "POST /api/members": async () => {
    const body = { role: "member", email: "new@corp.test" } as const;
    const { invitation } = await team.call("POST /api/members", { body });
    expect(invitation?.url).toMatch(/^http:\/\/gateway\.test\/auth\/login\?invitation=/);
  },
  "PATCH /api/members/{id}": async () => {
    const limits = [{ metric: "cost", period: "day", max: 1, action: "block" } as const];
    const call = { params: { id: person }, body: { limits } };
    expect(await team.call("PATCH /api/members/{id}", call)).toMatchObject({ limits });
  },
  "DELETE /api/members/{id}": async () => {
    const gone = await signedInPerson();
    await team.call("DELETE /api/members/{id}", { params: { id: gone } });
    const { data } = await team.call("GET /api/members", {});
    expect(data.map(({ id }) => id)).not.toContain(gone);
  },
  "GET /api/invitations": async () => {
    const { id } = await team.call("POST /api/invitations", { body: { role: "viewer" } });
    const { data } = await team.call("GET /api/invitations", {});
    expect(data).toContainEqual(expect.objectContaining({ id, role: "viewer", email: null }));
  },
  "POST /api/invitations": async () => {
    const { expires_at: end } = await team.call("POST /api/invitations", {
      body: { role: "owner", expires_in: 3600 },
    });
    expect(Date.parse(end)).toBeGreaterThan(Date.now());
  },
  "DELETE /api/invitations/{id}": async () => {
    const { id } = await team.call("POST /api/invitations", { body: { role: "viewer" } });
    await team.call("DELETE /api/invitations/{id}", { params: { id } });
    const { data } = await team.call("GET /api/invitations", {});
    expect(data.map((invitation) => invitation.id)).not.toContain(id);
  },
  "GET /api/tokens": async () => {
    const { id } = await admin.call("POST /api/tokens", { body: { name: "t", role: "viewer" } });
    const { data } = await admin.call("GET /api/tokens", {});
    expect(data).toContainEqual(expect.objectContaining({ id, name: "t", person: null }));
  },
  "POST /api/tokens": async () => {
    const body = { name: "t", role: "viewer" } as const;
    const { token } = await admin.call("POST /api/tokens", { body });
    const { role } = await adminClient(send, { token }).call("GET /api/me", {});
    expect(role).toBe("viewer");
  },
  "DELETE /api/tokens/{id}": async () => {
    const { id } = await admin.call("POST /api/tokens", { body: { name: "t", role: "viewer" } });
    await admin.call("DELETE /api/tokens/{id}", { params: { id } });
    await expect(admin.call("DELETE /api/tokens/{id}", { params: { id } })).rejects.toThrow("404");
  },
  "GET /api/sessions": async () => {
    expect((await dashboardSession()).agent).toBe("browser");
  },
  "DELETE /api/sessions": async () => {
    await dashboardSession();
    await admin.call("DELETE /api/sessions", {});
    expect((await admin.call("GET /api/sessions", {})).data).toEqual([]);
  },
  "DELETE /api/sessions/{id}": async () => {
    const { id } = await dashboardSession();
    await admin.call("DELETE /api/sessions/{id}", { params: { id } });
    await expect(admin.call("DELETE /api/sessions/{id}", { params: { id } })).rejects.toThrow(
      "404",
    );
  },
  "POST /api/workspaces": async () => {
    expect((await newWorkspace()).admin_token).toMatch(/^gwa_/);
  },
  "GET /api/workspaces": async () => {
    const { id } = await newWorkspace();
    const { data } = await deployment.call("GET /api/workspaces", {});
    expect(data).toContainEqual(expect.objectContaining({ id, name: "Test" }));
  },
  "PATCH /api/workspaces/{id}": async () => {
    const { id } = await newWorkspace();
    const body = { monthly_requests: 7 };
    const changed = await deployment.call("PATCH /api/workspaces/{id}", { params: { id }, body });
    expect(changed).toMatchObject({ id, name: "Test", monthly_requests: 7 });
  },
  "GET /api/workspaces/{id}": async () => {
    const { id } = await newWorkspace();
    const one = await deployment.call("GET /api/workspaces/{id}", { params: { id } });
    expect(one).toMatchObject({ id, plan: null, month: { requests: 0, limit: null } });
  },
  "PUT /api/workspaces/{id}/plan": async () => {
    const { id } = await newWorkspace();
    const given = { params: { id }, body: { plan: "free" } };
    expect(await billing.call("PUT /api/workspaces/{id}/plan", given)).toEqual({
      id,
      plan: "free",
    });
  },
  "GET /api/workspaces/{id}/usage": async () => {
    const { id } = await newWorkspace();
    const given = { params: { id }, query: { month: "2026-10" } };
    const usage = await deployment.call("GET /api/workspaces/{id}/usage", given);
    expect(usage).toMatchObject({ workspace: id, requests: 0, data: [] });
  },
  "GET /api/workspaces/{id}/export": async () => {
    const { id } = await newWorkspace();
    await deployment.call("GET /api/workspaces/{id}/export", { params: { id } });
  },
  "DELETE /api/workspaces/{id}": async () => {
    const { id } = await newWorkspace();
    const given = { params: { id }, query: { confirm: id } };
    await deployment.call("DELETE /api/workspaces/{id}", given);
    const { data } = await deployment.call("GET /api/workspaces", {});
    expect(data.map((workspace) => workspace.id)).not.toContain(id);
  },
  "POST /api/webhooks": async () => {
    const { secret, ...made } = await newWebhook("https://receiver.example/hook");
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
    expect(made).toMatchObject({ url: "https://receiver.example/hook", style: "standard" });
    expect(made.events).toEqual(["key.created"]);
  },
  "GET /api/webhooks": async () => {
    const { secret, ...made } = await newWebhook("https://receiver.example/hook");
    const { data } = await admin.call("GET /api/webhooks", {});
    expect(data).toContainEqual({ ...made, waiting: 0, failed: 0, last: null });
    expect(JSON.stringify(data)).not.toContain(secret);
  },
  "DELETE /api/webhooks/{id}": async () => {
    const params = { id: (await newWebhook("https://receiver.example/hook")).id };
    await admin.call("DELETE /api/webhooks/{id}", { params });
    await expect(admin.call("DELETE /api/webhooks/{id}", { params })).rejects.toThrow("404");
  },
  "POST /api/webhooks/{id}/test": async () => {
    const lane = await receiver(204);
    const params = { id: (await newWebhook(lane.url)).id };
    const delivery = await admin.call("POST /api/webhooks/{id}/test", { params });
    expect(delivery).toMatchObject({ n: 1, state: "delivered", status: 204, error: null });
    const [received] = await lane.received();
    expect(JSON.parse(received?.text ?? "")).toMatchObject({ type: "test" });
    expect(received?.headers["webhook-id"]).toBe(delivery.event.id);
  },
  "GET /api/webhooks/{id}/deliveries": async () => {
    const params = { id: (await newWebhook((await receiver(500)).url)).id };
    const sent = await admin.call("POST /api/webhooks/{id}/test", { params });
    const { data } = await admin.call("GET /api/webhooks/{id}/deliveries", { params });
    expect(data).toEqual([sent]);
    expect(sent).toMatchObject({ attempts: 1, status: 500 });
    expect(sent.state).not.toBe("delivered");
  },
  "POST /api/webhooks/{id}/deliveries/{n}/retry": async () => {
    const params = { id: (await newWebhook((await receiver(500, 200)).url)).id, n: "1" };
    await admin.call("POST /api/webhooks/{id}/test", { params });
    const again = await admin.call("POST /api/webhooks/{id}/deliveries/{n}/retry", { params });
    expect(again).toMatchObject({ n: 1, state: "delivered", attempts: 2 });
  },
  "GET /api/events": async () => {
    const { id } = await admin.call("POST /api/harnesses/{id}/keys", { params: harness });
    const { data } = await admin.call("GET /api/events", { query: { limit: "1" } });
    expect(data).toMatchObject([{ type: "key.created", data: { key: id } }]);
  },
};

describe("every route of the admin API", () => {
  it.each(adminRoutes.map(({ name }) => name))("%s answers what it documents", async (name) => {
    await cases[name]();
    const clients = [admin, deployment, cloud, billing, team];
    expect(clients.flatMap(({ called }) => [...called])).toContain(name);
  });

  it("has a case here", () => {
    expect(Object.keys(cases).toSorted()).toEqual(adminRoutes.map(({ name }) => name).toSorted());
  });
});
