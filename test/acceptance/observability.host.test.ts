/** What is told of requests at a real gateway, by the names and shapes that users and tools rely on. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, openLane, parsed, provider, replyScript } from "../kit/asking.ts";
import { addressHeader, ask, rowOf, sendRequest, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
/** A process that starts on a busy machine. */
const patience = 120_000;
const metricsToken = "the-scraper-has-this";

let host: Host;
let where: World;

beforeAll(async () => {
  host = await npmStart({
    state: path.join(space.folder, "state"),
    environment: { LOG: "aLL", METRICS_TOKEN: metricsToken, TRUSTED_IP_HEADER: addressHeader },
  });
  where = await world(host, await document());
}, patience);

afterAll(async () => {
  await host.stop();
  space.remove();
}, patience);

async function document() {
  const [good, broken] = [openLane(), openLane()];
  await good.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  await broken.answer({ status: 500, body: "{}" });
  const limit = { metric: "requests", period: "month", max: 0, action: "block" };
  return {
    providers: [
      provider({ id: "good", format: "chat", lane: good }),
      provider({ id: "broken", format: "chat", lane: broken }),
    ],
    harnesses: [
      { id: "h", name: "H", routing: { fallbacks: { "broken/m": ["good/m"] } } },
      { id: "stopped", name: "Stopped", limits: [limit] },
    ],
  };
}

/** One call of the admin API in the workspace. */
async function call(what: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = "", route = ""] = what.split(" ");
  const answer = await sendRequest(host, route, {
    method,
    headers: {
      authorization: `Bearer ${where.token}`,
      "content-type": "application/json",
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
}

/** A request that is answered; its row. */
async function logged(model: string, headers: Record<string, string> = {}, key = where.key) {
  const body = { model, messages: [{ role: "user", content: "hi" }] };
  const answer = await ask(where, { client: "chat", body, headers, key });
  await answer.text();
  return await rowOf(where, answer.headers.get("x-gateway-request-id"));
}

async function idsOf(query: string): Promise<string[]> {
  const { status, json, text } = await call(`GET /api/requests?${query}`);
  expect(status, text).toBe(200);
  return (json["data"] as Json[]).map(({ id }) => String(id));
}

/** Of a line of CSV in which every cell is quoted and none holds a quote. */
function cellsOf(line: string): string[] {
  return line.slice(1, -1).split('","');
}

async function keyOf(harness: string, name: string): Promise<Json> {
  const { status, json } = await call(`POST /api/harnesses/${harness}/keys`, { name });
  expect(status).toBe(201);
  return json;
}

describe("rows of the request log", () => {
  it("keep eight tags of a header, and ignore what is none", async () => {
    const eight = Array.from({ length: 8 }, (_, at) => `t${at}=v${at}`).join(",");
    const row = await logged("good/m", { "x-gateway-tag": `UPPER=x, =y, no,${eight},ninth=1` });
    const kept = Array.from({ length: 8 }, (_, at) => [`t${at}`, `v${at}`]);
    expect(row["tags"]).toEqual(Object.fromEntries(kept));
    const long = "a".repeat(32);
    const bounds = await logged("good/m", { "x-gateway-tag": `${long}=${long},b${long}=1` });
    expect(bounds["tags"]).toEqual({ [long]: long });
  });

  it("say whose they were and how they ended", async () => {
    const made = await keyOf("h", "the named one");
    const headers = { "x-gateway-session": "s-1", "x-gateway-tag": "team=red" };
    const key = String(made["key"]);
    expect(await logged("good/m", headers, key)).toMatchObject({
      key: "the named one",
      key_id: made["id"],
      session: "s-1",
      tags: { team: "red" },
      outcome: "ok",
    });
    expect(await logged("broken/m")).toMatchObject({ outcome: "fallback", provider: "good" });
    expect(await logged("good/none")).toMatchObject({ outcome: "failed", status: 404 });
    const stopped = String((await keyOf("stopped", "held"))["key"]);
    const blocked = { outcome: "blocked", blocked_by: "harness" };
    expect(await logged("good/m", {}, stopped)).toMatchObject(blocked);
  });

  it("are found by every filter, alone and together", async () => {
    const made = await keyOf("h", "finder");
    const since = new Date().toISOString();
    const headers = { "x-gateway-session": "s-2", "x-gateway-tag": "team=blue,env=test" };
    const row = await logged("good/m", headers, String(made["key"]));
    const id = String(row["id"]);
    const later = new Date(Date.now() + 60_000).toISOString();
    const filters = [
      "key=finder",
      `key=${String(made["id"])}`,
      "session=s-2",
      "tag=team%3Dblue",
      "tag=team%3Dblue&tag=env",
      `q=${id.slice(4, 20).toUpperCase()}`,
      `from=${since}&to=${later}&key=finder`,
      "outcome=ok,fallback&session=s-2",
      "provider=good&session=s-2",
      "min_cost=0.000000001&session=s-2",
    ];
    for (const filter of filters) expect(await idsOf(filter), filter).toEqual([id]);
    const none = [
      "outcome=failed",
      "provider=broken",
      "min_cost=1",
      `to=${since}`,
      "tag=team%3Dred",
    ];
    for (const filter of none) expect(await idsOf(`session=s-2&${filter}`), filter).toEqual([]);
    for (const wrong of ["outcome=good", "from=yesterday", "min_cost=cheap", "tag=A%3DB"])
      expect((await call(`GET /api/requests?${wrong}`)).status, wrong).toBe(400);
  });

  it("come as a file", async () => {
    const rows = [await logged("good/m", { "x-gateway-session": "s-3" })];
    rows.unshift(await logged("good/m", { "x-gateway-session": "s-3", "x-gateway-tag": "a=b" }));
    const asFile = async (accept: string) =>
      await call("GET /api/requests?session=s-3", undefined, { accept });
    const csv = await asFile("text/csv");
    expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
    const [head = [], ...lines] = csv.text.trimEnd().split("\r\n").map(cellsOf);
    for (const name of ["id", "outcome", "key", "key_id", "session", "role", "tags", "blocked_by"])
      expect(head).toContain(name);
    expect(lines.map(([id]) => id)).toEqual(rows.map(({ id }) => id));
    const ndjson = await asFile("application/x-ndjson");
    expect(ndjson.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    expect(ndjson.text.trimEnd().split("\n").map(parsed)).toEqual(rows);
  });
});

describe("the line of a request", () => {
  it("stands on the standard output, whatever letters LOG is spelt with", async () => {
    const row = await logged("good/m", { "x-gateway-session": "s-4" });
    const lineOf = () =>
      host
        .output()
        .split("\n")
        .find((line) => line.startsWith("{") && line.includes(String(row["id"])));
    while (lineOf() === undefined) await sleep(20);
    expect(parsed(lineOf() ?? "")).toMatchObject({ status: 200, outcome: "ok", session: "s-4" });
  });

  it.each(["on", "error", "alll"])("is no start with LOG=%s", async (LOG) => {
    const state = path.join(space.folder, `refused-${LOG}`);
    await expect(npmStart({ state, environment: { LOG } })).rejects.toThrow(
      `LOG can't be "${LOG}"`,
    );
  });
});

describe("GET /metrics and GET /readyz", () => {
  const metrics = (token?: string) =>
    sendRequest(host, "/metrics", {
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });

  it("answers the scraper and the administrator, and nobody else", async () => {
    await logged("good/m");
    for (const token of [metricsToken, host.adminToken]) {
      const answer = await metrics(token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(await answer.text()).toMatch(/^gateway_requests_total\{.*provider="good"/m);
    }
    for (const token of [undefined, where.key, where.token, "wrong"])
      expect((await metrics(token)).status, token).toBe(401);
  });

  it("is ready, without a credential", async () => {
    const answer = await sendRequest(host, "/readyz");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      status: "ok",
      checks: { settings: "ok", kv: "ok", objects: "ok" },
    });
  });

  it("has no metrics in cloud mode, where it is ready all the same", async () => {
    const environment = { MODE: "cloud", METRICS_TOKEN: metricsToken };
    const cloud = await npmStart({ state: path.join(space.folder, "cloud"), environment });
    try {
      for (const token of [metricsToken, cloud.adminToken]) {
        const headers = { authorization: `Bearer ${token}` };
        expect((await sendRequest(cloud, "/metrics", { headers })).status).toBe(404);
      }
      expect((await sendRequest(cloud, "/readyz")).status).toBe(200);
    } finally {
      await cloud.stop();
    }
  });
});

describe("webhooks", () => {
  /** Every event that there is, by the names that users write. */
  const events = (
    "limit.near limit.reached quota.near quota.reached provider.down provider.up key.created " +
    "key.revoked key.expiring spend.unusual storage.failing"
  ).split(" ");

  async function receiver(...statuses: number[]) {
    const lane = openLane();
    await lane.answer(...statuses.map((status) => ({ status, body: "" })));
    return lane;
  }

  async function added(body: Json) {
    const { status, json, text } = await call("POST /api/webhooks", body);
    expect(status, text).toBe(201);
    return { id: String(json["id"]), secret: String(json["secret"]), json };
  }

  it("are added with a secret that is shown once, listed, and deleted", async () => {
    const url = (await receiver(204)).url;
    const { id, secret, json } = await added({ url, events });
    expect(secret).toMatch(/^whsec_/);
    expect(json).toEqual({
      id,
      secret,
      url,
      events,
      style: "standard",
      created_at: json["created_at"],
    });
    const listed = await call("GET /api/webhooks");
    expect(listed.status).toBe(200);
    expect(listed.json["data"]).toContainEqual(expect.objectContaining({ id, url, events }));
    expect(listed.text).not.toContain("whsec_");
    expect((await call(`DELETE /api/webhooks/${id}`)).status).toBe(204);
    for (const gone of [`DELETE /api/webhooks/${id}`, `POST /api/webhooks/${id}/test`])
      expect((await call(gone)).status, gone).toBe(404);
    expect((await call(`GET /api/webhooks/${id}/deliveries`)).status).toBe(404);
  });

  it.each([
    { url: "no address", events: ["limit.near"] },
    { url: "https://receiver.example", events: [] },
    { url: "https://receiver.example", events: ["limit.far"] },
    { url: "https://receiver.example", events: ["limit.near"], style: "teams" },
    { url: "https://receiver.example", events: ["limit.near"], other: 1 },
    { events: ["limit.near"] },
  ])("refuse %j", async (body) => {
    const { status, json } = await call("POST /api/webhooks", body);
    expect(status).toBe(400);
    expect(json["error"]).toMatchObject({ type: "invalid_request_error" });
  });

  it("are tried by hand, and what failed is sent again by hand", async () => {
    const lane = await receiver(500, 200);
    const { id } = await added({ url: lane.url, events: ["key.expiring"] });
    const tested = await call(`POST /api/webhooks/${id}/test`);
    expect(tested.status).toBe(200);
    expect(tested.json).toMatchObject({ n: 1, attempts: 1, status: 500, event: { type: "test" } });
    const again = await call(`POST /api/webhooks/${id}/deliveries/1/retry`);
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({ n: 1, state: "delivered", attempts: 2, status: 200 });
    const listed = await call(`GET /api/webhooks/${id}/deliveries`);
    expect(listed.json["data"]).toEqual([again.json]);
    expect((await call(`POST /api/webhooks/${id}/deliveries/2/retry`)).status).toBe(404);
    const ids = (await lane.received()).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids)).toEqual(new Set([(again.json["event"] as Json)["id"]]));
  });

  it("are told of a new key by a signed body", async () => {
    const lane = await receiver(204);
    const { secret } = await added({ url: lane.url, events: ["key.created"] });
    const made = await keyOf("h", "told of");
    while ((await lane.received()).length === 0) await sleep(20);
    const [{ text, headers } = { text: "", headers: {} }] = await lane.received();
    const body = new Verifier(secret).verify(text, headers) as Json;
    expect(Object.keys(body)).toEqual(["type", "timestamp", "data"]);
    expect(body).toMatchObject({
      type: "key.created",
      data: { workspace: expect.any(String), key: made["id"], name: "told of", harness: "h" },
    });
    expect(Object.keys(body["data"] as Json)[0]).toBe("workspace");
    expect(text).not.toContain(String(made["key"]));
  });

  it("speak to Slack and Discord in their shapes", async () => {
    const members = { slack: ["text", "blocks"], discord: ["content", "embeds"] };
    for (const [style, names] of Object.entries(members)) {
      const lane = await receiver(200);
      const { id } = await added({ url: lane.url, events: ["key.expiring"], style });
      await call(`POST /api/webhooks/${id}/test`);
      const [received] = await lane.received();
      for (const name of names) expect(parsed(received?.text ?? "")).toHaveProperty(name);
    }
  });
});
