/** The models that a key may reach: by its harness's list and by its own, wherever a model can be named. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  clients,
  openLane,
  paths,
  provider,
  read,
  replyScript,
  request,
  type Answer,
  type Json,
  type Lane,
} from "../kit/asking.ts";
import { admin, asked, knock, newKey, world, type World } from "./kit.ts";

const models = ["good", "bad", "best"].map((id) => ({ id, cost: { input: 1, output: 1 } }));
const open = { id: "open", name: "O" };
const closed = {
  id: "closed",
  name: "C",
  models: ["lab/g*", "best"],
  aliases: { "nice-*": "lab/good", "sly-*": "lab/bad", "any-*": "auto" },
  routing: {
    tiers: { simple: ["lab/bad", "lab/good"], standard: ["lab/bad"], default: ["lab/bad"] },
    headers: [{ name: "rule", header: "x-job", value: "nightly", models: ["lab/bad"] }],
    fallbacks: { "lab/good": ["lab/bad"] },
  },
};

let lane: Lane;
let where: World;
let closedKey: string;
/** Of the open harness, with a wall of its own. */
let ownWall: string;

beforeAll(async () => {
  lane = openLane();
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const silent = { id: "silent", kind: "openai", api_key: "k", base_url: lane.url };
  const lab = provider({ id: "lab", format: "chat", lane, models });
  where = await world({ providers: [lab, silent], harnesses: [open, closed] });
  closedKey = await newKey(where.token, "closed");
  ownWall = await newKey(where.token, "open", { models: ["lab/best"] });
});

async function ask(model: string, more: Json = {}, headers = {}): Promise<Answer> {
  const body = request("chat", { model, ...more });
  return await asked(where, { client: "chat", key: closedKey, body, headers });
}

async function get(path: string, key = closedKey): Promise<Json> {
  const headers = { authorization: `Bearer ${key}` };
  return (await read(await knock(path, { headers }))).json;
}

const notAllowed = { type: "permission_error", code: "model_not_allowed" };

describe("a model that a client names", () => {
  it.each(["lab/good", "good", "nice-one", "lab/best"])("%s passes", async (model) => {
    expect((await ask(model)).status).toBe(200);
  });

  it.each(["lab/bad", "bad", "sly-one", "silent/gpt-guess"])("%s is refused", async (model) => {
    const { status, error } = await ask(model);
    expect([status, error]).toEqual([403, expect.objectContaining(notAllowed)]);
  });

  it("is unknown all the same where nobody serves it", async () => {
    expect((await ask("lab/none")).status).toBe(404);
  });

  it("falls back on nothing else", async () => {
    const failing = openLane();
    await failing.answer({ status: 500, body: "{}" });
    const lab = provider({ id: "lab", format: "chat", lane: failing, models });
    const alone = await world({ providers: [lab], harnesses: [closed] });
    const body = request("chat", { model: "lab/good" });
    const answer = await asked(alone, { client: "chat", body });
    expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
    expect(modelsOf(await failing.received())).toEqual(new Set(["good"]));
  });
});

function modelsOf(received: Awaited<ReturnType<Lane["received"]>>): Set<unknown> {
  return new Set(received.map(({ text }) => (JSON.parse(text) as Json)["model"]));
}

describe("auto", () => {
  it.each([
    ["by its tiers", {}],
    ["by a header rule", { "x-job": "nightly" }],
  ])("chooses only among them, %s", async (_title, headers) => {
    for (const content of ["hi", "prove that the square root of two is irrational, step by step"]) {
      const answer = await ask("any-thing", { messages: [{ role: "user", content }] }, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-gateway-model")).not.toBe("lab/bad");
    }
  });

  it("leaves a conversation's model that is not among them any more", async () => {
    const unbound = await newKey(where.token, "open");
    const session = { "x-gateway-session": crypto.randomUUID() };
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    const body = request("chat", { model: "auto", tools });
    const first = await asked(where, { client: "chat", key: unbound, body, headers: session });
    const used = first.headers.get("x-gateway-model") ?? "";
    const other = used === "lab/best" ? "lab/good" : "lab/best";
    const bound = await newKey(where.token, "open", { models: [other] });
    const next = await asked(where, { client: "chat", key: bound, body, headers: session });
    expect(next.headers.get("x-gateway-model")).toBe(other);
  });

  it("is decided so by the dry run too", async () => {
    const route = (model: string): Promise<Json> =>
      admin(where.token, "POST /api/route", {
        harness: "closed",
        format: "chat",
        body: request("chat", { model }),
      });
    expect((await route("auto"))["candidates"]).not.toContain("lab/bad");
    await expect(route("lab/bad")).rejects.toThrow("403");
    const { data } = await admin<{ data: { models: string[] }[] }>(
      where.token,
      "GET /api/harnesses/closed/tiers",
    );
    expect(data.flatMap((tier) => tier.models)).not.toContain("lab/bad");
  });
});

describe("lists and counts", () => {
  it("name what the key may use, and nothing else", async () => {
    const listed = async (key?: string): Promise<unknown[]> =>
      ((await get("/v1/models", key))["data"] as Json[]).map(({ id }) => id);
    expect(await listed()).toEqual(["auto", "lab/good", "lab/best"]);
    expect(await listed(ownWall)).toEqual(["auto", "lab/best"]);
    expect(await get("/v1/models/lab/good")).toMatchObject({ id: "lab/good" });
    expect(await get("/v1/models/lab/bad")).toMatchObject({ error: { type: expect.any(String) } });
    const catalogue = (await get("/v1/codex-models.json"))["models"] as Json[];
    const autos = ["auto", "auto:eco", "auto:quality"];
    expect(catalogue.map(({ slug }) => slug)).toEqual([...autos, "lab/good", "lab/best"]);
  });

  it("count no tokens for others", async () => {
    const body = request("messages", { model: "lab/bad" });
    const counted = await knock(`${paths.messages}/count_tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${closedKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(counted.status).toBe(403);
  });
});

describe("a body", () => {
  it.each([
    ["models", { models: ["lab/bad"] }],
    ["preset", { preset: "best" }],
    ["fallbacks", { fallbacks: [{ model: "bad" }] }],
    ["tools[0].model", { tools: [{ type: "advisor", model: "bad" }] }],
  ])("may not let another model answer by %s", async (path, more) => {
    const { status, error } = await ask("lab/good", more);
    expect(status).toBe(403);
    expect(error["message"]).toContain(`${path}: `);
  });
});

describe("a wall that is moved", () => {
  it.each(clients)("holds from the next request on: %s", async (client) => {
    const { id, key } = await admin<{ id: string; key: string }>(
      where.token,
      "POST /api/harnesses/open/keys",
      {},
    );
    const move = async (to: unknown): Promise<void> => {
      await admin(where.token, `PATCH /api/harnesses/open/keys/${id}`, { models: to });
    };
    const body = request(client, { model: "lab/good" });
    const status = async (): Promise<number> => (await asked(where, { client, key, body })).status;
    expect(await status()).toBe(200);
    await move(["lab/b*"]);
    expect(await status()).toBe(403);
    await move(["lab/good"]);
    expect(await status()).toBe(200);
    await move(null);
    expect(await status()).toBe(200);
  });
});
