/** The headers of every answer: ids, routing, rate, what was dropped. */
import type { Call } from "./call.ts";

/** Every header of the gateway's own that a page of another origin may read. */
export const exposed = [
  "X-Gateway-Request-Id",
  "X-Gateway-Tier",
  "X-Gateway-Model",
  "X-Gateway-Provider",
  "X-Gateway-Reason",
  "X-Gateway-Confidence",
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

/** Headers that every answer under /v1 carries. `refusedWith`: the code of a refusal, for the variant that says it. */
export function baseHeaders(call: Call, refusedWith?: string): Headers {
  const headers = new Headers();
  headers.set("X-Gateway-Request-Id", call.id);
  headers.set(call.client === "messages" ? "request-id" : "x-request-id", call.id);
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", exposed);
  if (call.rate) {
    headers.set("x-ratelimit-limit-requests", String(call.rate.limit));
    headers.set("x-ratelimit-remaining-requests", String(call.rate.remaining));
    headers.set("x-ratelimit-reset-requests", String(call.rate.reset));
  }
  if (call.routing) setRouting(headers, call);
  else if (call.policy.headersAlways) setUnrouted(headers, refusedWith);
  return headers;
}

function setRouting(headers: Headers, call: Call): void {
  const { routing } = call;
  if (!routing) return;
  headers.set("X-Gateway-Tier", headerText(routing.tier));
  headers.set("X-Gateway-Model", headerText(routing.model));
  headers.set("X-Gateway-Provider", headerText(routing.provider));
  headers.set("X-Gateway-Reason", headerText(routing.reason));
  headers.set("X-Gateway-Confidence", String(Math.round(routing.confidence * 1000) / 1000));
}

function setUnrouted(headers: Headers, refusedWith: string | undefined): void {
  headers.set("X-Gateway-Tier", "none");
  headers.set("X-Gateway-Model", "none");
  headers.set("X-Gateway-Provider", "none");
  headers.set("X-Gateway-Confidence", "0");
  headers.set(
    "X-Gateway-Reason",
    refusedWith === undefined ? "not routed" : `refused: ${refusedWith}`,
  );
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
