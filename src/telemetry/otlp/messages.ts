/** Messages of OTLP as its JSON encoding has them; the protobuf writer takes the same. Pure. */
import { conventionsSchema } from "../trace/conventions.ts";
import type { AttributeValue, Attributes, Span } from "../trace/span.ts";
import type { Metric, Point } from "./metric.ts";

/** Members by the names of the JSON encoding; 64-bit integers are texts there, ids hexadecimal. */
export type OtlpMessage = { readonly [name: string]: OtlpValue };
export type OtlpValue =
  | string
  | number
  | boolean
  | OtlpMessage
  | readonly OtlpValue[]
  /** A message that is written already, in the binary encoding. */
  | Uint8Array
  | undefined;

/** Who made what is exported: attributes of the process, and its program. */
export interface Origin {
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

/** The body of an export of spans. */
export function traceRequest(spans: readonly Span[], origin: Origin): OtlpMessage {
  return traceRequestWith(spans.map(spanMessage), origin);
}

/** The same of spans that are messages already, or written. */
export function traceRequestWith(spans: readonly OtlpValue[], origin: Origin): OtlpMessage {
  return { resourceSpans: [scoped("Spans", { spans }, origin)] };
}

/** The body of an export of metrics. */
export function metricsRequest(metrics: readonly Metric[], origin: Origin): OtlpMessage {
  return { resourceMetrics: [scoped("Metrics", { metrics: metrics.map(metricMessage) }, origin)] };
}

function scoped(
  kind: "Spans" | "Metrics",
  content: OtlpMessage,
  { resource, version }: Origin,
): OtlpMessage {
  const scope = { name: "routing-gateway", version };
  return {
    resource: { attributes: attributeList(Object.entries(resource)) },
    [`scope${kind}`]: [{ scope, ...content, schemaUrl: conventionsSchema }],
    schemaUrl: conventionsSchema,
  };
}

const spanKinds = { server: 2, client: 3 } as const;
/** `Status.code` of an error. */
const errorCode = 2;
/** Bits of `Span.flags` beside those of the trace: whether it is known that the parent is remote, and whether it is. */
const knowsRemote = 0x100;
const isRemote = 0x200;

/** One span by itself. */
export function spanMessage(span: Span): OtlpMessage {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    traceState: span.state,
    parentSpanId: span.parentId,
    name: span.name,
    kind: spanKinds[span.kind],
    startTimeUnixNano: nanoseconds(span.start),
    endTimeUnixNano: nanoseconds(Math.max(span.start, span.end)),
    attributes: attributeList(span.attributes),
    status: span.failed ? { code: errorCode } : {},
    flags: 1 | knowsRemote | (span.remoteParent ? isRemote : 0),
  };
}

/** `AggregationTemporality`: what was counted since the export before. */
const delta = 1;

function metricMessage({ name, unit, description, points, kind }: Metric): OtlpMessage {
  const dataPoints = points.map(pointMessage);
  const data = { dataPoints, aggregationTemporality: delta };
  return kind === "histogram"
    ? { name, description, unit, histogram: data }
    : { name, description, unit, sum: { ...data, isMonotonic: true } };
}

function pointMessage({ attributes, start, end, value }: Point): OtlpMessage {
  const common = {
    attributes: attributeList(attributes),
    startTimeUnixNano: nanoseconds(start),
    timeUnixNano: nanoseconds(end),
  };
  if (typeof value === "number") return { ...common, asDouble: double(value) };
  return {
    ...common,
    count: String(value.count),
    sum: double(value.sum),
    bucketCounts: value.buckets.map(String),
    explicitBounds: value.bounds,
    min: double(value.min),
    max: double(value.max),
  };
}

/** Epoch ms as OTLP wants it. */
function nanoseconds(time: number): string {
  return `${Math.max(0, Math.trunc(time))}000000`;
}

function attributeList(attributes: Attributes): OtlpMessage[] {
  const list: OtlpMessage[] = [];
  for (const [key, value] of attributes)
    if (value !== undefined) list.push({ key: key.toWellFormed(), value: anyValue(value) });
  return list;
}

function anyValue(value: AttributeValue): OtlpMessage {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value)
      ? { intValue: String(value) }
      : { doubleValue: double(value) };
  if ("real" in value) return { doubleValue: double(value.real) };
  return { arrayValue: { values: value.map(anyValue) } };
}

/** JSON has no numbers for these, protobuf's JSON has words. */
function double(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
