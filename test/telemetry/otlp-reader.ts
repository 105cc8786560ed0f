/** Reads exports with the published package's own generated code, and writes them with its serializers. */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

interface Codec {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): unknown;
}

interface Root {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: Record<"ExportTraceServiceRequest", Codec> };
        metrics: { v1: Record<"ExportMetricsServiceRequest", Codec> };
      };
    };
  };
}

// The package has no types of its generated code.
const { collector } = (load("@opentelemetry/otlp-transformer/build/src/generated/root.js") as Root)
  .opentelemetry.proto;

export type AnyValue = Record<string, unknown>;
export interface KeyValue {
  key: string;
  value: AnyValue;
}

export interface ReadSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status?: { code?: number; message?: string };
}

export interface ReadPoint {
  attributes: KeyValue[];
  startTimeUnixNano: string;
  timeUnixNano: string;
  asDouble?: number;
  count?: string;
  sum?: number;
  bucketCounts?: string[];
  explicitBounds?: number[];
}

export interface ReadMetric {
  name: string;
  unit: string;
  sum?: { dataPoints: ReadPoint[]; aggregationTemporality: number; isMonotonic: boolean };
  histogram?: { dataPoints: ReadPoint[]; aggregationTemporality: number };
}

interface Scoped {
  resource: { attributes: KeyValue[] };
  schemaUrl: string;
}
export interface ReadTraces {
  resourceSpans: (Scoped & { scopeSpans: { spans: ReadSpan[]; schemaUrl: string }[] })[];
}
export interface ReadMetrics {
  resourceMetrics: (Scoped & { scopeMetrics: { metrics: ReadMetric[]; schemaUrl: string }[] })[];
}

/** Unknown or missing fields would show: nothing is filled in. */
const plain = { longs: String, bytes: Buffer, enums: Number, defaults: false, oneofs: false };

export function readTraces(body: Uint8Array): ReadTraces {
  const codec = collector.trace.v1.ExportTraceServiceRequest;
  return inHex(codec.toObject(codec.decode(body), plain)) as ReadTraces;
}

export function readMetrics(body: Uint8Array): ReadMetrics {
  const codec = collector.metrics.v1.ExportMetricsServiceRequest;
  return inHex(codec.toObject(codec.decode(body), plain)) as ReadMetrics;
}

/** Ids as the JSON encoding writes them. */
function inHex(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(inHex);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inHex(each)]));
}

/** A value as JavaScript has it. */
export function plainValue(value: AnyValue): unknown {
  if ("intValue" in value) return Number(value["intValue"]);
  if ("doubleValue" in value) return Number(value["doubleValue"]);
  if ("arrayValue" in value)
    return ((value["arrayValue"] as { values?: AnyValue[] }).values ?? []).map(plainValue);
  return value["stringValue"] ?? value["boolValue"];
}

export function attributesOf({ attributes }: { attributes?: KeyValue[] }): Record<string, unknown> {
  return Object.fromEntries((attributes ?? []).map(({ key, value }) => [key, plainValue(value)]));
}
