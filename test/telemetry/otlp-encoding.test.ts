/** Our encoder against the published package: what it writes and reads is the same, field by field. */
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { describe, expect, it } from "vitest";
import { metricsRequest, traceRequest } from "../../src/telemetry/otlp/messages.ts";
import { Meter } from "../../src/telemetry/otlp/meter.ts";
import type { Metric } from "../../src/telemetry/otlp/metric.ts";
import { exportBytes } from "../../src/telemetry/otlp/protobuf.ts";
import { rejectedIn } from "../../src/telemetry/otlp/rejected.ts";
import { conventionsSchema } from "../../src/telemetry/trace/conventions.ts";
import type { AttributeValue, Span } from "../../src/telemetry/trace/span.ts";
import { random, type Random } from "../kit/random.ts";
import { attributesOf, readMetrics, readTraces, type ReadTraces } from "./otlp-reader.ts";

const origin = { resource: { "service.name": "s", empty: "" }, version: "1" };

const hex = ({ pick }: Random, length: number): string =>
  Array.from({ length }, () => pick(["0", "1", "7", "a", "f", "c"])).join("");

const texts = [
  "",
  "a",
  "ünïcødé",
  "日本語 🦊",
  "\u0000\u001f",
  'quote" back\\',
  "x".repeat(300),
  "y".repeat(20_000),
] as const;
const lone = "half \ud83e of a pair";

function anyText(dice: Random): string {
  return dice.chance(0.05) ? lone : dice.pick(texts);
}

function anyAttribute(dice: Random): AttributeValue {
  const numbers = [
    0,
    1,
    127,
    128,
    300,
    2 ** 31,
    2 ** 53 - 1,
    -1,
    -128,
    -(2 ** 53 - 1),
    0.5,
    2 ** 60,
    Number.NaN,
    Infinity,
  ] as const;
  const reals = [0, 1, -1, 0.1, 1e300, 5e-324, Number.NaN, Infinity, -Infinity] as const;
  switch (dice.int(0, 4)) {
    case 0:
      return anyText(dice);
    case 1:
      return dice.pick(numbers);
    case 2:
      return dice.chance(0.5);
    case 3:
      return { real: dice.pick(reals) };
    default:
      return dice.list(0, 3, () => anyText(dice));
  }
}

function anySpan(dice: Random): Span {
  const start = dice.int(0, 2 ** 42);
  const named = dice.list(
    0,
    12,
    (index) => [`${index}${anyText(dice).slice(0, 9)}`, anyAttribute(dice)] as const,
  );
  return {
    traceId: hex(dice, 32),
    spanId: hex(dice, 16),
    ...(dice.chance(0.7) && { parentId: hex(dice, 16) }),
    ...(dice.chance(0.3) && { state: "a=1,b=2" }),
    remoteParent: dice.chance(0.5),
    name: anyText(dice).toWellFormed(),
    kind: dice.pick(["server", "client"]),
    start,
    end: start + dice.int(0, 100_000),
    attributes: named,
    failed: dice.chance(0.3),
  };
}

/** The value as any encoding has to hold it. */
function expected(value: AttributeValue): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((each: string) => each.toWellFormed());
  return typeof value === "object" && "real" in value ? value.real : value;
}

function spansIn(read: ReadTraces): unknown[] {
  return read.resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        traceState: span.traceState ?? "",
        name: span.name,
        kind: span.kind,
        start: span.startTimeUnixNano,
        end: span.endTimeUnixNano,
        attributes: attributesOf(span),
        code: span.status?.code ?? 0,
        message: span.status?.message ?? "",
      })),
    ),
  );
}

function expectedSpan(span: Span): unknown {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId ?? "",
    traceState: span.state ?? "",
    name: span.name,
    kind: span.kind === "server" ? 2 : 3,
    start: `${span.start}000000`,
    end: `${span.end}000000`,
    attributes: Object.fromEntries(
      span.attributes.flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toWellFormed(), expected(value)]],
      ),
    ),
    code: span.failed ? 2 : 0,
    message: "",
  };
}

type Official = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

/** The same span as the package's own API has it. */
function official(span: Span): Official {
  const context = (spanId: string): object => ({
    traceId: span.traceId,
    spanId,
    traceFlags: 1,
    ...(span.state !== undefined && { traceState: { serialize: () => span.state } }),
  });
  const time = (ms: number): [number, number] => [Math.floor(ms / 1000), (ms % 1000) * 1e6];
  return {
    name: span.name,
    // The API counts from 0, the wire from 1.
    kind: span.kind === "server" ? 1 : 2,
    spanContext: () => context(span.spanId),
    parentSpanId: span.parentId,
    startTime: time(span.start),
    endTime: time(span.end),
    status: { code: span.failed ? 2 : 0 },
    attributes: Object.fromEntries(
      span.attributes.map(([name, value]) => [name, expected(value ?? "")]),
    ),
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource: { attributes: {} },
    instrumentationLibrary: { name: "n" },
  } as unknown as Official;
}

describe("spans in our encodings", () => {
  it("are read by the package with every field as it was", () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const dice = random(seed);
      const spans = dice.list(1, 6, () => anySpan(dice));
      const request = traceRequest(spans, origin);
      const read = readTraces(exportBytes(request));
      expect(spansIn(read), `seed ${seed}`).toEqual(spans.map(expectedSpan));
      const [resource] = read.resourceSpans;
      expect(attributesOf(resource?.resource ?? {})).toEqual(origin.resource);
      expect([resource?.schemaUrl, resource?.scopeSpans[0]?.schemaUrl]).toEqual([
        conventionsSchema,
        conventionsSchema,
      ]);
      const json = JSON.parse(JSON.stringify(request)) as ReadTraces;
      expect(spansIn(json), `seed ${seed}`).toEqual(spans.map(expectedSpan));
    }
  });

  it("mean what the package's own serializers write of them", () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const dice = random(seed + 1000);
      // The package writes lone surrogates as bytes that are no UTF-8, and large doubles as integers, which are 0 then.
      const spans = dice
        .list(1, 4, () => anySpan(dice))
        .map((span) => ({
          ...span,
          attributes: span.attributes.filter(
            ([name, value]) => !/\\ud83e|e\+300/.test(JSON.stringify([name, value])),
          ),
        }));
      const ours = spansIn(readTraces(exportBytes(traceRequest(spans, origin))));
      const theirs = ProtobufTraceSerializer.serializeRequest(spans.map(official));
      expect(ours, `seed ${seed}`).toEqual(spansIn(readTraces(theirs ?? new Uint8Array(0))));
      const json = JsonTraceSerializer.serializeRequest(spans.map(official)) ?? new Uint8Array(0);
      const finite = spans.every(({ attributes }) =>
        attributes.every(([, value]) => !/null/.test(JSON.stringify(value))),
      );
      if (finite)
        expect(ours).toEqual(spansIn(JSON.parse(new TextDecoder().decode(json)) as ReadTraces));
    }
  });
});

describe("metrics in our encodings", () => {
  const instrument = { name: "h", unit: "s", description: "d", bounds: [1, 2, 4] };

  it("hold counts, sums and buckets of what was added", () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const dice = random(seed);
      const meter = new Meter(1000);
      const counter = { name: "c", unit: "1", description: "" };
      const values = dice.list(1, 30, () => ({
        value: dice.next() * 6,
        times: dice.int(1, 300),
        key: dice.pick(["a", "b"]),
      }));
      for (const { value, times, key } of values) {
        meter.add(instrument, value, { to: { key, attributes: () => [["k", key]] }, times });
        meter.add(counter, value, { to: { key: "", attributes: () => [] } });
      }
      const metrics = meter.take(5000);
      const request = metricsRequest(metrics, origin);
      const read = readMetrics(exportBytes(request));
      const [first, second] = read.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
      expect(first).toMatchObject({
        name: "h",
        unit: "s",
        histogram: { aggregationTemporality: 1 },
      });
      for (const point of first?.histogram?.dataPoints ?? []) {
        const of = values.filter(({ key }) => key === attributesOf(point)["k"]);
        const count = (low: number, high: number): string =>
          String(
            of
              .filter(({ value }) => value > low && value <= high)
              .reduce((sum, { times }) => sum + times, 0),
          );
        expect(point.bucketCounts).toEqual([
          count(-1, 1),
          count(1, 2),
          count(2, 4),
          count(4, Infinity),
        ]);
        expect(point.explicitBounds).toEqual([1, 2, 4]);
        expect(point.count).toBe(count(-1, Infinity));
        expect(point.sum).toBeCloseTo(
          of.reduce((sum, { value, times }) => sum + value * times, 0),
          6,
        );
        expect([point.startTimeUnixNano, point.timeUnixNano]).toEqual(["1000000000", "5000000000"]);
      }
      expect(second?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 1 });
      expect(second?.sum?.dataPoints[0]?.asDouble).toBeCloseTo(
        values.reduce((sum, { value }) => sum + value, 0),
        6,
      );
      expect(meter.isEmpty).toBe(true);
    }
  });

  it("stay within bounds whatever the attributes are", () => {
    const meter = new Meter(0);
    for (let index = 0; index < 10_000; index += 1)
      meter.add(instrument, 1, {
        to: { key: `made up ${index}`, attributes: () => [["k", index]] },
      });
    const [metric] = meter.take(1);
    expect(metric?.points.length).toBe(2001);
    expect(metric?.points.at(-1)).toMatchObject({
      attributes: [["otel.metric.overflow", true]],
      value: { count: 8000 },
    });
  });

  it("say what they have to where there is none", () => {
    const metrics: Metric[] = [];
    expect(readMetrics(exportBytes(metricsRequest(metrics, origin))).resourceMetrics).toHaveLength(
      1,
    );
  });
});

describe("what a collector rejected", () => {
  const text = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

  it("is read from both encodings", () => {
    expect(
      rejectedIn(text({ partialSuccess: { rejectedSpans: "7", errorMessage: "no" } }), "json"),
    ).toBe(7);
    expect(rejectedIn(text({ partialSuccess: { rejectedDataPoints: 3 } }), "json")).toBe(3);
    // partial_success { rejected_spans: 300, error_message: 200 characters }
    const message = Array.from({ length: 200 }, () => 97);
    const inner = [0x08, 0xac, 0x02, 0x12, 0xc8, 0x01, ...message];
    expect(rejectedIn(Uint8Array.from([0x0a, 0xce, 0x01, ...inner]), "protobuf")).toBe(300);
  });

  it("is nothing where nothing is said, or nonsense", () => {
    for (const body of [
      [],
      [0x0a, 0x00],
      [0xff],
      [0x0a, 0x02, 0x12, 0x00],
      Array.from({ length: 50 }, () => 255),
    ])
      expect(rejectedIn(Uint8Array.from(body), "protobuf")).toBe(0);
    for (const json of [
      {},
      [],
      null,
      { partialSuccess: {} },
      { partialSuccess: { rejectedSpans: -1 } },
    ])
      expect(rejectedIn(text(json), "json")).toBe(0);
  });
});
