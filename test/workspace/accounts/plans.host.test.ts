/** Plans as a deployment sets them and a billing system changes them: in force with the next admission. */
import { createHmac } from "node:crypto";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openLane, provider, replyScript } from "../../kit/asking.ts";
import { admin, type Host, npmStart, scratch } from "../../smoke/host.ts";
import { ask, asked, world, type World } from "../../smoke/gateway.ts";

const secret = "a-secret-of-the-billing-system";
const plans = {
  free: { monthly_requests: 2, retention_days: 7, members: 1, throttle: { ttl: 60_000, limit: 3 } },
  pro: { monthly_requests: 100, retention_days: null, members: null, throttle: null },
};
const { folder, remove } = scratch();
const hosts: Host[] = [];

async function cloud(variant: string, given: unknown = plans, state = variant): Promise<Host> {
  const host = await npmStart({
    state: path.join(folder, state),
    adminToken: "the-token-of-the-deployment",
    environment: {
      VARIANT: variant,
      MODE: "cloud",
      ALLOW_PRIVATE_UPSTREAMS: "true",
      PLANS: JSON.stringify(given),
      BILLING_SECRET: secret,
    },
  });
  hosts.push(host);
  return host;
}

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  remove();
});

interface Listed {
  id: string;
  plan: string | null;
}

async function newest(host: Host): Promise<Listed> {
  const { data } = await admin<{ data: Listed[] }>(host, "GET /api/workspaces");
  const last = data.at(-1);
  if (last === undefined) throw new Error("there is no workspace");
  return last;
}

async function scene(host: Host): Promise<{ where: World; id: string }> {
  const lane = openLane();
  const answer = replyScript("chat", { text: "GOOD" }, { stream: false });
  await lane.answer(...Array.from({ length: 50 }, () => answer));
  const entry = provider({ id: "p", format: "chat", lane, models: [{ id: "m" }] });
  const where = await world(host, { providers: [entry] });
  return { where, id: (await newest(host)).id };
}

function body(stream = false) {
  return { model: "p/m", stream, messages: [{ role: "user", content: "hi" }] };
}

async function statuses(where: World, calls: number): Promise<number[]> {
  const found: number[] = [];
  for (let sent = 0; sent < calls; sent += 1)
    found.push((await ask(where, { client: "chat", body: body() })).status);
  return found;
}

interface Delivery {
  plan: string;
  key: string;
  /** Seconds from now. */
  age?: number;
  secret?: string;
  /** In the body. */
  workspace?: string;
}

async function deliver(host: Host, id: string, given: Delivery) {
  const { plan, workspace } = given;
  const text = JSON.stringify({ plan, workspace });
  const time = Math.floor(Date.now() / 1000) - (given.age ?? 0);
  const mac = createHmac("sha256", given.secret ?? secret)
    .update(`${time}.${text}`)
    .digest("hex");
  const answer = await fetch(`${host.base}/api/workspaces/${id}/plan`, {
    method: "PUT",
    headers: { "x-gateway-signature": `t=${time},v1=${mac}`, "idempotency-key": given.key },
    body: text,
  });
  return { status: answer.status, json: await answer.json() };
}

describe("in variant A", () => {
  it("a new workspace has the first plan, and signed changes hold at once, each once and in order", async () => {
    const host = await cloud("A");
    const { where, id } = await scene(host);
    expect((await newest(host)).plan).toBe("free");
    expect(await statuses(where, 3)).toEqual([200, 200, 402]);
    const spoken = await asked(where, { client: "chat", body: body(true) });
    expect([spoken.status, spoken.text.includes("[gateway M204]")]).toEqual([200, true]);

    expect(
      (await deliver(host, id, { plan: "pro", key: "1", secret: "not the secret" })).status,
    ).toBe(401);
    expect((await deliver(host, id, { plan: "pro", key: "1", age: 400 })).status).toBe(401);
    expect((await deliver(host, id, { plan: "none", key: "1" })).status).toBe(400);
    const another = await deliver(host, id, { plan: "pro", key: "1", workspace: "default" });
    const message: unknown = expect.stringContaining("workspace");
    expect(another).toMatchObject({ status: 400, json: { error: { message } } });
    expect(await statuses(where, 1)).toEqual([402]);

    const first = await deliver(host, id, { plan: "pro", key: "1" });
    expect(first).toEqual({ status: 200, json: { id, plan: "pro" } });
    expect(await statuses(where, 1)).toEqual([200]);
    const stale = await deliver(host, id, { plan: "free", key: "0", age: 60 });
    expect(stale).toMatchObject({ status: 409, json: { error: { code: "outdated" } } });
    expect(await deliver(host, id, { plan: "free", key: "0" })).toEqual(stale);
    expect((await newest(host)).plan).toBe("pro");

    const named = { plan: "free", key: "2", workspace: id };
    expect((await deliver(host, id, named)).status).toBe(200);
    expect(await statuses(where, 1)).toEqual([402]);
    expect(await deliver(host, id, { plan: "pro", key: "1" })).toEqual(first);
    expect((await deliver(host, id, { plan: "free", key: "1" })).status).toBe(409);
    expect((await newest(host)).plan).toBe("free");
    expect(await statuses(where, 1)).toEqual([402]);
  });

  it("who runs the deployment changes the plan, also where the billing system's clock is ahead", async () => {
    const host = hosts[0];
    if (host === undefined) throw new Error("the host is not there");
    const { id } = await scene(host);
    expect((await deliver(host, id, { plan: "pro", key: "1", age: -200 })).status).toBe(200);
    await admin(host, `PUT /api/workspaces/${id}/plan`, { plan: "free" });
    expect((await newest(host)).plan).toBe("free");
    expect((await deliver(host, id, { plan: "pro", key: "2", age: -100 })).status).toBe(409);
    expect((await deliver(host, id, { plan: "pro", key: "3", age: -200 })).status).toBe(200);
  });

  it("the workspace's own quota goes before the plan's, and changed settings hold after a restart", async () => {
    const host = hosts[0];
    if (host === undefined) throw new Error("the host is not there");
    const { where, id } = await scene(host);
    await admin(host, `PATCH /api/workspaces/${id}`, { monthly_requests: 1 });
    expect(await statuses(where, 2)).toEqual([200, 402]);
    await admin(host, `PATCH /api/workspaces/${id}`, { monthly_requests: null });
    expect(await statuses(where, 2)).toEqual([200, 402]);

    const month = new Date().toISOString().slice(0, 7);
    const usage = await fetch(`${host.base}/api/workspaces/${id}/usage?month=${month}`, {
      headers: { authorization: `Bearer ${host.adminToken}` },
    });
    const text = await usage.text();
    const [, time, mac] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(usage.headers.get("x-gateway-signature") ?? "") ?? [];
    expect(createHmac("sha256", secret).update(`${time}.${text}`).digest("hex")).toBe(mac);
    expect(JSON.parse(text)).toMatchObject({ requests: 2, data: [{ model: "p/m", requests: 2 }] });

    expect(await host.stop()).toBe(0);
    const next = await cloud("A", { free: { ...plans.free, monthly_requests: 3 } });
    const after = { ...where, host: { ...where.host, base: next.base } };
    expect(await statuses(after, 2)).toEqual([200, 402]);
  });
});

it("in variant B the throttle and the quota are the plan's, refused as 429", async () => {
  const host = await cloud("B", {
    free: { ...plans.free, monthly_requests: null },
    small: { monthly_requests: 0 },
  });
  const { where, id } = await scene(host);
  expect(await statuses(where, 4)).toEqual([200, 200, 200, 429]);
  await admin(host, `PUT /api/workspaces/${id}/plan`, { plan: "small" });
  const refused = await asked(where, { client: "chat", body: body() });
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.text)).toMatchObject({
    error: { type: "limit_exceeded", code: 429, limit: 0 },
  });
});

it("a wrong setting ends the start and names the member", async () => {
  await expect(cloud("A", { free: { monthly_request: 3 } }, "wrong")).rejects.toThrow(
    "free.monthly_request",
  );
});
