/** The headers of every answer: ids, routing, rate, what was dropped. */
import type { RequestRoleName } from "../core/request-role.ts";
import type { RateState } from "../workspace/contract/admission.ts";
import type { Received } from "./received.ts";

/** Every header of the gateway's own that a page of another origin may read. */
const exposed = [
  "X-Gateway-Request-Id",
  "X-Gateway-Tier",
  "X-Gateway-Model",
  "X-Gateway-Provider",
  "X-Gateway-Reason",
  "X-Gateway-Confidence",
  "X-Gateway-Score",
  "X-Gateway-Role",
  "X-Gateway-Fallback-From",
  "X-Gateway-Fallback-Index",
  "X-Gateway-Fallback-Exhausted",
  "X-Gateway-Dropped",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "request-id",
  "x-request-id",
  "Retry-After",
].join(", ");

/** Headers as a plain record: the runtime takes them over in one step, which costs a fraction of setting each. */
export type HeaderRecord = Record<string, string>;

/** What the routing headers say. */
export interface RoutingFacts {
  readonly tier: string;
  readonly model: string;
  readonly provider: string;
  readonly reason: string;
  /** 0..1. */
  readonly confidence: number;
  /** 0..1, rises with what a dearer model would gain; only where `auto` decided. */
  readonly score?: number;
  /** What the request is for; only where `auto` decided, in the variant that says it. */
  readonly role?: RequestRoleName;
}

export interface HeaderFacts {
  readonly received: Pick<Received, "id" | "client" | "policy">;
  readonly rate: RateState | null;
  readonly routing: RoutingFacts | undefined;
  /** The code of a refusal, for the variant that says it. */
  readonly refusedWith?: string;
}

/** Headers that every answer under `/v1` carries. */
export function baseHeaders(facts: HeaderFacts): HeaderRecord {
  return { ...sharedHeaders(facts), ...ownHeaders(facts) };
}

/** Those that many answers have alike. */
export function sharedHeaders({ received, rate, routing, refusedWith }: HeaderFacts): HeaderRecord {
  return {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": exposed,
    ...(rate && { "x-ratelimit-limit-requests": String(rate.limit) }),
    ...(routing ? routed(routing) : received.policy.headersAlways && unrouted(refusedWith)),
  };
}

/** Those that hardly two answers have alike. */
export function ownHeaders({ received, rate, routing }: HeaderFacts): HeaderRecord {
  const { id, client } = received;
  const headers: HeaderRecord = { "X-Gateway-Request-Id": id, [client.requestIdHeader]: id };
  if (rate !== null) {
    headers["x-ratelimit-remaining-requests"] = String(rate.remaining);
    headers["x-ratelimit-reset-requests"] = String(rate.reset);
  }
  if (routing?.score !== undefined) {
    Object.assign(headers, weighed(routing));
    // Finer than the confidence: requests are put in an order by it.
    headers["X-Gateway-Score"] = String(Math.round(routing.score * 100_000) / 100_000);
  }
  return headers;
}

/** What a decision of `auto` weighed is its own; a model that was named has one reason. */
function routed(routing: RoutingFacts): HeaderRecord {
  return {
    "X-Gateway-Tier": headerText(routing.tier),
    "X-Gateway-Model": headerText(routing.model),
    "X-Gateway-Provider": routing.provider,
    ...(routing.score === undefined && weighed(routing)),
    ...(routing.role !== undefined && { "X-Gateway-Role": routing.role }),
  };
}

function weighed({ reason, confidence }: RoutingFacts): HeaderRecord {
  return {
    "X-Gateway-Reason": headerText(reason),
    "X-Gateway-Confidence": String(Math.round(confidence * 1000) / 1000),
  };
}

function unrouted(refusedWith: string | undefined): HeaderRecord {
  return {
    "X-Gateway-Tier": "none",
    "X-Gateway-Model": "none",
    "X-Gateway-Provider": "none",
    "X-Gateway-Confidence": "0",
    "X-Gateway-Reason": refusedWith === undefined ? "not routed" : `refused: ${refusedWith}`,
  };
}

/** Characters that a header value can carry everywhere; others percent-encoded as UTF-8. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));
}

/** `X-Gateway-Dropped`: each path once, sorted, encoded, at most 2 KB and then `,…` (percent-encoded like the rest). */
export function droppedHeader(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const sorted = [...new Set(paths)].sort((a, b) => (a < b ? -1 : 1)).map(encodePath);
  let text = "";
  for (const path of sorted) {
    const next = text === "" ? path : `${text},${path}`;
    if (next.length > 2048) return `${text},${encodeURIComponent("…")}`;
    text = next;
  }
  return text;
}

function encodePath(path: string): string {
  return path.replace(/[^A-Za-z0-9_.[\]-]+/g, (part) =>
    encodeURIComponent(part.toWellFormed()).replace(
      /[!'()*~]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}
