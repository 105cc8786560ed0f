import { describe, expect, it } from "vitest";
import {
  openLane,
  provider,
  replyScript,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { admin, asked, rowOf, world, type World } from "./kit.ts";

const easy = "hi";
const hard = "Prove that every finite integral domain is a field. Give every lemma.";

const cheap = { input: 0.1, output: 0.4 };
const dear = { input: 3, output: 15 };

interface Side {
  id: string;
  cost: Json;
  format?: WireFormat;
  model?: string;
  [member: string]: unknown;
}

/** A provider of one model that always answers. */
async function side({ id, cost, format = "chat", model = "m", ...more }: Side) {
  const lane = openLane();
  await lane.answer(replyScript(format, { text: "GOOD" }, { stream: false }));
  const models = [{ id: model, cost, ...more }];
  return { lane, entry: provider({ id, format, lane, models }), name: `${id}/${model}` };
}

const tiersOf = (low: string, high: string) => ({
  simple: [low],
  standard: [low],
  complex: [high],
  reasoning: [high],
});

async function twoSides(given: { low?: Partial<Side>; high?: Partial<Side> } = {}) {
  const low = await side({ id: "low", cost: cheap, ...given.low });
  const high = await side({ id: "high", cost: dear, ...given.high });
  const providers = [low.entry, high.entry];
  const harnesses = [{ id: "h", name: "H", routing: { tiers: tiersOf(low.name, high.name) } }];
  return { low, high, where: await world({ providers, harnesses }) };
}

const modelOf = async (where: World, given: Parameters<typeof asked>[1]) =>
  (await asked(where, given)).headers.get("x-gateway-model");

const responses = (input: unknown, more: Json = {}) => ({
  client: "responses" as const,
  body: { model: "auto", input, ...more },
});

describe("a request of auto that no model answered", () => {
  it("keeps why it went where it failed, and teaches nothing of its tier", async () => {
    const { where, low } = await twoSides();
    const refused = { status: 500, body: JSON.stringify({ error: { message: "broken" } }) };
    await low.lane.answer(refused);
    const { headers } = await asked(where, responses(easy));
    const id = headers.get("x-gateway-request-id");
    const row = await rowOf(where, id);
    expect(row).toMatchObject({ outcome: "failed", model: null });
    expect(row["why"]).toMatch(
      /^Simple \(\d+%\): .*m is the first of your simple models\. No answer: m failed \(500\)\.$/,
    );
    expect(row["routing"]).toMatchObject({ tier: "simple", candidates: ["low/m"] });
    const call = `PUT /api/requests/${id}/feedback`;
    expect(await admin(where.token, call, { verdict: "too_weak" })).toMatchObject({ tier: null });
  });
});

describe("a request that goes on from a stored answer", () => {
  const spoken = { low: { format: "responses" }, high: { format: "responses" } } as const;
  const stored = async (lane: Lane, id: string) => {
    const script = replyScript("responses", { text: "GOOD" }, { stream: false });
    const body = { ...(JSON.parse(String(script.body)) as Json), id };
    await lane.answer({ ...script, body: JSON.stringify(body) });
  };

  it("goes to the model that made it, whatever it asks for", async () => {
    const { where, high } = await twoSides(spoken);
    await stored(high.lane, "resp_first");
    expect(await modelOf(where, responses(hard))).toBe("high/m");
    await stored(high.lane, "resp_second");
    const more = { previous_response_id: "resp_first" };
    expect(await modelOf(where, responses(easy, more))).toBe("high/m");
    expect(await modelOf(where, responses(easy, { previous_response_id: "resp_second" }))).toBe(
      "high/m",
    );
    const session = { "x-gateway-session": "another name" };
    expect(await modelOf(where, { ...responses(easy, more), headers: session })).toBe("high/m");
    expect(await modelOf(where, responses(easy))).toBe("low/m");
  });

  it("goes there too when the client had named the model, and in no other harness", async () => {
    const { where, high } = await twoSides(spoken);
    await stored(high.lane, "resp_named");
    await asked(where, responses(easy, { model: "high/m" }));
    const more = { previous_response_id: "resp_named" };
    expect(await modelOf(where, responses(easy, more))).toBe("high/m");
  });

  it("is never given to a provider that keeps no answers while there is one that does", async () => {
    const { where } = await twoSides({ high: { format: "responses" } });
    const more = { previous_response_id: "resp_x" };
    expect(await modelOf(where, responses(easy, more))).toBe("high/m");
    const body = { model: "auto", input: easy, ...more };
    const dry = await admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "responses",
      body,
    });
    expect(dry["excluded"]).toContainEqual({ id: "low/m", why: "keeps no earlier responses" });
  });
});

describe("a compaction", () => {
  const headers = { "user-agent": "claude-cli/2.1.329", "x-claude-code-session-id": "s1" };
  const compact = "Your task is to create a detailed summary of the conversation so far.";

  it("keeps the conversation's model under instructions of its own", async () => {
    const { where } = await twoSides({ low: { format: "messages" }, high: { format: "messages" } });
    const talk = (system: string, ...texts: string[]) => ({
      client: "messages" as const,
      headers,
      body: {
        model: "auto",
        max_tokens: 100,
        system,
        messages: texts.map((content, at) => ({ role: at % 2 ? "assistant" : "user", content })),
      },
    });
    expect(await modelOf(where, talk("You are Claude Code.", easy))).toBe("low/m");
    // Helpers share the client's session.
    expect(await modelOf(where, talk("You are a helper.", hard))).toBe("high/m");
    const summary = "You are a helpful AI assistant tasked with summarizing conversations.";
    const answer = await asked(where, talk(summary, easy, "GOOD", compact));
    expect(answer.headers.get("x-gateway-model")).toBe("low/m");
    expect(answer.headers.get("x-gateway-reason")).toContain("session=stay(compaction)");
  });
});

describe("a tool loop", () => {
  const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
  const call = { id: "c1", type: "function", function: { name: "read", arguments: "{}" } };
  const begun = { model: "auto", tools, messages: [{ role: "user", content: easy }] };
  const inLoop = {
    ...begun,
    messages: [
      ...begun.messages,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "ok" },
    ],
  };
  const after = { ...begun, messages: [...inLoop.messages, { role: "user", content: easy }] };

  it("ends on the model that began it, though the tiers are given to others meanwhile", async () => {
    const { where, low, high } = await twoSides();
    const ask = (body: Json) => modelOf(where, { client: "chat", body });
    expect(await ask(begun)).toBe("low/m");
    const providers = [low.entry, high.entry];
    const tiers = tiersOf(high.name, high.name);
    await admin(where.token, "PUT /api/config", {
      providers,
      harnesses: [{ id: "h", name: "H", routing: { tiers } }],
    });
    expect(await ask(inLoop)).toBe("low/m");
    expect(await ask(after)).toBe("high/m");
  });
});

describe("where no model fits a request", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const audio = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
  const words = { type: "text", text: "what is it" };
  const ask = (...content: Json[]) => ({
    client: "chat" as const,
    body: { model: "auto", messages: [{ role: "user", content }] },
  });
  const reads = (...input: string[]) => ({
    capabilities: { input_modalities: input, output_modalities: ["text"], features: ["stream"] },
  });

  it("one that talks is asked, never one that makes vectors or pictures", async () => {
    const vectors = await side({
      id: "vec",
      cost: { input: 9, output: 9 },
      model: "text-embedding-3-large",
    });
    const pictures = await side({
      id: "pic",
      cost: { input: 50, output: 50 },
      model: "gpt-image-9",
    });
    const talks = await side({ id: "talk", cost: cheap, ...reads("text", "image") });
    const where = await world({ providers: [vectors.entry, pictures.entry, talks.entry] });
    expect(await modelOf(where, ask(words, image, audio))).toBe("talk/m");
  });

  it("but a special one does, that one is asked", async () => {
    const plain = await side({ id: "plain", cost: dear, ...reads("text") });
    const hears = await side({
      id: "hears",
      cost: cheap,
      model: "gpt-audio",
      ...reads("text", "audio"),
    });
    const where = await world({ providers: [plain.entry, hears.entry] });
    expect(await modelOf(where, ask(words, audio))).toBe("hears/gpt-audio");
    expect(await modelOf(where, ask(words))).toBe("plain/m");
  });

  it("a document of plain words is words to any model", async () => {
    const { where } = await twoSides({ low: reads("text"), high: reads("text", "file") });
    const source = { type: "text", media_type: "text/plain", data: "hello" };
    const content = [{ type: "document", source }, words];
    const body = { model: "auto", max_tokens: 9, messages: [{ role: "user", content }] };
    expect(await modelOf(where, { client: "messages", body })).toBe("low/m");
  });
});

describe("an explanation", () => {
  it("says the same in the headers, in the log and in the dry run", async () => {
    const { where } = await twoSides();
    const body = { model: "auto", messages: [{ role: "user", content: hard }] };
    const { headers } = await asked(where, { client: "chat", body });
    const row = await rowOf(where, headers.get("x-gateway-request-id"));
    const dry = await admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "chat",
      body,
    });
    const confidence = Number(headers.get("x-gateway-confidence"));
    const said = {
      tier: headers.get("x-gateway-tier"),
      reason: headers.get("x-gateway-reason"),
      confidence,
    };
    expect(row).toMatchObject({ ...said, model: headers.get("x-gateway-model") });
    expect(dry).toMatchObject(said);
    expect(Number(headers.get("x-gateway-score"))).toBeCloseTo(Number(dry["score"]), 4);
  });

  it("has no score where the client named the model", async () => {
    const { where } = await twoSides();
    const body = { model: "low/m", messages: [{ role: "user", content: hard }] };
    const { headers } = await asked(where, { client: "chat", body });
    expect(headers.get("x-gateway-score")).toBeNull();
  });

  it("adds up: the bias and the contributions are the score", async () => {
    const { where } = await twoSides();
    const body = { model: "auto", messages: [{ role: "user", content: hard }] };
    interface Part {
      tiers: number[];
      gain: number;
    }
    const { p, score, bias, contributions } = await admin<{
      p: number[];
      score: number;
      bias: Part;
      contributions: Part[];
    }>(where.token, "POST /api/route", { harness: "h", format: "chat", body });
    const parts = [bias, ...contributions];
    const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0);
    const powers = p.map((_, tier) => Math.exp(sum(({ tiers }) => tiers[tier] ?? 0)));
    const whole = powers.reduce((all, power) => all + power, 0);
    powers.forEach((power, tier) => expect(power / whole).toBeCloseTo(p[tier] ?? 0, 4));
    expect(1 / (1 + Math.exp(-sum(({ gain }) => gain)))).toBeCloseTo(score, 4);
  });

  it("tells whether a known conversation stays where it is, and what staying and leaving cost", async () => {
    const { where } = await twoSides();
    const first = { role: "user", content: hard };
    await asked(where, { client: "chat", body: { model: "auto", messages: [first] } });
    const messages = [
      first,
      { role: "assistant", content: "GOOD" },
      { role: "user", content: easy },
    ];
    const body = { model: "auto", messages };
    const dry = await admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "chat",
      body,
    });
    expect(dry["candidates"]).toEqual(["low/m"]);
    expect(dry["conversation"]).toMatchObject({
      model: "high/m",
      verdict: "switch",
      costs: { stay: expect.any(Number), switch: expect.any(Number) },
    });
  });

  it("is given for a request of many megabytes too", async () => {
    const { where } = await twoSides();
    const content = "lorem ipsum ".repeat(400_000);
    const body = { model: "auto", messages: [{ role: "user", content }] };
    const dry = await admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "chat",
      body,
    });
    expect(dry["tier"]).toBe("simple");
  });
});

describe("a budget", () => {
  const limits = [{ metric: "cost", period: "day", max: 0.005, action: "block" }];
  const body = { model: "auto", max_tokens: 1000, messages: [{ role: "user", content: hard }] };

  it("that a tier's models exceed leaves the work to another tier's, and the reason says so", async () => {
    const low = await side({ id: "low", cost: cheap });
    const high = await side({ id: "high", cost: dear });
    const routing = { tiers: tiersOf(low.name, high.name) };
    const harnesses = [{ id: "h", name: "H", routing, limits }];
    const where = await world({ providers: [low.entry, high.entry], harnesses });
    const { status, headers } = await asked(where, { client: "chat", body });
    expect([status, headers.get("x-gateway-model")]).toEqual([200, "low/m"]);
    expect(headers.get("x-gateway-reason")).toContain("beyond the budget=high/m");
  });

  it("is foreseen by the dry run, which counts nothing", async () => {
    const low = await side({ id: "low", cost: cheap });
    const high = await side({ id: "high", cost: dear });
    const routing = { tiers: tiersOf(low.name, high.name) };
    const harnesses = [{ id: "h", name: "H", routing, limits }];
    const where = await world({ providers: [low.entry, high.entry], harnesses });
    const dry = await admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "chat",
      body,
    });
    expect(dry["candidates"]).toEqual(["low/m"]);
    expect(dry["excluded"]).toContainEqual({ id: "high/m", why: "beyond the budget" });
  });

  it("that nobody fits is told as such", async () => {
    const high = await side({ id: "high", cost: dear });
    const harnesses = [{ id: "h", name: "H", limits }];
    const where = await world({ providers: [high.entry], harnesses });
    const { status, text } = await asked(where, { client: "chat", body });
    expect([status, text]).toEqual([200, expect.stringContaining("[gateway M200]")]);
  });
});
