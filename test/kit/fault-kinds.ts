/** Ways in which a provider fails before it has said anything. */
import { providerError } from "./providers.ts";
import type { Script } from "./script.ts";
import { endpoints } from "./wire/index.ts";
import { secret, type WireFormat } from "./asking.ts";

export interface FaultKind {
  name: string;
  /** What the provider does to a request that asks for a stream or not. */
  script(format: WireFormat, stream: boolean): Script;
  /** Status that a caller without another candidate is answered. */
  alone: number;
  /** The failure is the provider's own words. */
  spoken?: true;
  /** Seconds that the provider asks for. */
  retryAfter?: number;
  /** Only where a stream is asked for. */
  streamOnly?: true;
  /** The provider keeps silent until a time-out. */
  slow?: true;
  /** May be asked twice. */
  twice?: true;
}

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
/** The credential as an answer may hold it: plain, in a URL, in JSON, in base64, in hexadecimal. */
export const secretForms = [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  btoa(secret),
  Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  ),
];
/** A part of the credential's base64 inside that of a longer text. */
export const secretPart = btoa(`x${secret}yy`).slice(4, 36);
export const said = "the provider said no";
const leaky = `${said}: ${secretForms.join(" , ")} , ${btoa(`x${secret}yy`)}`;

/** An error body of each format, with words, type and code of the provider's own. */
function body(format: WireFormat): string {
  switch (format) {
    case "chat":
    case "responses":
      return JSON.stringify({
        error: { message: leaky, type: "odd_error", code: "odd_code", param: null },
      });
    case "messages":
      return JSON.stringify({ type: "error", error: { type: "odd_error", message: leaky } });
    case "gemini":
      return JSON.stringify({ error: { code: 503, message: leaky, status: "ODD_CODE" } });
    default:
      return format satisfies never;
  }
}

/** The provider's own word for the failure, as a caller sees it in `error.code`. */
export const ownCode: Record<WireFormat, string> = {
  chat: "odd_code",
  responses: "odd_code",
  messages: "provider_error",
  gemini: "ODD_CODE",
};

function status(code: number, headers: Record<string, string> = {}): FaultKind["script"] {
  return (format) => ({ status: code, headers: { ...json, ...headers }, body: body(format) });
}

const refusals: FaultKind[] = [
  401, 402, 403, 404, 408, 409, 425, 429, 500, 501, 502, 503, 504, 520, 529,
].map((code) => ({
  name: `status ${code}`,
  script: status(code),
  alone: code,
  spoken: true as const,
}));

const redirects: FaultKind[] = [301, 302, 303, 307, 308].map((code) => ({
  name: `redirect ${code}`,
  script: () => ({ status: code, headers: { location: "/elsewhere" }, body: "" }),
  alone: 502,
}));

/** An answer with status 200 that is none. */
function odd(name: string, script: FaultKind["script"], more: Partial<FaultKind> = {}): FaultKind {
  return { name, script, alone: 502, ...more };
}

/** The head of a stream, before any content. */
function head(format: WireFormat): string {
  return format === "gemini"
    ? ": hello\n\n"
    : (endpoints[format].events({ text: "GOOD" }, "m")[0] ?? "");
}

function typed(stream: boolean): Record<string, string> {
  return stream ? sse : json;
}

export const faultKinds: FaultKind[] = [
  ...refusals,
  {
    name: "status 429 with a long Retry-After",
    script: status(429, { "retry-after": "20" }),
    alone: 429,
    spoken: true,
    retryAfter: 20,
  },
  {
    name: "status 503 with a long Retry-After",
    script: status(503, { "retry-after": "30" }),
    alone: 503,
    spoken: true,
    retryAfter: 30,
  },
  { name: "status 500 without a body", script: () => ({ status: 500 }), alone: 500 },
  {
    name: "status 502 with a web page",
    script: () => ({
      status: 502,
      headers: { "content-type": "text/html" },
      body: `<html><body>${leaky}</body></html>`,
    }),
    alone: 502,
  },
  {
    name: "status 500 with a megabyte of text",
    script: () => ({
      status: 500,
      headers: { "content-type": "text/plain" },
      body: "many words ".repeat(100_000),
    }),
    alone: 500,
  },
  {
    name: "status 500 whose body breaks off",
    script: (format) => ({
      status: 500,
      headers: json,
      body: body(format),
      limit: 20,
      end: "reset",
    }),
    alone: 500,
  },
  ...redirects,
  odd("a web page", () => ({ headers: { "content-type": "text/html" }, body: "<html>hi</html>" })),
  odd("nothing", (_format, stream) => ({ headers: typed(stream), body: "" })),
  odd("no length", (_format, stream) => ({ headers: { ...typed(stream), "content-length": "0" } })),
  odd("status 204", () => ({ status: 204 })),
  odd("plain text", () => ({ headers: { "content-type": "text/plain" }, body: "ok" })),
  odd("no content type", () => ({ body: "{}" })),
  odd("a picture", () => ({ headers: { "content-type": "image/png" }, body: "PNG" })),
  odd("broken JSON", () => ({ headers: json, body: '{"id":"x","choices":[' })),
  odd("an empty object", () => ({ headers: json, body: "{}" })),
  odd("null", () => ({ headers: json, body: "null" })),
  odd("an empty list", () => ({ headers: json, body: "[]" })),
  odd("a JSON text", () => ({ headers: json, body: '"fine"' })),
  odd("an error inside a 200", (format) => ({ headers: json, body: body(format) }), {
    spoken: true,
  }),
  odd(
    "broken compression",
    (_format, stream) => ({
      headers: { ...typed(stream), "content-encoding": "gzip" },
      body: "this is not gzip",
    }),
    { twice: true },
  ),
  odd("only comments", () => ({ headers: sse, body: [": one\n\n", ": two\n\n"] })),
  odd("only [DONE]", () => ({ headers: sse, body: "data: [DONE]\n\n" })),
  odd("an event that is not JSON", () => ({ headers: sse, body: "data: {not json\n\n" })),
  odd("an error event", (format) => ({ headers: sse, body: providerError(format, leaky) }), {
    spoken: true,
  }),
  odd(
    "an error event behind the head",
    (format) => ({ headers: sse, body: [head(format), providerError(format, leaky)], pace: 5 }),
    { spoken: true },
  ),
  odd("the head alone", (format) => ({ headers: sse, body: head(format) })),
  odd("half an event", (format) => ({ headers: sse, body: head(format), limit: 30 })),
  odd("the head, then a reset", (format) => ({ headers: sse, body: head(format), end: "reset" }), {
    twice: true,
  }),
  odd("headers, then a reset", (_format, stream) => ({ headers: typed(stream), end: "reset" }), {
    twice: true,
  }),
  odd(
    "half a length, then the end",
    (_format, stream) => ({
      headers: { ...typed(stream), "content-length": "500" },
      body: "x",
      end: "cut",
    }),
    { twice: true },
  ),
  odd("a reset", () => ({ mute: true, end: "reset" }), { twice: true }),
  odd("a closed connection", () => ({ mute: true, end: "cut" }), { twice: true }),
  odd("silence", () => ({ mute: true, end: "hang" }), { slow: true, alone: 504 }),
  odd(
    "silence behind the headers",
    (_format, stream) => ({ headers: typed(stream), end: "hang" }),
    {
      slow: true,
      alone: 504,
    },
  ),
  odd("silence behind the head", (format) => ({ headers: sse, body: head(format), end: "hang" }), {
    slow: true,
    alone: 504,
    streamOnly: true,
  }),
  odd(
    "comments for ever",
    () => ({
      headers: sse,
      body: Array.from({ length: 40 }, () => ": wait\n\n"),
      pace: 50,
      end: "hang",
    }),
    { slow: true, alone: 504, streamOnly: true },
  ),
];
