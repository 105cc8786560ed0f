/** Spans and metrics as a collector gets them from a gateway that runs. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  clients,
  openLane as laneOn,
  provider,
  replyScript,
  request,
  secret,
  type Json,
  type Lane,
} from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { addressHeader, ask, asked, sendRequest, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";
import { Collector } from "./collector.ts";
import { attributesOf, type ReadSpan } from "./otlp-reader.ts";

const space = scratch();
const collector = await Collector.open();
const collectorSecret = "collector secret 7f3a";
let host: Host;

beforeAll(async () => {
  host = await npmStart({
    state: space.folder,
    environment: {
      TRUSTED_IP_HEADER: addressHeader,
      PUBLIC_URL: "https://gateway.example.com",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${encodeURIComponent(collectorSecret)}`,
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test%20bench",
      OTEL_METRIC_EXPORT_INTERVAL: "500",
    },
  });
});

afterAll(async () => {
  await host.stop();
  await collector.close();
  space.remove();
});

const openLane = (): Lane => laneOn(inject("upstream"));
const sse = { "content-type": "text/event-stream" };
const serverKind = 2;
const clientKind = 3;
const errorStatus = 2;

/** A trace of the caller's own, and what to send of it. */
function callersTrace(flags = "01"): {
  traceId: string;
  parentId: string;
  headers: Record<string, string>;
} {
  const traceId = randomBytes(16).toString("hex");
  const parentId = randomBytes(8).toString("hex");
  return { traceId, parentId, headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } };
}

const harness = { id: "h", name: "H" };

async function two(): Promise<{ where: World; first: Lane; second: Lane }> {
  const [first, second] = [openLane(), openLane()];
  const where = await world(host, {
    providers: [
      provider({ id: "one", format: "chat", lane: first }),
      provider({ id: "two", format: "messages", lane: second }),
    ],
    harnesses: [{ ...harness, routing: { fallbacks: { "one/m": ["two/m"] } } }],
  });
  return { where, first, second };
}

function bySide(spans: readonly ReadSpan[]): { server: ReadSpan; calls: ReadSpan[] } {
  const [server, ...more] = spans.filter(({ kind }) => kind === serverKind);
  expect(more).toEqual([]);
  if (server === undefined) throw new Error("there is no span of the gateway's own");
  return { server, calls: spans.filter(({ kind }) => kind === clientKind) };
}

describe("the spans of a request", () => {
  it("tell of a whole answer in the words of the conventions", async () => {
    const lane = openLane();
    await lane.answer(
      replyScript(
        "chat",
        { text: "fine", usage: { input: 7, cached: 2, output: 3 } },
        { stream: false },
      ),
    );
    const where = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [harness],
    });
    const { traceId, parentId, headers } = callersTrace();
    const got = await asked(where, {
      client: "chat",
      body: request("chat", { model: "one/m" }),
      headers,
    });
    expect(got.status, got.text).toBe(200);
    const spans = await collector.trace(traceId, 2);
    const { server, calls } = bySide(spans);
    expect(server).toMatchObject({ name: "POST /v1/chat/completions", parentSpanId: parentId });
    expect(attributesOf(server)).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/v1/chat/completions",
      "http.response.status_code": 200,
      "server.address": "gateway.example.com",
      "server.port": 443,
      "gateway.request.id": got.headers.get("x-gateway-request-id"),
      "gateway.harness": "h",
      "gateway.format": "chat",
      "gateway.dropped.count": 0,
    });
    const [call] = calls;
    expect(call).toMatchObject({ name: "chat m", parentSpanId: server.spanId });
    expect(call?.status?.code ?? 0).toBe(0);
    const facts = attributesOf(call ?? { attributes: [] });
    expect(facts).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "custom",
      "gen_ai.request.model": "m",
      "gen_ai.request.stream": false,
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.cache_read.input_tokens": 2,
      "gen_ai.usage.output_tokens": 3,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(inject("upstream")).port),
    });
    expect(facts).toHaveProperty("gen_ai.response.id");
    expect(BigInt(server.startTimeUnixNano)).toBeLessThanOrEqual(
      BigInt(call?.startTimeUnixNano ?? 0),
    );
    expect(BigInt(server.endTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(call?.endTimeUnixNano ?? 0),
    );
    // What the provider was told is the call's own span.
    const [received] = await lane.received();
    expect(received?.headers["traceparent"]).toBe(`00-${traceId}-${call?.spanId}-01`);
    expect(received?.headers["tracestate"]).toBeUndefined();
  });

  it("are a tree for a fallback: the failed call, then the one that answered", async () => {
    const { where, first, second } = await two();
    await first.answer(whole({ error: { message: "boom canary text" } }, 500));
    await second.answer(replyScript("messages", { text: "fine" }, { stream: true }));
    const { traceId, headers } = callersTrace();
    const body = request("chat", { model: "one/m", stream: true });
    const got = await asked(where, { client: "chat", body, headers });
    expect(got.status, got.text).toBe(200);
    const { server, calls } = bySide(await collector.trace(traceId, 3));
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([server.spanId, server.spanId]);
    const [failed, answered] = calls;
    expect(failed?.status).toEqual({ code: errorStatus });
    expect(attributesOf(failed ?? {})).toMatchObject({
      "error.type": "500",
      "gateway.provider": "one",
    });
    expect(answered?.status?.code ?? 0).toBe(0);
    expect(attributesOf(answered ?? {})).toMatchObject({
      "gateway.provider": "two",
      "gen_ai.request.stream": true,
    });
    expect(
      attributesOf(answered ?? {})["gen_ai.response.time_to_first_chunk"],
    ).toBeGreaterThanOrEqual(0);
    expect(server.status?.code ?? 0).toBe(0);
    expect(attributesOf(server)).toMatchObject({
      "gateway.fallback.index": 0,
      "gateway.attempts": 2,
    });
    // Each provider was told of its own call.
    const told = [...(await first.received()), ...(await second.received())].map(
      ({ headers: { traceparent } }) => traceparent,
    );
    expect(told).toEqual(calls.map(({ spanId }) => `00-${traceId}-${spanId}-01`));
  });

  it("of a cut stream end with what cut it", async () => {
    const lane = openLane();
    await lane.answer({
      headers: sse,
      body: endpoints.chat.events({ text: "words that stop in the middle ".repeat(20) }, "m"),
      limit: 2500,
      end: "cut",
    });
    const where = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [harness],
    });
    const { traceId, headers } = callersTrace();
    await (
      await ask(where, {
        client: "messages",
        body: request("messages", { model: "one/m", stream: true }),
        headers,
      })
    ).text();
    const { server, calls } = bySide(await collector.trace(traceId, 2));
    const [call] = calls;
    expect(call?.status).toEqual({ code: errorStatus });
    const cause = attributesOf(call ?? {})["error.type"];
    expect(["cut", "reset"]).toContain(cause);
    expect(server.status).toEqual({ code: errorStatus });
    expect(attributesOf(server)).toMatchObject({
      "error.type": cause,
      "http.response.status_code": 200,
    });
  });

  it("of a client that left say so", async () => {
    const lane = openLane();
    const events = endpoints.chat.events(
      { text: "a long answer that nobody waits for ".repeat(60) },
      "m",
    );
    await lane.answer({ headers: sse, body: events, pace: 20 });
    const where = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [harness],
    });
    const { traceId, headers } = callersTrace();
    const leaving = new AbortController();
    const body = request("chat", { model: "one/m", stream: true });
    const response = await ask(where, { client: "chat", body, headers, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    const { server, calls } = bySide(await collector.trace(traceId, 2));
    expect(attributesOf(calls[0] ?? {})["error.type"]).toBe("client_left");
    expect(attributesOf(server)["error.type"]).toBe("client_left");
  });

  it("are the gateway's own alone where nobody was asked", async () => {
    const lane = openLane();
    const where = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [
        { ...harness, limits: [{ metric: "requests", period: "day", max: 0, action: "block" }] },
      ],
    });
    const blocked = callersTrace();
    await asked(where, {
      client: "chat",
      body: request("chat", { model: "one/m" }),
      headers: blocked.headers,
    });
    const [refused, ...others] = await collector.trace(blocked.traceId, 1);
    expect(attributesOf(refused ?? {})).toMatchObject({
      "error.type": "M200",
      "gateway.refusal": "M200",
      "gateway.harness": "h",
    });
    const stranger = callersTrace();
    await sendRequest(host, "/v1/chat/completions", {
      method: "POST",
      headers: stranger.headers,
      body: "{}",
    });
    const [unknown, ...more] = await collector.trace(stranger.traceId, 1);
    expect(attributesOf(unknown ?? {})).toMatchObject({
      "error.type": "M001",
      "http.response.status_code": 401,
    });
    expect([...others, ...more]).toEqual([]);
    expect(await lane.received()).toEqual([]);
  });

  it("begin a trace of their own where none came, or none that can be", async () => {
    const lane = openLane();
    await lane.answer(replyScript("chat", { text: "fine" }, { stream: false }));
    const where = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [harness],
    });
    const body = request("chat", { model: "one/m" });
    await asked(where, { client: "chat", body });
    await asked(where, {
      client: "chat",
      body,
      headers: { traceparent: `00-${"0".repeat(32)}-${"1".repeat(16)}-01`, tracestate: "a=1" },
    });
    for (const { headers } of await lane.received()) {
      const traceId = String(headers["traceparent"]).split("-")[1] ?? "";
      expect(traceId).toMatch(/^[\da-f]{32}$/);
      expect(headers["tracestate"]).toBeUndefined();
      const { server } = bySide(await collector.trace(traceId, 2));
      expect(server.parentSpanId ?? "").toBe("");
    }
  });

  it("are not made where the caller does not record, and the trace goes on all the same", async () => {
    const lane = openLane();
    await lane.answer(replyScript("messages", { text: "fine" }, { stream: false }));
    const where = await world(host, {
      providers: [provider({ id: "one", format: "messages", lane })],
      harnesses: [harness],
    });
    const { traceId, parentId, headers } = callersTrace("00");
    for (const client of clients)
      await asked(where, {
        client,
        body: request(client, { model: "one/m" }),
        headers: { ...headers, tracestate: "vendor=state,other=1" },
      });
    const received = await lane.received();
    expect(received).toHaveLength(3);
    for (const each of received) {
      expect(each.headers["traceparent"]).toMatch(
        new RegExp(`^00-${traceId}-(?!${parentId})[\\da-f]{16}-00$`),
      );
      expect(each.headers["tracestate"]).toBe("vendor=state,other=1");
    }
    await sleep(2000);
    expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it("join two gateways in a row to one trace", async () => {
    const lane = openLane();
    await lane.answer(replyScript("chat", { text: "fine" }, { stream: false }));
    const behind = await world(host, {
      providers: [provider({ id: "one", format: "chat", lane })],
      harnesses: [harness],
    });
    const entry = {
      id: "hop",
      kind: "custom",
      format: "chat",
      base_url: `${host.base}/v1`,
      api_key: behind.key,
      models: [{ id: "one/m" }],
    };
    const front = await world(host, { providers: [entry], harnesses: [harness] });
    const { traceId, parentId, headers } = callersTrace();
    await asked(front, {
      client: "messages",
      body: request("messages", { model: "hop/one/m" }),
      headers,
    });
    const spans = await collector.trace(traceId, 4);
    const children = (id: string | undefined): ReadSpan[] =>
      spans.filter((span) => span.parentSpanId === id);
    let [next] = children(parentId);
    const chain: number[] = [];
    for (; next !== undefined; [next] = children(next.spanId)) chain.push(next.kind);
    expect(chain).toEqual([serverKind, clientKind, serverKind, clientKind]);
  });
});

describe("what is exported", () => {
  it("holds messages only where the harness has them traced, and never a secret", async () => {
    const lane = openLane();
    const canary = "canary-prompt-93d1";
    const reply = "canary-answer-27ab";
    await lane.answer(replyScript("chat", { text: reply }, { stream: false }));
    const providers = [provider({ id: "one", format: "chat", lane })];
    const silent = await world(host, { providers, harnesses: [harness] });
    const spoken = await world(host, { providers, harnesses: [{ ...harness, trace_text: true }] });
    const body: Json = { model: "one/m", messages: [{ role: "user", content: canary }] };
    const first = callersTrace();
    await asked(silent, {
      client: "chat",
      body,
      headers: { ...first.headers, "x-canary": canary },
    });
    await collector.trace(first.traceId, 2);
    const before = Buffer.concat(collector.exports.map((each) => each.body)).toString("latin1");
    for (const text of [
      canary,
      reply,
      "boom canary text",
      secret,
      silent.key,
      collectorSecret,
      host.adminToken,
    ])
      expect(before).not.toContain(text);
    const second = callersTrace();
    await asked(spoken, { client: "chat", body, headers: second.headers });
    const { calls } = bySide(await collector.trace(second.traceId, 2));
    const facts = attributesOf(calls[0] ?? {});
    expect(JSON.parse(String(facts["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: canary }] },
    ]);
    expect(JSON.parse(String(facts["gen_ai.output.messages"]))).toEqual([
      { role: "assistant", parts: [{ type: "text", content: reply }], finish_reason: "stop" },
    ]);
  });

  it("names the process, the program and the version of the conventions, and carries the collector's headers", () => {
    const [first] = collector.traces();
    const [spans] = first?.resourceSpans ?? [];
    expect(attributesOf(spans?.resource ?? {})).toMatchObject({
      "service.name": "routing-gateway",
      "deployment.environment.name": "test bench",
      "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(spans?.schemaUrl).toBe("https://opentelemetry.io/schemas/1.41.1");
    expect(collector.exports[0]?.headers).toMatchObject({
      "x-collector-key": collectorSecret,
      "content-type": "application/x-protobuf",
    });
  });

  it("counts tokens, times and requests as what came since the export before", async () => {
    for (let tries = 0; tries < 100 && collector.metrics().length < 5; tries += 1) await sleep(100);
    const metrics = collector.metrics();
    const names = new Set(metrics.map(({ name }) => name));
    for (const name of [
      "gen_ai.client.token.usage",
      "gen_ai.client.operation.duration",
      "gen_ai.client.operation.time_to_first_chunk",
      "gen_ai.client.operation.time_per_output_chunk",
      "gateway.requests",
      "gateway.cost",
    ])
      expect([...names]).toContain(name);
    const durations = metrics.filter(({ name }) => name === "gen_ai.client.operation.duration");
    const points = durations.flatMap(({ histogram }) => histogram?.dataPoints ?? []);
    expect(durations.every(({ histogram }) => histogram?.aggregationTemporality === 1)).toBe(true);
    for (const point of points) {
      const sum = (point.bucketCounts ?? []).reduce((all, each) => all + Number(each), 0);
      expect(sum).toBe(Number(point.count));
      expect(point.explicitBounds).toHaveLength(14);
    }
  });
});
