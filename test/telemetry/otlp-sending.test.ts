/** How exports are sent: to collectors that take them, refuse them, reject parts of them or say nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { otelSettingsOf, type OtelSettings } from "../../src/store/otel-settings.ts";
import { Exporter } from "../../src/telemetry/otlp/exporter.ts";
import { sinkDropped } from "../../src/telemetry/otlp/genai-metrics.ts";
import { traceRequest } from "../../src/telemetry/otlp/messages.ts";
import { sendExport, type Exported } from "../../src/telemetry/otlp/send-export.ts";
import type { Span } from "../../src/telemetry/trace/span.ts";
import { Collector } from "./collector.ts";

let collector: Collector;

beforeEach(async () => {
  collector = await Collector.open();
});

afterEach(async () => {
  await collector.close();
});

const origin = { resource: { "service.name": "s" }, version: "1" };

function span(name = "n", text = ""): Span {
  return {
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    remoteParent: false,
    name,
    kind: "server",
    start: 1,
    end: 2,
    attributes: [["text", text]],
    failed: false,
  };
}

function settings(more: Record<string, string> = {}): OtelSettings {
  const found = otelSettingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more });
  if (found === null) throw new Error("nothing would be sent");
  return found;
}

const send = (more?: Record<string, string>): Promise<Exported> => {
  const given = settings(more);
  return sendExport(given.traces ?? "", traceRequest([span()], origin), given);
};

describe("an export", () => {
  it.each([
    ["http/protobuf", "none", "application/x-protobuf"],
    ["http/protobuf", "gzip", "application/x-protobuf"],
    ["http/json", "none", "application/json"],
    ["http/json", "gzip", "application/json"],
  ])("is written as %s with compression %s", async (protocol, compression, type) => {
    const given = {
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    };
    expect(await send(given)).toEqual({ kind: "taken", rejected: 0 });
    const [first] = collector.exports;
    expect(first?.headers["content-type"]).toBe(type);
    expect(first?.headers["content-encoding"]).toBe(compression === "gzip" ? "gzip" : undefined);
    expect(collector.spans()).toMatchObject([{ name: "n", spanId: "00f067aa0ba902b7" }]);
  });

  it("is sent again where the collector asks for that, after the pause that it names", async () => {
    collector.manner = { status: 503, headers: { "retry-after": "1" } };
    const sending = send();
    await sleep(500);
    expect(collector.exports).toHaveLength(1);
    collector.manner = "take";
    expect(await sending).toEqual({ kind: "taken", rejected: 0 });
    expect(collector.exports).toHaveLength(2);
  });

  it.each([400, 401, 413, 500, 501, 302, 307])(
    "is lost at once where the answer is %s",
    async (status) => {
      const other = await Collector.open();
      collector.manner = { status, headers: { location: `${other.url}/v1/traces` } };
      expect(await send()).toEqual({ kind: "lost", why: `status ${status}` });
      expect(collector.exports).toHaveLength(1);
      // A redirect is not followed: the headers are secrets.
      expect(other.exports).toEqual([]);
      await other.close();
    },
  );

  it.each([429, 502, 503, 504])("ends in its time while the answers are %s", async (status) => {
    collector.manner = { status };
    expect(await send({ OTEL_EXPORTER_OTLP_TIMEOUT: "2500" })).toEqual({
      kind: "later",
      why: `status ${status}`,
    });
    expect(collector.exports.length).toBeGreaterThan(1);
  });

  it("ends in its time at a collector that says nothing, and at none", async () => {
    collector.manner = "hang";
    const quick = { OTEL_EXPORTER_OTLP_TIMEOUT: "300" };
    expect(await send(quick)).toEqual({ kind: "later", why: "no answer in time" });
    const nobody = { ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    expect(await send(nobody)).toMatchObject({ kind: "later" });
  });

  it.each([
    ["is longer than is read", { body: new Uint8Array(100 * 1024) }],
    ["is not packed as it says", { headers: { "content-encoding": "gzip" }, body: "no gzip" }],
    ["says nothing of it", { body: "\u0000" }],
  ])("is taken once, also where the answer %s", async (_, answer) => {
    collector.manner = { status: 200, ...answer };
    expect(await send()).toEqual({ kind: "taken", rejected: 0 });
    expect(collector.exports).toHaveLength(1);
  });

  it("knows what the collector left out of it", async () => {
    collector.manner = { status: 200, body: Uint8Array.from([0x0a, 0x02, 0x08, 0x01]) };
    expect(await send()).toEqual({ kind: "taken", rejected: 1 });
    collector.manner = {
      status: 200,
      body: JSON.stringify({ partialSuccess: { rejectedSpans: "1" } }),
    };
    expect(await send({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" })).toEqual({
      kind: "taken",
      rejected: 1,
    });
  });
});

describe("the queue", () => {
  const exporterWith = (more: Record<string, string> = {}): Exporter =>
    new Exporter(settings({ OTEL_METRICS_EXPORTER: "none", ...more }), { origin, now: Date.now });
  const spansOf = (exporter: Exporter): unknown => exporter.stats()[0];

  it("is bounded by its number of spans, and counts what did not fit", () => {
    const exporter = exporterWith({ OTEL_BSP_MAX_QUEUE_SIZE: "10" });
    for (let index = 0; index < 8; index += 1) exporter.queue([span(), span()]);
    expect(spansOf(exporter)).toEqual({ name: "otlp_traces", queued: 10, sent: 0, dropped: 6 });
  });

  it("is bounded by its size", () => {
    const exporter = exporterWith({ OTEL_BSP_MAX_QUEUE_SIZE: "1000000" });
    for (let index = 0; index < 1000; index += 1)
      exporter.queue([span("n", "x".repeat(40_000))], 40_000);
    expect(exporter.stats()[0]?.queued).toBeLessThan(220);
    expect(exporter.stats()[0]?.dropped).toBeGreaterThan(780);
  });

  it("is sent in batches, in its order, one after another", async () => {
    const exporter = exporterWith();
    for (let index = 0; index < 1200; index += 1) exporter.queue([span(String(index))]);
    const background: Promise<unknown>[] = [];
    for (let index = 0; index < 20; index += 1) exporter.wake((work) => background.push(work));
    // One request keeps the work going for all.
    expect(background).toHaveLength(1);
    await Promise.all(background);
    expect(
      collector.traces().map(({ resourceSpans }) => resourceSpans[0]?.scopeSpans[0]?.spans.length),
    ).toEqual([256, 256, 256, 256, 176]);
    expect(collector.spans().map(({ name }) => Number(name))).toEqual(
      Array.from({ length: 1200 }, (_, index) => index),
    );
    expect(spansOf(exporter)).toEqual({ name: "otlp_traces", queued: 0, sent: 1200, dropped: 0 });
  });

  it("counts what a collector refused, and goes on with what comes later", async () => {
    const exporter = exporterWith();
    collector.manner = { status: 500 };
    exporter.queue([span(), span()]);
    await exporter.flush(2000);
    collector.manner = "take";
    exporter.queue([span("later")]);
    await exporter.flush(2000);
    expect(spansOf(exporter)).toEqual({ name: "otlp_traces", queued: 0, sent: 1, dropped: 2 });
    expect(collector.spans().at(-1)?.name).toBe("later");
  });

  it("counts what is under way among what waits: nothing is ever missing", async () => {
    const exporter = exporterWith({ OTEL_EXPORTER_OTLP_TIMEOUT: "1000" });
    collector.manner = "hang";
    exporter.queue([span(), span()]);
    const ended = exporter.flush(2000);
    while (collector.exports.length === 0) await sleep(5);
    exporter.queue([span()]);
    expect(spansOf(exporter)).toEqual({ name: "otlp_traces", queued: 3, sent: 0, dropped: 0 });
    collector.manner = "take";
    await ended;
    expect(spansOf(exporter)).toEqual({ name: "otlp_traces", queued: 0, sent: 3, dropped: 0 });
  });

  it.each([{ status: 503 }, "hang"] as const)(
    "outlasts five minutes in which the collector answers %j, and so do metrics",
    async (manner) => {
      // Sixty times as fast; the process has ended its work long before the collector is back.
      const begun = Date.now();
      const now = (): number => begun + (Date.now() - begun) * 60;
      const more = { OTEL_EXPORTER_OTLP_TIMEOUT: "50", OTEL_METRIC_EXPORT_INTERVAL: "60000" };
      const exporter = new Exporter(settings(more), { origin, now });
      collector.manner = manner;
      const to = { key: "test", attributes: () => [] };
      const background: Promise<unknown>[] = [];
      let requests = 0;
      const end = async (): Promise<void> => {
        requests += 1;
        exporter.queue([span(String(requests))]);
        exporter.meter.add(sinkDropped, 1, { to });
        exporter.wake((work) => background.push(work));
        await sleep(25);
      };
      while (now() < begun + 300_000) await end();
      expect(exporter.stats()[0]).toMatchObject({ queued: requests, sent: 0, dropped: 0 });
      collector.exports.length = 0;
      collector.manner = "take";
      await end();
      await Promise.all(background);
      await exporter.flush(2000);
      const names = collector.spans().map(({ name }) => Number(name));
      expect(new Set(names).size).toBe(requests);
      const points = collector.metrics().flatMap(({ sum }) => sum?.dataPoints ?? []);
      expect(points.reduce((all, { asDouble = 0 }) => all + asDouble, 0)).toBe(requests);
      const [traces, metrics] = exporter.stats();
      expect(traces).toMatchObject({ queued: 0, sent: requests, dropped: 0 });
      expect(metrics).toMatchObject({ queued: 0, dropped: 0 });
    },
  );

  it("is emptied at the end of the process, for no longer than there is time", async () => {
    const exporter = exporterWith();
    collector.manner = "hang";
    exporter.queue([span()]);
    const before = Date.now();
    await exporter.flush(300);
    expect(Date.now() - before).toBeLessThan(5000);
  });

  it("tells as a metric what was dropped", async () => {
    const exporter = exporterWith({ OTEL_BSP_MAX_QUEUE_SIZE: "1", OTEL_METRICS_EXPORTER: "otlp" });
    exporter.queue([span()]);
    exporter.queue([span()]);
    await exporter.flush(2000);
    const dropped = collector.metrics().find(({ name }) => name === "gateway.sink.dropped");
    expect(dropped?.sum?.dataPoints).toMatchObject([{ asDouble: 1 }]);
    expect(exporter.stats()[1]).toEqual({ name: "otlp_metrics", queued: 0, sent: 1, dropped: 0 });
  });
});
