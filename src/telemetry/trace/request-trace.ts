/** The trace of one request: its span, and those of the attempts, whose ids providers are told. */
import type { HeaderReader } from "../../lib/header-reader.ts";
import type { SamplerSettings } from "../../store/otel-settings.ts";
import type { AttemptTrace, TraceCarrier } from "../../upstream/upstream.ts";
import type { SpanContext } from "../span-context.ts";
import { readTrace, traceHeaders, type IncomingTrace } from "./trace-headers.ts";

/** What a request's trace is. */
export interface RequestTrace extends TraceCarrier {
  /** The gateway's own span; missing where none is made here, and the headers pass as they came. */
  readonly span?: SpanContext;
}

/** The trace of the request with these headers; undefined: it has none, and needs none. */
export type TraceRequest = (headers: HeaderReader) => RequestTrace | undefined;

/** Every request has a trace, its own or the one that it came with. */
export function tracingWith(sampler: SamplerSettings): TraceRequest {
  return (headers) => {
    let ids = randomIds();
    const incoming = readTrace(headers);
    const traceId = incoming?.traceId ?? ids(0, 16);
    const sampled =
      incoming !== undefined && sampler.byParent
        ? incoming.sampled
        : isWithin(sampler.ratio, traceId);
    const span = { ...parentOf(incoming), traceId, spanId: ids(16, 24), sampled };
    let used = 24;
    return {
      span,
      attempt() {
        if (used === idBytes) [ids, used] = [randomIds(), 24];
        const spanId = ids(used, (used += 8));
        return { span: spanId, headers: traceHeaders({ ...span, parentId: spanId }) };
      },
    };
  };
}

/** Nothing is recorded here: a trace that comes along goes on as it came. */
export const passTraces: TraceRequest = (headers) => {
  const incoming = readTrace(headers);
  if (incoming === undefined) return undefined;
  const passed: AttemptTrace = { headers: traceHeaders(incoming) };
  return { attempt: () => passed };
};

function parentOf(incoming: IncomingTrace | undefined): Pick<SpanContext, "parentId" | "state"> {
  if (incoming === undefined) return {};
  const { parentId, state } = incoming;
  return { parentId, ...(state !== undefined && { state }) };
}

/** Where the lower half of a trace's id begins, and as many of its hexadecimal digits as a number holds exactly. */
const lowerHalf = 16;
const ratioDigits = 13;

/** By the lower half of the trace's id, as the SDKs for Go and Python decide: services with one ratio decide alike. */
function isWithin(ratio: number, traceId: string): boolean {
  if (ratio >= 1) return true;
  const digits = traceId.slice(lowerHalf, lowerHalf + ratioDigits);
  return Number.parseInt(digits, 16) < ratio * 16 ** ratioDigits;
}

/** A trace's id, the span's, and one for each of the calls that a request may take. */
const idBytes = 16 + 8 + 6 * 8;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Random bytes are drawn once a request, and written out where they are needed. */
function randomIds(): (from: number, to: number) => string {
  const bytes = crypto.getRandomValues(new Uint8Array(idBytes));
  return (from, to) => {
    let text = "";
    for (const byte of bytes.subarray(from, to)) text += hex[byte];
    return text;
  };
}
