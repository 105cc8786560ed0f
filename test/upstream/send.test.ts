import type { ServerResponse } from "node:http";
import { readRetryAfter, TimedOut } from "../../src/providers/connection/failures.ts";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import type { ClientFormatName } from "../../src/core/format-name.ts";
import { Problem } from "../../src/core/problem.ts";
import { providerFormats } from "../../src/formats/index.ts";
import { targetOf } from "../../src/providers/connection/target.ts";
import { isOverflow, responseHeaders } from "../../src/upstream/failures.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { send, type SendCall } from "../../src/upstream/send.ts";
import type { Opened } from "../../src/upstream/start.ts";
import type { ProviderEntry } from "../../src/store/config.ts";
import { modelOf, noon, serve, type Seen, type Server } from "../providers/kit.ts";

const servers: Server[] = [];
const secret = "sk-test-0123456789";

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Ask {
  entry?: Partial<ProviderEntry>;
  model?: string;
  client?: ClientFormatName;
  stream?: boolean;
  call?: Partial<SendCall>;
  credentials?: Partial<SendCall["credentials"]>;
}

function callOf(
  base: string,
  { entry = {}, model = "m", client = "chat", stream = false, call = {}, credentials = {} }: Ask,
): SendCall {
  const listed = modelOf(
    { id: "lab", kind: "custom", format: client, base_url: base, ...entry },
    model,
  );
  const target = targetOf(listed, client, stream);
  return {
    prepared: {
      model: listed,
      target,
      format: providerFormats[target.format],
      relay: target.format === client,
      body: { model, messages: [] },
    },
    credentials: { secret, ...credentials },
    query: "",
    headers: new Headers(),
    signal: new AbortController().signal,
    reach: "everywhere",
    size: 0,
    ...call,
  };
}

async function answered(
  answer: Parameters<typeof serve>[0],
  ask: Ask = {},
): Promise<{ sent: Opened; seen: Seen | undefined }> {
  const server = await serve(answer);
  servers.push(server);
  const sent = await send(callOf(server.base, ask));
  return { sent, seen: server.seen[0] };
}

const json =
  (
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): Parameters<typeof serve>[0] =>
  (_, response) => {
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
  };

const text =
  (status: number, type: string | undefined, body: string): Parameters<typeof serve>[0] =>
  (_, response) => {
    response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
  };

async function failureOf(answer: Parameters<typeof serve>[0], ask: Ask = {}) {
  const { sent } = await answered(answer, ask);
  if (sent.ok) throw new Error("expected a failure");
  return sent.failure;
}

describe("what the provider sees", () => {
  it.each([
    ["chat", "/v1/chat/completions", { authorization: `Bearer ${secret}` }],
    ["responses", "/v1/responses", { authorization: `Bearer ${secret}` }],
    ["messages", "/v1/messages", { "x-api-key": secret }],
  ] as const)("%s: path and credential", async (client, path, headers) => {
    const { sent, seen } = await answered(json(200, {}), { client });
    expect(sent.ok).toBe(true);
    expect(seen).toMatchObject({ method: "POST", url: path });
    expect(seen?.headers).toMatchObject(headers);
    expect(JSON.parse(seen?.body ?? "")).toEqual({ model: "m", messages: [] });
  });

  it("gemini: the model is in the path, and can't leave it", async () => {
    const entry = { format: "gemini" as const };
    const whole = await answered(json(200, {}), { entry, model: "gemini-x" });
    expect(whole.seen?.url).toBe("/v1/models/gemini-x:generateContent");
    expect(whole.seen?.headers["x-goog-api-key"]).toBe(secret);
    const stream = await answered(json(200, {}), {
      entry,
      model: "../../evil?key=1#x",
      stream: true,
    });
    expect(stream.seen?.url).toBe(
      "/v1/models/..%2F..%2Fevil%3Fkey%3D1%23x:streamGenerateContent?alt=sse",
    );
  });

  it("without a credential no header", async () => {
    const { seen } = await answered(json(200, {}), { credentials: { secret: undefined } });
    expect(seen?.headers.authorization).toBeUndefined();
  });

  it("nothing of the client's identity, and its other headers only between Messages and Messages", async () => {
    const headers = new Headers({
      authorization: "Bearer gw_client",
      "x-api-key": "gw_client",
      cookie: "a=b",
      "x-forwarded-for": "10.0.0.1",
      "cf-connecting-ip": "10.0.0.1",
      "x-real-ip": "10.0.0.1",
      "x-stainless-lang": "js",
      "x-gateway-session": "s",
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "b-1, a-2",
      "user-agent": "client/1",
      "x-app": "cli",
      "x-claude-code-session-id": "77",
      "accept-encoding": "br",
    });
    const own = await answered(json(200, {}), {
      client: "messages",
      call: { headers, query: "?beta=true" },
    });
    expect(own.seen?.url).toBe("/v1/messages?beta=true");
    expect(own.seen?.headers).toMatchObject({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "b-1, a-2",
      "user-agent": "client/1",
      "x-app": "cli",
      "x-claude-code-session-id": "77",
    });
    const foreign = await answered(json(200, {}), {
      client: "chat",
      call: { headers, query: "?beta=true" },
    });
    expect(foreign.seen?.url).toBe("/v1/chat/completions");
    const wire = JSON.stringify([own.seen?.headers, foreign.seen?.headers]);
    for (const trace of ["gw_client", "10.0.0.1", "a=b", "stainless", "x-gateway"])
      expect(wire).not.toContain(trace);
    for (const name of ["anthropic-version", "anthropic-beta", "x-app"])
      expect(foreign.seen?.headers[name]).toBeUndefined();
  });

  it("a translated call to a Messages provider says its own version and none of the client's betas", async () => {
    const { seen } = await answered(json(200, {}), {
      entry: { format: "messages" },
      client: "chat",
      call: { headers: new Headers({ "anthropic-beta": "x" }), query: "?beta=true" },
    });
    expect(seen?.url).toBe("/v1/messages");
    expect(seen?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(seen?.headers["anthropic-beta"]).toBeUndefined();
  });

  it("the entry's headers are added, sealed ones only when they come opened", async () => {
    const entry = {
      headers: {
        "x-team": "a",
        "x-key": "sealed:1:k:abc",
        host: "evil.example.com",
        "content-type": "text/plain",
      },
    };
    const { seen } = await answered(json(200, {}), {
      entry,
      credentials: { secretHeaders: { "x-key": "opened" } },
    });
    expect(seen?.headers).toMatchObject({
      "x-team": "a",
      "x-key": "opened",
      "content-type": "application/json",
    });
    expect(seen?.headers.host).toContain("127.0.0.1");
    const closed = await answered(json(200, {}), { entry });
    expect(closed.seen?.headers["x-key"]).toBeUndefined();
  });

  it("a subscription's token of another make goes where such tokens go", async () => {
    const token = "sk-ant-oat-test";
    const server = await serve(json(200, {}));
    servers.push(server);
    const entry = { kind: "anthropic", auth: "subscription" as const };
    const { format: _, ...rest } = { format: undefined, ...entry };
    const listed = modelOf({ id: "sub", base_url: server.base, ...rest }, "claude-sonnet-5");
    const target = targetOf(listed, "messages", false);
    const base = callOf(server.base, { client: "messages" });
    const call = {
      ...base,
      prepared: { ...base.prepared, model: listed, target },
      credentials: { secret: token },
      headers: new Headers({ "anthropic-beta": "mine" }),
    };
    await send(call);
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      "anthropic-beta": "mine,oauth-2025-04-20",
    });
    expect(server.seen[0]?.headers["x-api-key"]).toBeUndefined();
  });

  it("query parameters of the configured address stay", async () => {
    const server = await serve(json(200, {}));
    servers.push(server);
    await send(callOf(`${server.base}/?api-version=2`, {}));
    expect(server.seen[0]?.url).toBe("/v1/chat/completions?api-version=2");
  });

  it("a credential that no header can carry is refused without being repeated", async () => {
    const bad = callOf("http://127.0.0.1:9/v1", { credentials: { secret: "line\nbreak-secret" } });
    await expect(send(bad)).rejects.toThrow(Problem);
    await expect(send(bad)).rejects.not.toThrow(/break-secret/);
  });

  it("cloud mode refuses a private address at every call", async () => {
    await expect(
      send(callOf("http://127.0.0.1:9/v1", { call: { reach: "public" } })),
    ).rejects.toMatchObject({ marker: "M303" });
  });
});

describe("answers that can't be used", () => {
  it.each([
    [
      "an empty body",
      (_: Seen, response: ServerResponse): void =>
        void response
          .writeHead(200, { "content-length": "0", "content-type": "application/json" })
          .end(),
      "empty",
    ],
    [
      "204",
      (_: Seen, response: ServerResponse): void => void response.writeHead(204).end(),
      "empty",
    ],
    ["a web page", text(200, "text/html; charset=utf-8", "<html>"), "html"],
    ["plain text", text(200, "text/plain", "{}"), "wrong_type"],
    ["no type", text(200, undefined, "{}"), "wrong_type"],
    ["line-wise JSON", text(200, "application/x-ndjson", "{}"), "wrong_type"],
    [
      "a redirect",
      (_: Seen, response: ServerResponse): void =>
        void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      "redirect",
    ],
    ["not modified", text(304, undefined, ""), "redirect"],
  ] as const)("%s counts as 502", async (_, answer, cause) => {
    expect(await failureOf(answer)).toMatchObject({ cause, status: 502 });
  });

  it.each([
    "application/json",
    "text/event-stream",
    "Text/Event-Stream; charset=utf-8",
    "application/vnd.api+json",
  ])("%s is an answer", async (type) => {
    const { sent } = await answered(text(200, type, "{}"));
    expect(sent.ok && (await sent.response.text())).toBe("{}");
  });
});

describe("failures without an answer", () => {
  it("a refused connection", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A listening TCP server has an address of this form.
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const sent = await send(callOf(`http://127.0.0.1:${port}/v1`, {}));
    expect(sent).toMatchObject({ ok: false, failure: { cause: "refused", status: 502 } });
  });

  it("a connection that is cut before the headers", async () => {
    expect(await failureOf((_, response) => void response.socket?.destroy())).toMatchObject({
      cause: "reset",
      status: 502,
    });
  });

  it("bytes that are no HTTP", async () => {
    expect(
      await failureOf((_, response) => void response.socket?.end("hello\r\n\r\n")),
    ).toMatchObject({ status: 502 });
  });

  it("a call whose time is over says so", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new TimedOut("an answer", 0.05)), 50);
    const failure = await failureOf(() => undefined, { call: { signal: controller.signal } });
    expect(failure).toMatchObject({ cause: "timeout", status: 504 });
  });

  it("the caller's signal ends the answer's body too", async () => {
    const server = await serve(
      (_, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n"),
    );
    servers.push(server);
    const controller = new AbortController();
    const sent = await send(
      callOf(server.base, { stream: true, call: { signal: controller.signal } }),
    );
    if (!sent.ok) throw new Error("expected an answer");
    const reader = sent.response.body?.getReader();
    await reader?.read();
    controller.abort();
    await expect(reader?.read()).rejects.toThrow();
  });
});

describe("error statuses", () => {
  it.each([
    [
      "chat",
      {
        error: { message: "no such model", type: "invalid_request_error", code: "model_not_found" },
      },
      { type: "invalid_request_error", code: "model_not_found" },
    ],
    [
      "responses",
      {
        error: { message: "no such model", type: "invalid_request_error", code: "model_not_found" },
      },
      { code: "model_not_found" },
    ],
    [
      "messages",
      { type: "error", error: { type: "not_found_error", message: "no such model" } },
      { type: "not_found_error" },
    ],
  ] as const)("%s: the provider's own words", async (client, body, more) => {
    expect(await failureOf(json(404, body), { client })).toMatchObject({
      cause: "status",
      status: 404,
      message: "no such model",
      ...more,
    });
  });

  it("gemini's status word is the code", async () => {
    const body = { error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" } };
    expect(
      await failureOf(json(429, body, { "retry-after": "7" }), { entry: { format: "gemini" } }),
    ).toMatchObject({
      status: 429,
      message: "slow down",
      code: "RESOURCE_EXHAUSTED",
      retryAfter: 7,
    });
  });

  it("a web page keeps its status", async () => {
    const failure = await failureOf(text(503, "text/html", "<html><h1>Bad gateway</h1></html>"));
    expect(failure).toMatchObject({ cause: "status", status: 503 });
    expect(failure.message).not.toContain("<");
  });

  it("an error text that never ends is cut", async () => {
    const failure = await failureOf((_, response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(failure.status).toBe(500);
    expect(failure.message.length).toBeLessThan(70_000);
  });

  it("the credential is masked wherever it is echoed", async () => {
    const words = `Incorrect API key: ${secret}; ${encodeURIComponent(`Bearer ${secret}`)}; ${Buffer.from(secret).toString("base64")}`;
    const failure = await failureOf(
      json(401, { error: { message: words, type: secret, code: secret } }),
    );
    expect(JSON.stringify(failure)).not.toContain("0123456789");
    expect(JSON.stringify(failure)).not.toContain(
      Buffer.from(secret).toString("base64").slice(0, 12),
    );
  });
});

describe("when to come back", () => {
  const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), noon);

  it.each([
    [{ "retry-after": "3" }, 3],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.2" }, 2],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 2],
    [{ "retry-after": new Date(noon + 4000).toUTCString() }, 4],
    [{ "retry-after": new Date(noon - 4000).toUTCString() }, 0],
    [{ "retry-after": "999999999" }, 86_400],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5x" }, undefined],
    [{}, undefined],
  ])("%j: %s", (headers, expected) => {
    expect(read(headers as Record<string, string>)).toBe(expected);
  });
});

describe("requests that are too long for the model", () => {
  const failure = (message: string, status = 400, code?: string) => ({
    cause: "status" as const,
    status,
    message,
    ...(code !== undefined && { code }),
  });

  it.each([
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "prompt is too long: 250000 tokens > 200000 maximum",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
    "the request exceeds the available context size, try increasing it",
    "Please reduce the length of the messages or completion.",
    "Too many tokens: total number of tokens in the prompt cannot exceed 4081",
    "Input is too long for requested model.",
    "Prompt contains 70000 tokens, too large for model with 32768 maximum context length",
  ])("%s", (message) => {
    expect(isOverflow(failure(message))).toBe(true);
  });

  it("the code alone is enough", () => {
    expect(isOverflow(failure("no", 400, "context_length_exceeded"))).toBe(true);
  });

  it.each([
    ["max_tokens is too large: 100000. This model supports at most 16384 completion tokens", 400],
    ["max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens", 400],
    ["Rate limit reached: too many tokens per minute", 429],
    ["Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 20000", 429],
    ["messages: at least one message is required", 400],
    ["Unsupported value: 'temperature'", 400],
  ])("not: %s", (message, status) => {
    expect(isOverflow(failure(message, status))).toBe(false);
  });
});

describe("headers of an answer that callers may see", () => {
  it("the provider's request id under another name, and Retry-After", () => {
    const response = new Response("", {
      headers: {
        "x-request-id": "req_1",
        "retry-after": "5",
        "set-cookie": "a=b",
        "openai-model": "m",
        "x-codex-primary": "1",
        "x-gateway-model": "forged",
        "openai-organization": "org",
        server: "s",
      },
    });
    expect(responseHeaders(response)).toEqual({
      "retry-after": "5",
      "x-provider-request-id": "req_1",
    });
  });
});

describe("a large body that is relayed", () => {
  const filler = "words without end, ".repeat(300);
  const sentAs = async (body: string, relay: boolean): Promise<string | undefined> => {
    const server = await serve(json(200, {}));
    servers.push(server);
    const value = JSON.parse(body) as JsonObject;
    const call = callOf(server.base, {});
    const prepared = { ...call.prepared, relay, body: { ...value, model: "m" } };
    await send({ ...call, prepared, sent: { value, text: body } });
    return server.seen[0]?.body;
  };

  it("is the client's text with the model's own name", async () => {
    const body = `{ "model": "lab/m", "n": 1.0, "text": "${filler}" }`;
    expect(await sentAs(body, true)).toBe(body.replace("lab/m", "m"));
  });

  it("is written from what was read where a member stands there twice, and where it is translated", async () => {
    const twice = `{"n": 1, "model": "lab/m", "n": 2, "text": "${filler}"}`;
    expect(await sentAs(twice, true)).toBe(`{"n":2,"model":"m","text":"${filler}"}`);
    const once = `{ "model": "lab/m", "text": "${filler}" }`;
    expect(await sentAs(once, false)).toBe(`{"model":"m","text":"${filler}"}`);
  });
});
