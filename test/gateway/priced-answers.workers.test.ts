/** What providers charge beside text is booked to the cent, and refused beforehand where a strict limit knows no price. */
import { describe, expect, it } from "vitest";
import { openLane, parsed, provider, request, type Json, type Lane } from "../kit/asking.ts";
import { stream, whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { billedAnswers, type BilledAnswer } from "./bills.ts";
import { admin, asked, knock, newKey, rowOf, world, type World } from "./kit.ts";

const strict = { metric: "cost", period: "day", max: 100, action: "block", strict: true };

function entryOf({ kind, version, model }: BilledAnswer, lane: Lane): Json {
  const base_url = lane.url + version;
  return { id: "p", kind, base_url, api_key: "sk-none-12345", models: [{ id: model }] };
}

async function worldOf(
  bill: BilledAnswer,
  limits: readonly Json[] = [],
): Promise<{ where: World; lane: Lane }> {
  const lane = openLane();
  const events = bill.events?.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  await lane.answer(
    events === undefined ? whole(bill.answer) : stream([...events, "data: [DONE]\n\n"]),
  );
  const harnesses = [{ id: "h", name: "H", limits }];
  return { where: await world({ providers: [entryOf(bill, lane)], harnesses }), lane };
}

async function send({ key }: World, { path, model, body }: BilledAnswer): Promise<Response> {
  const isNamed = path.startsWith("/v1beta");
  return await knock(path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...(!isNamed && { model: `p/${model}` }), ...body }),
  });
}

async function rowAfter(where: World, response: Response): Promise<Json> {
  await response.text();
  return await rowOf(where, response.headers.get("x-gateway-request-id"));
}

/** What the day's sums and the limit say. */
async function booked({ token }: World): Promise<{ sum: number; used: unknown }> {
  const { data } = await admin<{ data: { cost: number }[] }>(token, "GET /api/usage?by=day");
  const limits = await admin<{ data: { used: number }[] }>(token, "GET /api/limits");
  return { sum: data.reduce((sum, { cost }) => sum + cost, 0), used: limits.data[0]?.used };
}

const notified = { metric: "cost", period: "day", max: 1000, action: "notify" };

describe("an answer", () => {
  it.each(billedAnswers)("with $title costs what its provider charges", async (bill) => {
    const { where } = await worldOf(bill, [notified]);
    const response = await send(where, bill);
    expect(response.status).toBe(200);
    const row = await rowAfter(where, response);
    expect(row["cost"]).toBeCloseTo(bill.dollars, 9);
    expect(row).not.toHaveProperty("unpriced");
    const { sum, used } = await booked(where);
    expect(sum).toBeCloseTo(bill.dollars, 9);
    expect(used).toBeCloseTo(bill.dollars, 9);
  });

  it("of a provider in another format has that provider's fees, and those tools alone that reach it", async () => {
    const lane = openLane();
    const parts = [{ text: "GOOD" }];
    const candidate = {
      content: { role: "model", parts },
      finishReason: "STOP",
      index: 0,
      groundingMetadata: { webSearchQueries: ["tides"] },
    };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    await lane.answer(whole({ candidates: [candidate], usageMetadata }));
    const base_url = `${lane.url}/v1beta`;
    const models = [{ id: "gemini-3-flash-preview" }];
    const entry = { id: "p", kind: "gemini", base_url, api_key: "AIza-none-12345", models };
    const harnesses = [{ id: "h", name: "H", limits: [strict] }];
    const where = await world({ providers: [entry], harnesses });
    const tools = [{ type: "web_search_preview" }];
    const body = request("responses", { model: "p/gemini-3-flash-preview", tools });
    const { headers } = await asked(where, { client: "responses", body });
    const row = await rowOf(where, headers.get("x-gateway-request-id"));
    expect(row["cost"]).toBeCloseTo((10 * 0.5 + 10 * 3) / 1e6 + 0.014, 9);
  });

  it("over a subscription costs nothing, whatever it states", async () => {
    const lane = openLane();
    const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18, cost: 3 };
    await lane.answer(whole({ ...endpoints.chat.whole({ text: "GOOD" }, "m"), usage }));
    const entry = { id: "p", kind: "xai", auth: "subscription", base_url: `${lane.url}/v1` };
    const models = [{ id: "grok-4-0709" }];
    const where = await world({ providers: [{ ...entry, api_key: "xai-none-12345", models }] });
    const body = request("chat", { model: "p/grok-4-0709-subscription" });
    const { headers } = await asked(where, { client: "chat", body });
    const row = await rowOf(where, headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ cost: 0 });
    expect(row).not.toHaveProperty("unpriced");
  });

  it("of a provider whose tools have no known fee says so", async () => {
    const lane = openLane();
    const item = { id: "ws", type: "web_search_call", status: "completed", action: {} };
    const answer = parsed(JSON.stringify(endpoints.responses.whole({ text: "GOOD" }, "m")));
    const output = [item, ...(answer["output"] as Json[])];
    await lane.answer(whole({ ...answer, output }));
    const where = await world({ providers: [provider({ id: "lab", format: "responses", lane })] });
    const body = request("responses", { model: "lab/m", tools: [{ type: "web_search" }] });
    const { headers } = await asked(where, { client: "responses", body });
    expect(await rowOf(where, headers.get("x-gateway-request-id"))).toMatchObject({
      unpriced: true,
    });
  });
});

describe("a limit", () => {
  const bill = billedAnswers.find(({ title }) => title.startsWith("eight images"));
  if (bill === undefined) throw new Error("no such bill");

  it("is held by images that are asked for at once, whose cost is set aside", async () => {
    const image = { type: "image_generation", model: "gpt-image-1", quality: "high" };
    const asks = { ...bill, body: { ...bill.body, max_output_tokens: 100, tools: [image] } };
    const { where, lane } = await worldOf(asks, [{ ...notified, action: "block", max: 0.05 }]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(where, asks)));
    for (const answer of answers) expect(await answer.text()).toContain("M200");
    expect((await lane.received()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("that is strict lets pass what has a known price", async () => {
    const { where } = await worldOf(bill, [strict]);
    const row = await rowAfter(where, await send(where, bill));
    expect(row["cost"]).toBeCloseTo(bill.dollars, 9);
  });
});

interface Unknown {
  readonly what: string;
  readonly client: "chat" | "responses" | "messages";
  readonly kind: string;
  readonly model: string;
  readonly body: Json;
  /** Named in the refusal. */
  readonly names: string;
}

const unknown: readonly Unknown[] = [
  {
    what: "a model",
    client: "chat",
    kind: "openai",
    model: "gpt-nobody-knows",
    body: {},
    names: "p/gpt-nobody-knows",
  },
  {
    what: "a hosted tool of Responses",
    client: "responses",
    kind: "openai",
    model: "gpt-4.1",
    body: { tools: [{ type: "mind_reader" }] },
    names: "mind_reader",
  },
  {
    what: "a hosted tool of Messages",
    client: "messages",
    kind: "anthropic",
    model: "claude-opus-4-6",
    body: { tools: [{ type: "dream_20270101", name: "dream" }] },
    names: "dream_20270101",
  },
  {
    what: "a tool that another provider has a fee for",
    client: "responses",
    kind: "azure",
    model: "gpt-4.1",
    body: { tools: [{ type: "image_generation" }] },
    names: "image_generation",
  },
  {
    what: "a hosted tool of chat",
    client: "chat",
    kind: "zai",
    model: "glm-4.5",
    body: { tools: [{ type: "web_search", web_search: { enable: true } }] },
    names: "web_search",
  },
  {
    what: "a tool of chat without a type",
    client: "chat",
    kind: "openai",
    model: "gpt-4.1",
    body: { tools: [{ google_search: {} }] },
    names: "google_search",
  },
  {
    what: "a tool that an item of the input brings",
    client: "responses",
    kind: "openai",
    model: "gpt-4.1",
    body: {
      input: [
        { type: "additional_tools", role: "developer", tools: [{ type: "mind_reader" }] },
        { role: "user", content: "hi" },
      ],
    },
    names: "mind_reader",
  },
  {
    what: "a search whose options are no object",
    client: "chat",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    body: { web_search_options: true },
    names: "web_search_options",
  },
  {
    what: "a search that is wanted in a text",
    client: "chat",
    kind: "openai",
    model: "gpt-4.1",
    body: { enable_search: "true" },
    names: "enable_search",
  },
  {
    what: "a plugin that stands alone",
    client: "chat",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    body: { plugins: { id: "crystal-ball" } },
    names: "the plugin crystal-ball",
  },
  {
    what: "a kind of output that stands alone",
    client: "chat",
    kind: "openai",
    model: "gpt-4.1",
    body: { modalities: "image" },
    names: "image output of p/gpt-4.1",
  },
  {
    what: "a plugin",
    client: "chat",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    body: { plugins: [{ id: "crystal-ball" }] },
    names: "the plugin crystal-ball",
  },
  {
    what: "a kind of output",
    client: "chat",
    kind: "openai",
    model: "gpt-4.1",
    body: { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    names: "audio output of p/gpt-4.1",
  },
];

describe("a strict limit without a price for", () => {
  async function scene(
    { kind, model }: Pick<Unknown, "kind" | "model">,
    variant: "A" | "B" = "A",
  ): Promise<{ where: World; lane: Lane }> {
    const lane = openLane();
    await lane.answer(whole(endpoints.chat.whole({ text: "GOOD" }, "m")));
    const cost = model.startsWith("glm") ? { cost: { input: 1, output: 1 } } : {};
    const entry = { id: "p", kind, base_url: `${lane.url}/v1`, api_key: "sk-none-12345" };
    const providers = [{ ...entry, models: [{ id: model, ...cost }] }];
    const harnesses = [{ id: "h", name: "H", limits: [strict] }];
    return { where: await world({ providers, harnesses }, variant), lane };
  }

  const posted = async (lane: Lane) =>
    (await lane.received()).filter(({ method }) => method === "POST");

  it.each(unknown)("$what refuses it before anything is sent: M305", async (given) => {
    const { where, lane } = await scene(given);
    const body = request(given.client, { model: `p/${given.model}`, ...given.body });
    const answer = await asked(where, { client: given.client, body });
    expect(answer.status).toBe(402);
    expect(answer.error).toMatchObject({ code: "price_unknown" });
    expect(String(answer.error["message"])).toContain(`The price of `);
    expect(String(answer.error["message"])).toContain(given.names);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(await posted(lane)).toEqual([]);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ outcome: "blocked", status: 402, cost: null, attempts: [] });
  });

  it.each(unknown)("$what is the plain status in variant B", async (given) => {
    const { where, lane } = await scene(given, "B");
    const body = request(given.client, { model: `p/${given.model}`, ...given.body, stream: true });
    const answer = await asked(where, { client: given.client, body });
    expect(answer.status).toBe(402);
    expect(answer.error).toMatchObject({ code: 402 });
    expect(await posted(lane)).toEqual([]);
  });

  const [model] = unknown;
  if (model === undefined) throw new Error("no case");

  it("a model is spoken to a client that streams, as M302 is", async () => {
    const { where } = await scene(model);
    const body = request("chat", { model: `p/${model.model}`, stream: true });
    const answer = await asked(where, { client: "chat", body });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("[gateway M305] The price of p/gpt-nobody-knows is unknown");
  });

  it.each([
    [{ plugins: [{ id: "crystal-ball" }] }, "the plugin crystal-ball"],
    [{ modalities: ["text", "image"] }, "image output"],
  ])(
    "what saved parameters ask for refuses it, where they are merged: %j",
    async (params, names) => {
      const lane = openLane();
      await lane.answer(whole(endpoints.chat.whole({ text: "GOOD" }, "m")));
      const providers = [provider({ id: "lab", format: "chat", lane })];
      const harnesses = [{ id: "h", name: "H", limits: [strict], params }];
      for (const client of ["chat", "messages"] as const) {
        const where = await world({ providers, harnesses });
        const { status, error } = await asked(where, {
          client,
          body: request(client, { model: "lab/m" }),
        });
        expect([status, error["message"]]).toEqual([402, expect.stringContaining(names)]);
      }
      const other = await world({ providers, harnesses }, "B");
      const answer = await asked(other, {
        client: "chat",
        body: request("chat", { model: "lab/m" }),
      });
      expect(answer.status).toBe(200);
    },
  );

  it("a kind of output of Gemini counts under every spelling", async () => {
    const { where, lane } = await scene({ kind: "gemini", model: "gemini-2.5-flash" });
    const answer = await knock("/v1beta/models/p/gemini-2.5-flash:generateContent", {
      method: "POST",
      headers: { "x-goog-api-key": where.key, "content-type": "application/json" },
      body: JSON.stringify({
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
        generationConfig: { responseModalities: ["TEXT"] },
        generation_config: { response_modalities: ["IMAGE"] },
      }),
    });
    expect(answer.status).toBe(402);
    expect(await answer.text()).toContain("image output");
    expect(await posted(lane)).toEqual([]);
  });

  it("a tool of Gemini is PERMISSION_DENIED", async () => {
    const { where, lane } = await scene({ kind: "gemini", model: "gemini-2.5-flash" });
    const answer = await knock("/v1beta/models/p/gemini-2.5-flash:generateContent", {
      method: "POST",
      headers: { "x-goog-api-key": where.key, "content-type": "application/json" },
      body: JSON.stringify({
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
        tools: [{ crystalBall: {} }],
      }),
    });
    expect(answer.status).toBe(402);
    const text = await answer.text();
    expect(text).toContain("PERMISSION_DENIED");
    expect(text).toContain("crystalBall");
    expect(await posted(lane)).toEqual([]);
  });

  it("a model refuses its token count and its dry run, too", async () => {
    const { where, lane } = await scene(model);
    const body = JSON.stringify(request("messages", { model: `p/${model.model}` }));
    const counted = await knock("/v1/messages/count_tokens", {
      method: "POST",
      headers: { authorization: `Bearer ${where.key}`, "content-type": "application/json" },
      body,
    });
    expect(counted.status).toBe(402);
    const asks = request("chat", { model: `p/${model.model}` });
    const dry = await knock("/api/route", {
      method: "POST",
      headers: { authorization: `Bearer ${where.token}`, "content-type": "application/json" },
      body: JSON.stringify({ harness: "h", format: "chat", body: asks }),
    });
    expect(dry.status).toBe(402);
    expect(await dry.text()).toContain("price_unknown");
    expect(await posted(lane)).toEqual([]);
  });

  it("a model refuses operations", async () => {
    const { where, lane } = await scene({ kind: "openai", model: "gpt-4.1" });
    for (const [path, body] of [
      ["/v1/embeddings", { model: "p/embed-nobody-knows", input: "a" }],
      ["/v1/images/generations", { model: "p/dall-e-3", prompt: "a" }],
      ["/v1/audio/speech", { model: "p/tts-1", input: "a", voice: "alloy" }],
    ] as const) {
      const answer = await knock(path, {
        method: "POST",
        headers: { authorization: `Bearer ${where.key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(402);
      expect(await answer.text()).toContain(body.model);
    }
    expect(await posted(lane)).toEqual([]);
  });

  it("some models leaves auto and fallbacks to the others, and refuses where there are none", async () => {
    const [dark, known] = [openLane(), openLane()];
    await dark.answer(whole(endpoints.chat.whole({ text: "DARK" }, "m")));
    await known.answer(whole(endpoints.chat.whole({ text: "GOOD" }, "m")));
    const tiers = { default: ["dark/m", "lab/m"] };
    const providers = [
      provider({ id: "dark", format: "chat", lane: dark, models: [{ id: "m" }] }),
      provider({ id: "lab", format: "chat", lane: known }),
    ];
    const routing = { tiers, fallbacks: { "lab/m": ["dark/m"] } };
    const harnesses = [
      { id: "h", name: "H", limits: [strict], routing },
      { id: "dark", name: "D", limits: [strict], models: ["dark/*"] },
    ];
    const where = await world({ providers, harnesses });
    const body = request("chat", { model: "auto" });
    expect((await asked(where, { client: "chat", body })).text).toContain("GOOD");
    const key = await newKey(where.token, "dark");
    const refused = await asked(where, { client: "chat", body, key });
    expect(refused.status).toBe(402);
    expect(String(refused.error["message"])).toContain("dark/m");
    await known.answer({ status: 500, body: "broken" });
    const named = request("chat", { model: "lab/m" });
    expect((await asked(where, { client: "chat", body: named })).status).toBe(500);
    expect(await posted(dark)).toEqual([]);
  });

  it("nothing passes a server of one's own, tools included", async () => {
    const lane = openLane();
    await lane.answer(whole(endpoints.responses.whole({ text: "GOOD" }, "m")));
    const { api_key: _, ...own } = provider({ id: "own", format: "responses", lane });
    const entry: Json = { ...own, models: [{ id: "m" }] };
    const harnesses = [{ id: "h", name: "H", limits: [strict] }];
    const where = await world({ providers: [entry], harnesses });
    const body = request("responses", { model: "own/m", tools: [{ type: "code_interpreter" }] });
    expect((await asked(where, { client: "responses", body })).text).toContain("GOOD");
  });
});
