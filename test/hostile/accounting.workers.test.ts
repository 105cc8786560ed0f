/** Budgets cannot be lied to: what is booked is never less than a provider may have billed, as far as it was set aside. */
import { describe, expect, it } from "vitest";
import {
  openLane,
  provider,
  replyScript,
  request,
  type Client,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { stream, whole, type Script } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { admin, ask, asked, world, type World } from "../gateway/kit.ts";

/** USD a million tokens. */
const price = 10;
const dollars = (tokens: number): number => (tokens * price) / 1e6;

interface Row {
  status: number;
  cost: number | null;
  usage: { output_tokens: number; estimated: boolean } | null;
  attempts: { cost?: number; usage?: { output_tokens: number; estimated: boolean } }[];
}

interface Limit {
  metric: string;
  period: string;
  max: number;
  action: string;
}

const block = (max: number): Limit => ({ metric: "cost", period: "day", max, action: "block" });

interface Setting {
  format: WireFormat;
  lane: Lane;
  limits?: Limit[];
  /** More of the harness. */
  more?: Json;
  features?: string[];
}

/** A workspace with one priced model on the lane. */
async function lab({ format, lane, limits, more, features }: Setting): Promise<World> {
  const model = {
    id: "m",
    cost: { input: 0, output: price },
    ...(features && { capabilities: { features } }),
  };
  return await world({
    providers: [provider({ id: "lab", format, lane, models: [model] })],
    harnesses: [{ id: "h", name: "H", ...(limits && { limits }), ...more }],
  });
}

/** The log's rows, once there are so many. */
async function rows(where: World, count: number): Promise<Row[]> {
  for (;;) {
    const { data } = await admin<{ data: Row[] }>(where.token, "GET /api/requests?limit=100");
    if (data.length >= count) return data;
  }
}

/** What the ledger has: all attempts together. */
async function booked(where: World, count: number): Promise<number> {
  const all = await rows(where, count);
  const costs = all.flatMap(({ attempts }) => attempts.map(({ cost = 0 }) => cost));
  return costs.reduce((total, cost) => total + cost, 0);
}

/** A client that speaks the provider's format, or for Gemini another. */
const clientOf = {
  chat: "chat",
  responses: "responses",
  messages: "messages",
  gemini: "chat",
} as const;
const limitOf: Record<Client, string> = {
  chat: "max_tokens",
  responses: "max_output_tokens",
  messages: "max_tokens",
};
const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];

/** Two words are seen; what the model thought is billed and never shown. */
const billed = 400;
const hiding = { text: "Hello there, friend.", usage: { input: 10, cached: 0, output: billed } };

function streaming(client: Client, more: Json = {}): Json {
  return request(client, { model: "lab/m", stream: true, [limitOf[client]]: billed, ...more });
}

/** Reads so many pieces of the answer, then leaves. */
async function leaveAfter(pieces: number, response: Response): Promise<void> {
  const reader = response.body?.getReader();
  for (let read = 0; read < pieces; read += 1) await reader?.read();
  await reader?.cancel();
}

describe("an answer that its client leaves", () => {
  it.each(formats)("%s: costs what was set aside, wherever it is left", async (format) => {
    const client = clientOf[format];
    const events = endpoints[format].events(hiding, "m");
    const lane = openLane();
    const where = await lab({ format, lane });
    for (let left = 1; left <= events.length; left += 1) {
      await lane.answer(stream(events, { pace: 20 }));
      await leaveAfter(left, await ask(where, { client, body: streaming(client) }));
      await rows(where, left);
    }
    for (const row of await rows(where, events.length)) {
      expect(row.cost).toBeGreaterThanOrEqual(dollars(billed));
      if (row.status === 499) expect(row.usage?.estimated).toBe(true);
    }
  });

  it.each(formats)("%s: costs the same where the provider breaks it off", async (format) => {
    const client = clientOf[format];
    const events = endpoints[format].events(hiding, "m");
    const lane = openLane();
    const where = await lab({ format, lane });
    const indexes = events.map((_, index) => index + 1);
    for (const kept of indexes) {
      await lane.answer(stream(events.slice(0, kept), { end: "cut" }));
      await asked(where, { client, body: streaming(client) });
    }
    expect(await booked(where, indexes.length)).toBeGreaterThanOrEqual(
      dollars(billed * indexes.length) - 1e-12,
    );
  });

  it("costs what was seen where the model cannot think", async () => {
    const lane = openLane();
    const where = await lab({ format: "chat", lane, features: ["stream"] });
    await lane.answer(stream(endpoints.chat.events(hiding, "m").slice(0, -2), { end: "cut" }));
    await asked(where, { client: "chat", body: streaming("chat") });
    const [row] = await rows(where, 1);
    expect(row?.usage?.output_tokens).toBeLessThan(20);
  });

  it("costs what is reported, where that comes before the end", async () => {
    const lane = openLane();
    const where = await lab({ format: "chat", lane });
    await lane.answer(
      replyScript(
        "chat",
        { ...hiding, usage: { input: 1, cached: 0, output: 7 } },
        { stream: true },
      ),
    );
    await asked(where, { client: "chat", body: streaming("chat") });
    const [row] = await rows(where, 1);
    expect(row?.usage).toMatchObject({ output_tokens: 7, estimated: false });
  });

  it("keeps a limit: the next request finds what was set aside spent", async () => {
    const lane = openLane();
    const where = await lab({ format: "chat", lane, limits: [block(dollars(billed) * 1.5)] });
    await lane.answer(stream(endpoints.chat.events(hiding, "m"), { pace: 20 }));
    await leaveAfter(1, await ask(where, { client: "chat", body: streaming("chat") }));
    await rows(where, 1);
    const next = await asked(where, { client: "chat", body: streaming("chat") });
    expect(next.text).toContain("M200");
  });
});

describe("work behind the answer", () => {
  const queued = {
    id: "resp_1",
    object: "response",
    status: "queued",
    background: true,
    output: [],
  };
  const body = request("responses", { model: "lab/m", background: true, max_output_tokens: 300 });

  it("is refused where a limit would have to count it", async () => {
    const lane = openLane();
    const where = await lab({ format: "responses", lane, limits: [block(5)] });
    const got = await asked(where, { client: "responses", body });
    expect(got.status).toBe(400);
    expect(got.error["message"]).toMatch(/M300.*background/);
    expect(await lane.received()).toHaveLength(0);
  });

  it("is relayed where none does, and booked at what was set aside", async () => {
    const lane = openLane();
    const where = await lab({ format: "responses", lane });
    await lane.answer(whole(queued));
    const got = await asked(where, { client: "responses", body });
    expect(got.json).toEqual(queued);
    const [row] = await rows(where, 1);
    expect(row).toMatchObject({ status: 200, cost: dollars(300), usage: { estimated: true } });
  });

  it("is refused where a saved parameter asks for it", async () => {
    const lane = openLane();
    const more = { params: { background: true } };
    const where = await lab({ format: "responses", lane, limits: [block(5)], more });
    const plain = request("responses", { model: "lab/m", max_output_tokens: 300 });
    expect((await asked(where, { client: "responses", body: plain })).status).toBe(400);
  });
});

/** Tokens that an answer in the format is billed at. */
function answering(format: WireFormat, output: number): Script {
  const usage = { input: 1, cached: 0, output };
  return { ...whole(endpoints[format].whole({ text: "Hi.", usage }, "m")), delay: 100 };
}

interface Trick {
  name: string;
  client?: Client;
  body: Json;
  /** What a provider may bill for one call. */
  most: number;
  more?: Json;
  /** The client does not bound its answer, so one may begin where the length is guessed. */
  guessed?: true;
}

const tricks: Trick[] = [
  { name: "one limit", body: { max_tokens: 500 }, most: 500 },
  {
    name: "a small limit beside a large one",
    body: { max_completion_tokens: 1, max_tokens: 3000 },
    most: 3000,
  },
  {
    name: "a limit under another server's name",
    body: { max_tokens: 1, n_predict: 2000 },
    most: 2000,
  },
  {
    name: "a limit under another format's name",
    client: "responses",
    body: { max_output_tokens: 1, max_tokens: 2000 },
    most: 2000,
  },
  {
    name: "more thinking than output",
    client: "messages",
    body: { max_tokens: 10, thinking: { type: "enabled", budget_tokens: 3000 } },
    most: 3000,
  },
  {
    name: "thinking beside the output",
    body: { max_tokens: 100, thinking_budget: 3000 },
    most: 3100,
  },
  { name: "many short answers", body: { max_tokens: 1000, n: 8 }, most: 8000 },
  { name: "answers to choose from", body: { max_tokens: 100, best_of: 20 }, most: 2000 },
  {
    name: "a saved limit beside the client's own word for it",
    body: { max_new_tokens: 3000 },
    more: { params: { max_tokens: 1 } },
    most: 3000,
  },
  {
    name: "a saved number of answers",
    body: { max_tokens: 100 },
    more: { params: { n: 20 } },
    most: 2000,
  },
  {
    name: "a limit that is not believed",
    body: { max_completion_tokens: 1, max_tokens: 100_000 },
    most: 100_000,
    guessed: true,
  },
];

describe("ten requests at once", () => {
  it.each(tricks)("never spend more than the limit: $name", async (trick) => {
    const { client = "chat", body, most, more, guessed } = trick;
    const lane = openLane();
    const max = guessed ? 0.05 : dollars(most) * 3.5;
    const where = await lab({ format: client, lane, limits: [block(max)], ...(more && { more }) });
    await lane.answer(answering(client, most));
    const send = () => asked(where, { client, body: request(client, { model: "lab/m", ...body }) });
    await Promise.all(Array.from({ length: 10 }, send));
    // Where the length is guessed, one answer may begin on what is left.
    const allowed = guessed ? max + dollars(most) : max;
    const spent = await booked(where, 10);
    expect(spent).toBeLessThanOrEqual(allowed + 1e-12);
    expect(spent).toBeGreaterThan(0);
  });

  it.each([
    ["n", { max_tokens: 100, n: 0.5 }],
    ["n", { max_tokens: 100, n: "50" }],
    ["n", { max_tokens: 100, n: -1 }],
    ["best_of", { max_tokens: 100, best_of: "9" }],
    ["max_tokens", { max_completion_tokens: 1, max_tokens: "50000" }],
    ["max_tokens", { max_completion_tokens: 1, max_tokens: -1 }],
    ["max_new_tokens", { max_tokens: 1, max_new_tokens: 0.5 }],
    ["deferred", { max_tokens: 1, deferred: true }],
  ])("are told that %s must be clear, where a limit counts: %j", async (field, body) => {
    const lane = openLane();
    const where = await lab({ format: "chat", lane, limits: [block(5)] });
    const sent = request("chat", { model: "lab/m", ...body });
    const got = await asked(where, { client: "chat", body: sent });
    expect(got.status).toBe(400);
    expect(got.error["message"]).toContain(`M300] ${field}:`);
    expect(await lane.received()).toHaveLength(0);
    const free = await lab({ format: "chat", lane });
    await lane.answer(answering("chat", 5));
    expect((await asked(free, { client: "chat", body: sent })).status).toBe(200);
  });
});

describe("what a provider charges beside its usual prices", () => {
  const tokens = { input: 1000, cached: 0, output: 1000 };
  const said = { text: "Hi.", usage: tokens };

  /** What one call of a service's own model is booked at, in USD. */
  async function costOf(
    kind: "openai" | "anthropic",
    asking: { client: Client; body: Json; answer: Json },
  ): Promise<number> {
    const lane = openLane();
    await lane.answer(whole(asking.answer));
    const where = await world({
      providers: [{ id: "lab", kind, base_url: `${lane.url}/v1`, api_key: "sk-test" }],
    });
    const got = await asked(where, { client: asking.client, body: asking.body });
    expect(got.status, got.text).toBe(200);
    return await booked(where, 1);
  }

  it.each([
    { asks: undefined, serves: "default", factor: 1 },
    { asks: "priority", serves: "priority", factor: 2 },
    { asks: "priority", serves: "default", factor: 1 },
    { asks: "priority", serves: undefined, factor: 2 },
    { asks: "flex", serves: "flex", factor: 0.5 },
    { asks: "flex", serves: undefined, factor: 1 },
  ])("is its service tier's: asks $asks, serves $serves", async ({ asks, serves, factor }) => {
    const body = request("chat", { model: "lab/gpt-5.2", max_tokens: 1000, service_tier: asks });
    const answer = { ...endpoints.chat.whole(said, "gpt-5.2"), service_tier: serves };
    const usual = (1000 * 1.75 + 1000 * 14) / 1e6;
    const cost = await costOf("openai", { client: "chat", body, answer });
    expect(cost).toBeCloseTo(usual * factor, 9);
  });

  it("is its fast mode's, and its searches'", async () => {
    const body = request("messages", {
      model: "lab/claude-opus-4-6",
      max_tokens: 1000,
      speed: "fast",
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 5 }],
    });
    const usage = {
      input_tokens: 1000,
      output_tokens: 1000,
      speed: "fast",
      server_tool_use: { web_search_requests: 3 },
    };
    const answer = { ...endpoints.messages.whole(said, "claude-opus-4-6"), usage };
    const cost = await costOf("anthropic", { client: "messages", body, answer });
    expect(cost).toBeCloseTo(((1000 * 5 + 1000 * 25) * 6) / 1e6 + 3 * 0.01, 9);
  });

  it("is its searches', where the answer lists them", async () => {
    const body = request("responses", { model: "lab/gpt-5.2", tools: [{ type: "web_search" }] });
    const plain = endpoints.responses.whole(said, "gpt-5.2") as Json & { output: Json[] };
    const search = { type: "web_search_call", status: "completed", action: { type: "search" } };
    const searches = [1, 2].map((id) => ({ ...search, id: `ws_${id}` }));
    const answer = { ...plain, output: [...searches, ...plain.output] };
    const cost = await costOf("openai", { client: "responses", body, answer });
    expect(cost).toBeCloseTo((1000 * 1.75 + 1000 * 14) / 1e6 + 2 * 0.01, 9);
  });
});
