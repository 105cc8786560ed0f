import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  at,
  clients,
  events,
  openLane as laneOn,
  provider,
  read,
  request,
  replyScript,
  words,
  type Answer,
  type Client,
  type Lane,
  type Script,
  type WireFormat,
} from "../kit/asking.ts";
import { secretForms } from "../kit/fault-kinds.ts";
import { providerError } from "../kit/providers.ts";
import { sampled } from "../kit/sample.ts";
import { endpoints } from "../kit/wire/index.ts";
import { pieces } from "../kit/wire/said.ts";
import { ask, asked, inFlight, rowOf, world, type World } from "./gateway.ts";
import { npmRunBench, scratch, type Host } from "./host.ts";

const space = scratch();
let host: Host;

beforeAll(async () => {
  host = await npmRunBench(space.folder);
});

afterAll(async () => {
  await host.stop();
  space.remove();
});

const text = "some words of an answer that never comes to its end";
const [first = "", second = ""] = pieces(text);

/** The events of a stream up to its second piece of content. */
function begun(format: WireFormat): string[] {
  const list = endpoints[format].events({ text }, "m");
  return list.slice(0, list.findIndex((event) => event.includes(second)) + 1);
}

interface Ending {
  name: string;
  script(format: WireFormat): Script;
  status?: number;
  /** What is said behind the content; the provider's own words. */
  message?: string;
}

const sse = { "content-type": "text/event-stream" };
const broken: Record<WireFormat, string> = {
  chat: 'data: {"id":"x","choices":[{"index":0,"delta":{"content":"\n\n',
  responses: providerError("responses", "broken"),
  messages: 'event: content_block_delta\ndata: {"type":"content_block_del\n\n',
  gemini: 'data: {"candidates":[{\r\n\r\n',
};

const endings: Ending[] = [
  { name: "the body ends early", script: (format) => ({ headers: sse, body: begun(format) }) },
  { name: "a cut", script: (format) => ({ headers: sse, body: begun(format), end: "cut" }) },
  { name: "a reset", script: (format) => ({ headers: sse, body: begun(format), end: "reset" }) },
  {
    name: "half an event",
    script: (format) => ({ headers: sse, body: [...begun(format), "data: {"], pace: 2 }),
  },
  {
    name: "an error event",
    script: (format) => ({
      headers: sse,
      body: [...begun(format), providerError(format, `too busy ${secretForms.join(" ")}`)],
      end: "hang",
    }),
    message: "too busy",
  },
  {
    name: "an error event in one piece with the content",
    script: (format) => ({
      headers: sse,
      body: [...begun(format), providerError(format, "too busy")].join(""),
    }),
    message: "too busy",
  },
  {
    name: "an event that is not JSON",
    script: (format) => ({ headers: sse, body: [...begun(format), broken[format]], end: "hang" }),
  },
  {
    name: "silence",
    script: (format) => ({ headers: sse, body: begun(format), end: "hang" }),
    status: 504,
  },
  {
    name: "comments without end",
    script: (format) => ({
      headers: sse,
      body: [...begun(format), ...Array.from({ length: 100 }, () => ": wait\n\n")],
      pace: 50,
    }),
    status: 504,
  },
];

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];
const pairs = sampled(clients.flatMap((client) => formats.map((format) => ({ client, format }))));
const openLane = (): Lane => laneOn(inject("upstream"));

/** The last event is the client's own word for a failure, and nothing pretends an end. */
function expectBrokenOff(client: Client, answer: Answer, said: string | undefined): void {
  const list = events(answer.text);
  const last = list.at(-1);
  const message = expect.stringMatching(said ?? /\S/);
  switch (client) {
    case "chat":
      expect(last?.json).toEqual({
        error: { message, type: expect.any(String), code: expect.any(String), param: null },
      });
      expect(answer.text).not.toContain("[DONE]");
      for (const { json } of list)
        expect(at(json, "choices", 0, "finish_reason") ?? null).toBeNull();
      return;
    case "responses":
      expect(last?.event).toBe("response.failed");
      expect(last?.json).toMatchObject({
        type: "response.failed",
        response: { status: "failed", error: { code: expect.any(String), message } },
      });
      expect(answer.text).not.toMatch(/response\.(?:completed|incomplete|done)/);
      return;
    case "messages":
      expect(last).toMatchObject({
        event: "error",
        json: { type: "error", error: { type: expect.any(String), message } },
      });
      expect(answer.text).not.toMatch(/message_stop|message_delta/);
      return;
    default:
      client satisfies never;
  }
}

describe.each(pairs)("$client over $format: a fault behind the first content", (pair) => {
  const { client, format } = pair;
  const lanes = endings.map(() => openLane());
  const good = openLane();
  let where: World;

  beforeAll(async () => {
    const timeouts = { idle: 0.3, total: 0.9 };
    await good.answer(replyScript(client, { text: "never asked" }, { stream: true }));
    const ids = endings.map((_, index) => `p${index}`);
    where = await world(host, {
      providers: [
        ...ids.map((id, index) => provider({ id, format, lane: lanes[index] ?? good, timeouts })),
        provider({ id: "good", format: client, lane: good }),
      ],
      harnesses: [
        {
          id: "h",
          name: "H",
          routing: { fallbacks: Object.fromEntries(ids.map((id) => [`${id}/m`, ["good/m"]])) },
        },
      ],
    });
  });

  it.concurrent.each(endings.map((ending, index) => ({ ...ending, index })))(
    "$name is told, never repaired, never an end",
    async ({ index, script, status, message: said }) => {
      const lane = lanes[index] ?? good;
      await lane.answer(script(format));
      const body = request(client, { model: `p${index}/m`, stream: true });
      const answer = await asked(where, { client, body });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-gateway-model")).toBe(`p${index}/m`);
      expect(answer.headers.get("x-gateway-fallback-from")).toBeNull();
      expect(words(client, answer)).toBe(first + second);
      expectBrokenOff(client, answer, said);
      for (const form of secretForms) expect(answer.text).not.toContain(form);
      expect(await lane.received()).toHaveLength(1);
      const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
      expect(row).toMatchObject({ model: `p${index}/m`, error: expect.any(String) });
      expect(row["attempts"]).toHaveLength(1);
      if (said === undefined && format !== "responses") expect(row["status"]).toBe(status ?? 502);
      else expect(row["status"]).toBeGreaterThanOrEqual(500);
      // What the provider said ends the answer, not a time-out behind it.
      if (status === undefined) expect(row["status"]).not.toBe(504);
    },
  );

  it("no slot is left, and the fallback was never asked", async () => {
    expect(await inFlight(where)).toBe(0);
    expect(await good.received()).toEqual([]);
  });
});

describe("a connection that breaks behind the end of the answer", () => {
  const ends = (["close", "cut", "reset", "hang"] as const).map((end) => ({ end }));
  const rows = pairs.flatMap((pair) => ends.map((end) => ({ ...pair, ...end })));

  it.concurrent.each(rows)("$client over $format, $end: a whole answer", async (given) => {
    const { client, format, end } = given;
    // Gemini's grammar has no last word but the end of the body.
    if (format === "gemini" && end !== "close") return;
    const lane = openLane();
    const body = endpoints[format].events({ text }, "m");
    await lane.answer({ headers: sse, body, end });
    // Longer than the test may take: a gateway that waited for the end of the connection would fail.
    const timeouts = { idle: 600 };
    const where = await world(host, {
      providers: [provider({ id: "p", format, lane, timeouts })],
    });
    const answer = await asked(where, {
      client,
      body: request(client, { model: "p/m", stream: true }),
    });
    expect(words(client, answer)).toBe(text);
    expect(answer.text).toMatch(/\[DONE\]|response\.completed|message_stop/);
    expect(answer.text).not.toMatch(/event: error|"error":\{|response\.failed/);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, error: null, usage: { estimated: false } });
    expect(await inFlight(where)).toBe(0);
  });
});

describe("very long events", () => {
  const long = "long words of an answer ".repeat(350_000);

  it.each(pairs)("8 MB in one event, $client over $format, arrive whole", async (pair) => {
    const { client, format } = pair;
    const lane = openLane();
    const list = endpoints[format].events({ text: "@" }, "m");
    await lane.answer({
      headers: sse,
      body: list.map((event) => event.replace(/"@"/g, JSON.stringify(long))).join(""),
    });
    const where = await world(host, { providers: [provider({ id: "p", format, lane })] });
    const answer = await asked(where, {
      client,
      body: request(client, { model: "p/m", stream: true }),
    });
    expect(words(client, answer).length).toBe(long.length);
    expect(answer.text).toMatch(/\[DONE\]|response\.completed|message_stop/);
  });
});

describe("a stream that breaks off while a whole answer is collected", () => {
  it.each(pairs)("$client over $format: the fallback answers", async ({ client, format }) => {
    const bad = openLane();
    const good = openLane();
    await bad.answer({ headers: sse, body: begun(format), end: "cut" });
    await good.answer(replyScript(client, { text: "GOOD" }, { stream: false }));
    const where = await world(host, {
      providers: [
        provider({ id: "bad", format, lane: bad }),
        provider({ id: "good", format: client, lane: good }),
      ],
      harnesses: [{ id: "h", name: "H", routing: { fallbacks: { "bad/m": ["good/m"] } } }],
    });
    const answer = await asked(where, { client, body: request(client) });
    expect(answer.status, answer.text).toBe(200);
    expect(words(client, answer)).toBe("GOOD");
    expect(answer.headers.get("x-gateway-fallback-index")).toBe("0");
  });
});

describe("the official clients are told that a stream broke off", () => {
  const sdk: Record<Client, (base: string, key: string) => Promise<unknown>> = {
    chat: (base, key) =>
      new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 }).chat.completions
        .stream({ model: "bad/m", messages: [{ role: "user", content: "hi" }] })
        .finalChatCompletion(),
    responses: async (base, key) => {
      const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
      const { status, error } = await openai.responses
        .stream({ model: "bad/m", input: "hi" })
        .finalResponse();
      throw new Error(`${status}: ${error?.message}`);
    },
    messages: (base, key) =>
      new Anthropic({ baseURL: base, authToken: key, apiKey: null, maxRetries: 0 }).messages
        .stream({ model: "bad/m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] })
        .finalMessage(),
  };

  it.each(pairs)("$client over $format", async ({ client, format }) => {
    const lane = openLane();
    await lane.answer({ headers: sse, body: begun(format), end: "cut" });
    const where = await world(host, { providers: [provider({ id: "bad", format, lane })] });
    await expect(sdk[client](where.host.base, where.key)).rejects.toThrow(/provider|stream|ended/i);
  });
});

describe("a restart that is announced", () => {
  const slow = (format: WireFormat): Script => ({
    headers: sse,
    body: endpoints[format].events({ text: text.repeat(20) }, "m"),
    pace: 200,
  });

  it("ends the streams that still run with an error event, and none that come later", async () => {
    const lanes = pairs.map(() => openLane());
    const providers = pairs.map(({ format }, index) =>
      provider({ id: `p${index}`, format, lane: lanes[index] ?? openLane() }),
    );
    const where = await world(host, { providers });
    await Promise.all(
      lanes.map((lane, index) => lane.answer(slow(pairs[index]?.format ?? "chat"))),
    );
    const open = await Promise.all(
      pairs.map(({ client }, index) =>
        ask(where, { client, body: request(client, { model: `p${index}/m`, stream: true }) }),
      ),
    );
    const announced = await fetch(`${host.base}/api/drain`, {
      method: "POST",
      headers: { authorization: `Bearer ${host.adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ seconds: 0.2 }),
    });
    expect(announced.status).toBe(204);
    const answers = await Promise.all(open.map(read));
    for (const [index, answer] of answers.entries()) {
      expectBrokenOff(pairs[index]?.client ?? "chat", answer, "restarting");
      const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
      expect(row).toMatchObject({ status: 503 });
      await lanes[index]?.left(0, 5000);
    }
    expect(await inFlight(where)).toBe(0);
    const [{ client, format } = { client: "chat", format: "chat" } as const] = pairs;
    await lanes[0]?.answer(replyScript(format, { text }, { stream: true, pace: 50 }));
    const body = request(client, { model: "p0/m", stream: true });
    expect(words(client, await asked(where, { client, body }))).toBe(text);
  });
});
