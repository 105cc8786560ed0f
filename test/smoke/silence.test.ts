/** Providers that are silent before their first content: what their clients get meanwhile, and what may follow. */
import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  clients,
  events,
  openLane as laneOn,
  parsed,
  provider,
  read,
  request,
  replyScript,
  words,
  type Answer,
  type Client,
  type Json,
  type Lane,
  type Script,
  type WireFormat,
} from "../kit/asking.ts";
import { question, strictChunks, textOf } from "../kit/gemini-client.ts";
import { endpoints } from "../kit/wire/index.ts";
import { addressHeader, ask, asked, rowOf, sendRequest, world, type World } from "./gateway.ts";
import { npmStart, scratch, type Host } from "./host.ts";

const spaces = [scratch(), scratch()];
/** One begins streams after a second of silence, the other one never does. */
const hosts: Host[] = [];

beforeAll(async () => {
  const started = ["1", "0"].map((after, at) =>
    npmStart({
      state: spaces[at]?.folder ?? "",
      environment: { TRUSTED_IP_HEADER: addressHeader, KEEP_ALIVE_AFTER: after },
    }),
  );
  hosts.push(...(await Promise.all(started)));
}, 120_000);

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  for (const space of spaces) space.remove();
});

const sse = { "content-type": "text/event-stream" };
const text = "worth waiting for";
/** Longer than the silence that is borne. */
const silence = 2500;

/** A stream that says nothing of content for a while: an opening event, where the format has one, and then the rest. */
function late(format: WireFormat, more: Script = {}): Script {
  const [first = "", ...rest] = endpoints[format].events({ text }, "m");
  const body = format === "gemini" ? [": ok\n\n", first + rest.join("")] : [first, rest.join("")];
  return { headers: sse, body, pace: silence, ...more };
}

const refused: Script = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: "{}",
};
/** Takes the request, opens the answer, and never says more. */
const hung = (format: WireFormat): Script => ({ ...late(format), limit: 40, end: "hang" });

interface Scene {
  where: World;
  lanes: [Lane, Lane];
}

async function scene(
  given: {
    format: WireFormat;
    script: Script;
    fallback?: { format: WireFormat; script: Script };
    harness?: Json;
    entry?: Json;
  },
  host = hosts[0],
): Promise<Scene> {
  if (host === undefined) throw new Error("no host");
  const lanes: [Lane, Lane] = [laneOn(inject("upstream")), laneOn(inject("upstream"))];
  const { format, script, fallback = { format, script: refused }, harness, entry } = given;
  await lanes[0].answer(script);
  await lanes[1].answer(fallback.script);
  const where = await world(host, {
    providers: [
      provider({ id: "p", format, lane: lanes[0], ...entry }),
      provider({ id: "q", format: fallback.format, lane: lanes[1] }),
    ],
    harnesses: [
      {
        id: "h",
        name: "H",
        ...(given.fallback && { routing: { fallbacks: { "p/m": ["q/m"] } } }),
        ...harness,
      },
    ],
  });
  return { where, lanes };
}

const streamOf = (client: Client): Json => request(client, { model: "p/m", stream: true });

/** What stands before the first event, and all events. */
function split({ text: body }: Answer): { before: string; events: ReturnType<typeof events> } {
  const at = body.search(/^(?:event|data):/m);
  return { before: at < 0 ? body : body.slice(0, at), events: events(body) };
}

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];
const pairs = clients.flatMap((client) => formats.map((format) => ({ client, format })));

describe.concurrent("a stream whose provider is silent", () => {
  it.each(pairs)("$client over $format gets comments alone, then the answer", async (pair) => {
    const { client, format } = pair;
    const { where } = await scene({ format, script: late(format) });
    const begun = Date.now();
    const response = await ask(where, { client, body: streamOf(client) });
    // Its head came before the content.
    expect(Date.now() - begun).toBeLessThan(silence);
    expect(response.headers.get("x-gateway-model")).toBe("p/m");
    const answer = await read(response);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(split(answer).before).toMatch(/^(?:: keep-alive\n\n)+(?:: ok\n\n)?$/);
    expect(words(client, answer)).toBe(text);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, outcome: "ok", model: "p/m" });
    expect(row["first_byte_ms"]).toBeGreaterThanOrEqual(silence - 100);
  });

  it.each(clients)("is relayed byte for byte behind the comments: %s", async (client) => {
    const { where } = await scene({ format: client, script: late(client) });
    // A chat client that asks for usage gets the provider's; from others the gateway hides it.
    const usage = client === "chat" ? { stream_options: { include_usage: true } } : {};
    const answer = await asked(where, { client, body: { ...streamOf(client), ...usage } });
    const sent = endpoints[client].events({ text }, "m").join("");
    expect(answer.text.replace(/^(?:: keep-alive\n\n)+/, "")).toBe(sent);
  });

  it.each(clients)("may still be answered by a fallback: %s", async (client) => {
    const { where } = await scene({
      format: client,
      script: hung(client),
      entry: { timeouts: { first_content: 2 } },
      fallback: { format: "chat", script: replyScript("chat", { text }, { stream: true }) },
    });
    const answer = await asked(where, { client, body: streamOf(client) });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("x-gateway-model")).toBe("p/m");
    expect(split(answer).before).toMatch(/^(?:: keep-alive\n\n)+: model q\/m\n\n$/);
    expect(words(client, answer)).toBe(text);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, outcome: "fallback", model: "q/m" });
    expect(row["attempts"]).toMatchObject([
      { model: "p/m", status: 504 },
      { model: "q/m", status: 200 },
    ]);
  });

  it.each(clients)("tells a failure by the format's own event: %s", async (client) => {
    const { where } = await scene({
      format: client,
      script: hung(client),
      entry: { timeouts: { first_content: 2 } },
    });
    const answer = await asked(where, { client, body: streamOf(client) });
    expect(answer.status).toBe(200);
    const { before, events: told } = split(answer);
    expect(before).toMatch(/^(?:: keep-alive\n\n)+$/);
    const last = told.at(-1)?.json ?? {};
    const message = "Connection error: The provider did not send the first content within 2 s.";
    const expected: Record<Client, Json> = {
      chat: { error: { message, type: "timeout", code: "provider_error" } },
      responses: {
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error", message } },
      },
      messages: { type: "error", error: { type: "overloaded_error", message } },
    };
    expect(last).toMatchObject(expected[client]);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 504, outcome: "failed", model: null });
  });

  it("that fails before its provider's headers keeps its status", async () => {
    const { where } = await scene({
      format: "chat",
      script: { mute: true, end: "hang" },
      entry: { timeouts: { headers: 2 } },
    });
    const answer = await asked(where, { client: "chat", body: streamOf("chat") });
    expect(answer).toMatchObject({ status: 504 });
  });

  it("begins with its content where the setting says never", async () => {
    const { where } = await scene({ format: "chat", script: late("chat") }, hosts[1]);
    const begun = Date.now();
    const response = await ask(where, { client: "chat", body: streamOf("chat") });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(silence - 100);
    const answer = await read(response);
    expect(split(answer).before).toBe("");
    expect(words("chat", answer)).toBe(text);
  });

  it.each(["gemini", "chat"] as const)("a Gemini client gets no comments: %s", async (format) => {
    const { where } = await scene({ format, script: late(format) });
    const sse1 = await gemini(where, "streamGenerateContent?alt=sse");
    const chunks = strictChunks(sse1);
    expect(chunks[0]).toEqual({});
    expect(textOf(chunks)).toBe(text);
    const array = await gemini(where, "streamGenerateContent");
    expect(array).toMatch(/^\n+\[/);
    expect(textOf(JSON.parse(array) as Json[])).toBe(text);
  });

  it("a Gemini client that asked for an array gets its failure in one", async () => {
    const { where } = await scene({
      format: "chat",
      script: hung("chat"),
      entry: { timeouts: { first_content: 2 } },
    });
    const array = JSON.parse(await gemini(where, "streamGenerateContent")) as Json[];
    expect(array).toMatchObject([{ error: { code: 504, status: "DEADLINE_EXCEEDED" } }]);
  });

  it("is read by the official SDKs", async () => {
    const { where } = await scene({ format: "messages", script: late("messages") });
    const common = { apiKey: where.key, maxRetries: 0 };
    const openai = new OpenAI({ ...common, baseURL: `${where.host.base}/v1` });
    const anthropic = new Anthropic({ ...common, baseURL: where.host.base });
    const messages = [{ role: "user" as const, content: "hi" }];
    const chat = openai.chat.completions.stream({ model: "p/m", messages });
    const responses = openai.responses.stream({ model: "p/m", input: "hi" });
    const own = anthropic.messages.stream({ model: "p/m", max_tokens: 50, messages });
    expect((await chat.finalChatCompletion()).choices[0]?.message.content).toBe(text);
    expect((await responses.finalResponse()).output_text).toBe(text);
    expect(await own.finalText()).toBe(text);
  });
});

async function gemini(where: World, method: string): Promise<string> {
  const answer = await sendRequest(where.host, `/v1beta/models/p/m:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": where.key },
    body: JSON.stringify(question()),
  });
  expect(answer.status).toBe(200);
  return await answer.text();
}

describe.concurrent("a whole answer that takes long", () => {
  const harness = { whole_keep_alive: true };
  const whole = (format: WireFormat): Script => ({
    ...replyScript(format, { text }, { stream: false }),
    delay: 12_000,
  });

  it.each(clients)("begins with spaces where its harness wants that: %s", async (client) => {
    const { where } = await scene({ format: "chat", script: whole("chat"), harness });
    const answer = await asked(where, { client, body: request(client, { model: "p/m" }) });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("x-gateway-model")).toBe("p/m");
    expect(answer.text).toMatch(/^ +\{/);
    expect(words(client, answer)).toBe(text);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, outcome: "ok" });
  });

  it.each(clients)("has the error's envelope as its body where it fails: %s", async (client) => {
    const { where } = await scene({
      format: "chat",
      script: { ...refused, delay: 11_000 },
      harness,
    });
    const answer = await asked(where, { client, body: request(client, { model: "p/m" }) });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toMatch(/^ +\{/);
    expect(parsed(answer.text)["error"]).toMatchObject({ message: expect.any(String) });
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 500, outcome: "failed" });
  });

  it("shows that its client left", async () => {
    const { where, lanes } = await scene({
      format: "chat",
      script: { mute: true, end: "hang" },
      harness,
    });
    const leaving = new AbortController();
    const body = request("chat", { model: "p/m" });
    const response = await ask(where, { client: "chat", body, signal: leaving.signal });
    const id = response.headers.get("x-gateway-request-id");
    await sleep(100);
    leaving.abort();
    await lanes[0].left(0, 10_000);
    expect(await rowOf(where, id)).toMatchObject({ outcome: "left", status: 499 });
  });
});
