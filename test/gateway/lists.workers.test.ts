import { beforeAll, describe, expect, it } from "vitest";
import {
  openLane,
  provider,
  read,
  request,
  variants,
  type Answer,
  type Json,
  type Script,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import { expectBaseHeaders, expectEnvelope, expectUnrouted } from "../kit/expectations.ts";
import { admin, knock, world, type World } from "./kit.ts";

const models = [
  {
    id: "full",
    context_window: 1000,
    capabilities: {
      input_modalities: ["text", "image"],
      output_modalities: ["text"],
      features: ["stream", "tools"],
    },
    cost: { input: 0.2, output: 0, cache_read: 0.1 },
  },
  { id: "half", cost: { output: 3 }, capabilities: { features: ["stream"] } },
  { id: "none-known" },
];

const worlds = new Map<Variant, World>();

beforeAll(async () => {
  const lab = provider({ id: "lab", format: "chat", lane: openLane(), models });
  const sub = provider({
    id: "sub",
    format: "chat",
    lane: openLane(),
    auth: "subscription",
    models: [{ id: "m" }],
  });
  for (const variant of variants)
    worlds.set(variant, await world({ providers: [lab, sub] }, variant));
});

function worldOf(variant: Variant): World {
  const where = worlds.get(variant);
  if (where === undefined) throw new Error("not set up");
  return where;
}

async function get(
  path: string,
  variant: Variant = "A",
  headers: Record<string, string> = {},
): Promise<Answer> {
  const authorization = `Bearer ${worldOf(variant).key}`;
  return await read(await knock(path, { headers: { authorization, ...headers } }, variant));
}

const entries = ({ json }: Answer): Json[] => json["data"] as Json[];

describe("the model list", () => {
  it.each(variants)("%s: auto first, then every model in the plain shape", async (variant) => {
    const answer = await get("/v1/models", variant);
    expect(answer.json).toEqual({
      object: "list",
      data: [
        { id: "auto", object: "model", created: 0, owned_by: "gateway" },
        { id: "lab/full", object: "model", created: 0, owned_by: "lab" },
        { id: "lab/half", object: "model", created: 0, owned_by: "lab" },
        { id: "lab/none-known", object: "model", created: 0, owned_by: "lab" },
        { id: "sub/m-subscription", object: "model", created: 0, owned_by: "sub" },
      ],
    });
    expectBaseHeaders(answer, "chat");
    expectUnrouted(answer, variant, /\S/);
  });

  it("capabilities and cost only where asked for and known, never on auto; 0 stays 0", async () => {
    const both = entries(await get("/v1/models?capabilities=true&cost=true"));
    expect(both[0]).toEqual({ id: "auto", object: "model", created: 0, owned_by: "gateway" });
    expect(both[1]).toMatchObject({
      capabilities: models[0]?.capabilities,
      cost: { input: 0.2, output: 0 },
    });
    expect(both[2]).toMatchObject({ capabilities: { features: ["stream"] }, cost: { output: 3 } });
    expect(both[2]?.["cost"]).not.toHaveProperty("input");
    expect(both[3]).not.toHaveProperty("capabilities");
    expect(both[3]).not.toHaveProperty("cost");
    expect(both[4]).toMatchObject({ cost: { input: 0, output: 0 } });
    const [, cost] = entries(await get("/v1/models?cost=true"));
    expect(cost).toHaveProperty("cost");
    expect(cost).not.toHaveProperty("capabilities");
    const [, neither] = entries(await get("/v1/models?capabilities=1&cost=yes"));
    expect(Object.keys(neither ?? {})).toEqual(["id", "object", "created", "owned_by"]);
  });

  it("with anthropic-version both worlds can read it, and Claude Code finds auto", async () => {
    const { json } = await get("/v1/models?limit=1000", "A", { "anthropic-version": "2023-06-01" });
    const data = json["data"] as Json[];
    expect(json).toMatchObject({
      object: "list",
      has_more: false,
      first_id: "auto",
      last_id: data.at(-1)?.["id"],
    });
    for (const entry of data)
      expect(entry).toMatchObject({
        type: "model",
        object: "model",
        display_name: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    expect(data.at(-1)).toMatchObject({ id: expect.stringMatching(/claude/) });
  });

  it.each(["lab/full", "lab%2Ffull", "auto"])("/v1/models/%s is one entry", async (id) => {
    const answer = await get(`/v1/models/${id}`);
    expect(answer.json).toMatchObject({ id: decodeURIComponent(id), object: "model" });
  });

  it.each(variants)("%s: another id is not found", async (variant) => {
    expectEnvelope(await get("/v1/models/lab/other", variant), {
      code: "M302",
      client: "chat",
      variant,
    });
  });

  it.each(variants)("%s: without a key it is refused", async (variant) => {
    const answer = await read(await knock("/v1/models", {}, variant));
    expectEnvelope(answer, { code: "M001", client: "chat", variant });
  });
});

describe("counting tokens", () => {
  const count = async (where: World, body: Json): Promise<Answer> =>
    read(
      await knock(
        "/v1/messages/count_tokens?beta=true",
        {
          method: "POST",
          headers: {
            authorization: `Bearer ${where.key}`,
            "content-type": "application/json",
            "anthropic-beta": "token-counting-2024-11-01",
          },
          body: JSON.stringify(body),
        },
        where.variant,
      ),
    );
  const { max_tokens: _, ...body } = request("messages", { model: "p/m" });
  const json = { "content-type": "application/json" };
  const faults: { title: string; format: WireFormat; script: Script }[] = [
    { title: "does not count", format: "messages", script: { status: 404 } },
    { title: "breaks off", format: "messages", script: { headers: json, end: "reset" } },
    {
      title: "answers nonsense",
      format: "messages",
      script: { headers: json, body: '{"input_tokens":"x"}' },
    },
    { title: "answers no JSON", format: "messages", script: { headers: json, body: "{" } },
    { title: "resets", format: "messages", script: { mute: true, end: "reset" } },
    { title: "speaks chat", format: "chat", script: { status: 500 } },
    { title: "speaks Gemini and fails", format: "gemini", script: { status: 503 } },
  ];

  it.each(faults)("is estimated where the provider $title", async ({ format, script }) => {
    const lane = openLane();
    await lane.answer(script);
    const where = await world({ providers: [provider({ id: "p", format, lane })] });
    const answer = await count(where, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual({ input_tokens: expect.any(Number) });
    expect(answer.json["input_tokens"]).toBeGreaterThan(0);
    expectBaseHeaders(answer, "messages");
  });

  it.each(variants)("%s: the provider's own count where it has one", async (variant) => {
    const lane = openLane();
    await lane.answer({ headers: json, body: '{"input_tokens":4711}' });
    const where = await world(
      { providers: [provider({ id: "p", format: "messages", lane })] },
      variant,
    );
    const answer = await count(where, body);
    expect(answer.json).toEqual({ input_tokens: 4711 });
    expectUnrouted(answer, variant, /\S/);
    const [got] = await lane.received();
    expect(got?.path).toBe("/v1/messages/count_tokens?beta=true");
    expect(got?.headers["anthropic-beta"]).toBe("token-counting-2024-11-01");
    expect(JSON.parse(got?.text ?? "")).toEqual({ ...body, model: "m" });
  });

  it("a body that is none counts nowhere in the workspace", async () => {
    const where = await world({ providers: [] });
    const remaining = async (): Promise<unknown> =>
      (await admin<Json>(where.token, "GET /api/status"))["requests_per_minute"];
    const before = await remaining();
    expect((await count(where, { model: 1 })).status).toBe(400);
    expect(await remaining()).toEqual(before);
  });

  it("of a model that nobody serves is M302", async () => {
    const answer = await count(worldOf("A"), { ...body, model: "lab/other" });
    expectEnvelope(answer, { code: "M302", client: "messages", variant: "A" });
  });
});
