/** What the service promises about errors, written out once: tables of the description, not of the code. */
import { expect } from "vitest";
import { at, events, words, type Answer, type Client, type Variant } from "./asking.ts";

export interface Row {
  status: number;
  type: string;
  code: string;
}

/** The gateway's own errors in the OpenAI shape. */
export const table = {
  M001: { status: 401, type: "auth_error", code: "gateway_auth" },
  M002: { status: 401, type: "auth_error", code: "gateway_auth" },
  M003: { status: 401, type: "auth_error", code: "gateway_auth" },
  M004: { status: 401, type: "auth_error", code: "gateway_auth" },
  M005: { status: 401, type: "auth_error", code: "gateway_auth" },
  M100: { status: 401, type: "auth_error", code: "provider_credential" },
  M101: { status: 400, type: "invalid_request_error", code: "no_provider" },
  M201: { status: 429, type: "rate_limit_error", code: "rate_limit_workspace" },
  M202: { status: 429, type: "rate_limit_error", code: "rate_limit_ip" },
  M203: { status: 429, type: "rate_limit_error", code: "concurrency_limit" },
  M204: { status: 402, type: "insufficient_quota", code: "PLAN_LIMIT_REQUESTS" },
  M300: { status: 400, type: "invalid_request_error", code: "invalid_request" },
  M301: { status: 404, type: "invalid_request_error", code: "not_found" },
  M302: { status: 404, type: "invalid_request_error", code: "model_not_available" },
  M303: { status: 400, type: "invalid_request_error", code: "private_address" },
  M304: { status: 403, type: "permission_error", code: "model_not_allowed" },
  M305: { status: 402, type: "invalid_request_error", code: "price_unknown" },
  M501: { status: 503, type: "server_error", code: "overloaded" },
} as const satisfies Record<string, Row>;

export type Code = keyof typeof table;

/** `error.type` on /v1/messages. */
const messagesTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  503: "api_error",
};

/** Codes that a rendering client hears as words. */
const spoken: ReadonlySet<string> = new Set([
  "M001",
  "M002",
  "M003",
  "M004",
  "M005",
  "M100",
  "M101",
  "M204",
  "M300",
  "M302",
  "M304",
  "M305",
]);

export function isSpoken(code: Code, status: number): boolean {
  return spoken.has(code) && status !== 413 && status !== 415;
}

const routing = ["tier", "model", "provider", "reason", "confidence"];

/** Headers of every answer under /v1. */
export function expectBaseHeaders(answer: Answer, client: Client): void {
  const id = answer.headers.get("x-gateway-request-id");
  expect(id).toMatch(/^req_[a-z0-9]+$/);
  expect(answer.headers.get(client === "messages" ? "request-id" : "x-request-id")).toBe(id);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase() ?? "";
  for (const [name] of answer.headers)
    if (name.startsWith("x-gateway-")) expect(exposed).toContain(name);
}

/** No routing headers in A; in B all of them, saying why they know nothing. */
export function expectUnrouted(answer: Answer, variant: Variant, reason: RegExp): void {
  if (variant === "A") {
    for (const name of routing) expect(answer.headers.get(`x-gateway-${name}`), name).toBeNull();
    return;
  }
  expect(
    Object.fromEntries(routing.map((name) => [name, answer.headers.get(`x-gateway-${name}`)])),
  ).toEqual({
    tier: "none",
    model: "none",
    provider: "none",
    confidence: "0",
    reason: expect.stringMatching(reason),
  });
}

export interface Refused {
  code: Code;
  client: Client;
  variant: Variant;
  /** Where it differs from the table's row. */
  row?: Partial<Row>;
}

/** The envelope with its status, words and headers. */
export function expectEnvelope(answer: Answer, { code, client, variant, row }: Refused): void {
  const { status, type, code: word } = { ...table[code], ...row };
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const { message } = answer.error;
  if (variant === "A") expect(message).toMatch(new RegExp(`^\\[gateway ${code}\\] \\S`));
  else expect(message).toMatch(/^[^[\s]/);
  const known = { type, code: variant === "A" ? word : status };
  if (client === "messages") {
    expect(answer.json).toMatchObject({
      type: "error",
      error: { ...known, type: messagesTypes[status] ?? known.type },
      request_id: answer.headers.get("request-id"),
    });
  } else {
    expect(answer.error).toMatchObject({ ...known, param: null });
    expect(Object.keys(answer.json)).toEqual(["error"]);
  }
  const permanent = [400, 401, 402, 403, 404, 405, 413, 415].includes(status);
  expect(answer.headers.get("x-should-retry")).toBe(permanent ? "false" : null);
  expectRetryAfter(answer, status === 429);
  expectBaseHeaders(answer, client);
  expectUnrouted(answer, variant, new RegExp(`^refused: ${code}$`));
}

export function expectRetryAfter(answer: Answer, present: boolean): void {
  const value = answer.headers.get("retry-after");
  if (!present) return expect(value).toBeNull();
  expect(value).toMatch(/^\d+$/);
  expect(Number(value)).toBeGreaterThanOrEqual(1);
  expect(Number(value)).toBeLessThanOrEqual(60);
}

/** A gateway's error as the assistant's words: status 200, an answer in the client's own format. */
export function expectSpoken(
  answer: Answer,
  {
    client,
    stream,
    model,
    marker,
  }: { client: Client; stream: boolean; model: string; marker: string },
): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(
    stream ? /^text\/event-stream/ : /^application\/json$/,
  );
  expect(words(client, answer)).toMatch(new RegExp(`^\\[gateway ${marker}\\] \\S`));
  expectBaseHeaders(answer, client);
  if (stream) expectSpokenStream(client, answer.text, model);
  else expectSpokenWhole(client, answer, model);
}

function expectSpokenWhole(client: Client, { json }: Answer, model: string): void {
  switch (client) {
    case "chat":
      expect(json).toMatchObject({
        id: expect.stringMatching(/\S/),
        object: "chat.completion",
        model,
        choices: [{ index: 0, message: { role: "assistant" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      });
      return;
    case "responses":
      expect(json).toMatchObject({
        id: expect.stringMatching(/\S/),
        object: "response",
        status: "completed",
        model,
        error: null,
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      });
      return;
    case "messages":
      expect(json).toMatchObject({
        id: expect.stringMatching(/\S/),
        type: "message",
        role: "assistant",
        model,
        stop_reason: "end_turn",
        usage: { input_tokens: 0, output_tokens: 0 },
      });
      return;
    default:
      client satisfies never;
  }
}

function expectSpokenStream(client: Client, text: string, model: string): void {
  const list = events(text);
  switch (client) {
    case "chat":
      expect(list.at(-1)?.data).toBe("[DONE]");
      expect(at(list.at(-2)?.json, "choices", 0, "finish_reason")).toBe("stop");
      expect(list[0]?.json).toMatchObject({ object: "chat.completion.chunk", model });
      return;
    case "responses":
      expect(list[0]?.event).toBe("response.created");
      expect(list.at(-1)).toMatchObject({
        event: "response.completed",
        json: { response: { status: "completed", model, usage: { total_tokens: 0 } } },
      });
      return;
    case "messages":
      expect(list[0]).toMatchObject({
        event: "message_start",
        json: { message: { model, usage: { input_tokens: 0 } } },
      });
      expect(list.at(-2)).toMatchObject({
        event: "message_delta",
        json: { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 0 } },
      });
      expect(list.at(-1)?.event).toBe("message_stop");
      return;
    default:
      client satisfies never;
  }
}
