/** What clients and administrators are told of limits, and what models without a price cost. */
import { describe, expect, it } from "vitest";
import {
  asks,
  clients,
  openLane,
  provider,
  replyScript,
  request,
  type Json,
  type Lane,
  type Variant,
} from "../kit/asking.ts";
import { admin, asked, newKey, rowOf, world, type World } from "./kit.ts";

const spent = [{ metric: "requests", period: "month", max: 0, action: "block" }];
const nodes = ["workspace", "harness", "key"] as const;

async function lab(lane: Lane = openLane(), more: Json = {}): Promise<Json> {
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  return provider({ id: "lab", format: "chat", lane, ...more });
}

/** A world in which that node's budget is used up. */
async function spentAt(
  node: (typeof nodes)[number],
  variant: Variant = "A",
  harness: Json = {},
): Promise<World> {
  const limitOf = (name: string): Json => (name === node ? { limits: spent } : {});
  const harnesses = [{ id: "h", name: "H", ...harness, ...limitOf("harness") }];
  const config = { providers: [await lab()], harnesses, ...limitOf("workspace") };
  const where = await world(config, variant);
  return { ...where, key: await newKey(where.token, "h", limitOf("key")) };
}

describe("a refusal says whose limit it is, and when it resets", () => {
  it.each(nodes)("in words and in the log's row: %s", async (node) => {
    const where = await spentAt(node);
    const answer = await asked(where, {
      client: "chat",
      body: request("chat", { model: "lab/m" }),
    });
    expect(answer.text).toMatch(
      new RegExp(`of this ${node} .*resets at \\d{4}-\\d\\d-01T00:00:00Z`),
    );
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ blocked_by: node });
  });

  it.each(nodes)("as a member of B's error: %s", async (node) => {
    const where = await spentAt(node, "B");
    const answer = await asked(where, {
      client: "chat",
      body: request("chat", { model: "lab/m" }),
    });
    expect([answer.status, answer.error["node"]]).toEqual([429, node]);
    const word = node === "harness" ? "agent" : node;
    expect(answer.error["message"]).toContain(`of this ${word} is reached`);
  });

  it.each(nodes)("in the lists of limits and blocks: %s", async (node) => {
    const where = await spentAt(node);
    await asked(where, { client: "chat", body: request("chat", { model: "lab/m" }) });
    const { data: keys } = await admin<{ data: Json[] }>(where.token, "GET /api/harnesses/h/keys");
    const id = {
      workspace: "",
      harness: "h",
      key: keys.find(
        (key) => key["limits"] !== undefined && (key["limits"] as Json[]).length > 0,
      )?.["id"],
    }[node];
    const owner = { node, id, harness: node === "harness" ? "h" : "" };
    for (const call of ["GET /api/limits", "GET /api/blocks"]) {
      const { data } = await admin<{ data: Json[] }>(where.token, call);
      expect(data).toEqual([expect.objectContaining(owner)]);
    }
  });
});

describe("a harness that wants errors with their status", () => {
  const harness = { errors: "status" };

  it.each(asks)(
    "gets a used-up budget as 429: $client, stream $stream",
    async ({ client, stream }) => {
      const where = await spentAt("key", "A", harness);
      const body = request(client, { model: "lab/m", stream });
      const answer = await asked(where, { client, body, headers: { accept: "text/event-stream" } });
      expect(answer.status).toBe(429);
      const type = client === "messages" ? "billing_error" : "insufficient_quota";
      expect(answer.error).toMatchObject({ type, code: "limit_exceeded", node: "key" });
      expect(answer.headers.get("x-should-retry")).toBe("false");
      // Claude Code is told when the limit resets; a wait of more than a minute makes it give up at once.
      const wait = answer.headers.get("retry-after");
      if (client === "messages") expect(Number(wait)).toBeGreaterThan(0);
      else expect(wait).toBeNull();
    },
  );

  it.each(clients)("gets an unknown model as 404: %s", async (client) => {
    const where = await world({
      providers: [await lab()],
      harnesses: [{ id: "h", name: "H", ...harness }],
    });
    const body = request(client, { model: "lab/none", stream: true });
    expect((await asked(where, { client, body })).status).toBe(404);
  });
});

describe("what leaves the cost open is refused under every limit of cost or tokens", () => {
  const held = [{ metric: "tokens", period: "day", max: 1e6, action: "block" }];
  const body = request("chat", { model: "lab/m", n: 1.5 });

  it("of the workspace", async () => {
    const harnesses = [{ id: "h", name: "H" }];
    const where = await world({ providers: [await lab()], harnesses, limits: held });
    expect((await asked(where, { client: "chat", body })).status).toBe(400);
  });

  it("of the key, from the next request on", async () => {
    const where = await world({ providers: [await lab()] });
    const of = "/api/harnesses/h/keys";
    const { id, key } = await admin<{ id: string; key: string }>(where.token, `POST ${of}`, {});
    const status = async (): Promise<number> =>
      (await asked(where, { client: "chat", key, body })).status;
    expect(await status()).toBe(200);
    await admin(where.token, `PATCH ${of}/${id}`, { limits: held });
    expect(await status()).toBe(400);
  });
});

describe("a model without a price", () => {
  const models = [{ id: "m" }];
  const limits = [{ metric: "cost", period: "day", max: 1, action: "block" }];
  const strict = [{ ...limits[0], strict: true }];
  const body = request("chat", { model: "lab/m" });

  async function rowWith(entry: Json, harness: Json): Promise<{ text: string; row: Json }> {
    const harnesses = [{ id: "h", name: "H", ...harness }];
    const where = await world({ providers: [entry], harnesses });
    const answer = await asked(where, { client: "chat", body });
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    return { text: answer.text, row };
  }

  it("costs nothing, says so, and passes a limit of cost", async () => {
    const { text, row } = await rowWith(await lab(openLane(), { models }), { limits });
    expect(text).toContain("GOOD");
    expect(row).toMatchObject({ cost: 0, unpriced: true });
  });

  it("does not pass a strict one", async () => {
    const { text, row } = await rowWith(await lab(openLane(), { models }), { limits: strict });
    expect(text).toContain("The price of lab/m is unknown");
    expect(row).toMatchObject({ outcome: "blocked", attempts: [], cost: null });
  });

  it("is free where its endpoint wants no credential, under strict limits too", async () => {
    const { api_key: _, ...keyless } = await lab(openLane(), { models });
    const { text, row } = await rowWith(keyless, { limits: strict });
    expect(text).toContain("GOOD");
    expect(row).toMatchObject({ cost: 0 });
    expect(row).not.toHaveProperty("unpriced");
  });

  it("is free on a server of one's own", async () => {
    const lane = openLane();
    const entry = await lab(lane, { models });
    const local = { id: "lab", kind: "vllm", base_url: entry["base_url"], models };
    const { text, row } = await rowWith(local, { limits: strict });
    expect(text).toContain("GOOD");
    expect(row).toMatchObject({ cost: 0 });
    expect(row).not.toHaveProperty("unpriced");
  });

  it("is not free where the credential travels in a header of the entry's own", async () => {
    const { api_key: _, ...entry } = await lab(openLane(), { models });
    const { row } = await rowWith({ ...entry, headers: { "x-api-key": "secret" } }, { limits });
    expect(row).toMatchObject({ cost: 0, unpriced: true });
  });
});
