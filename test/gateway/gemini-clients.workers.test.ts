/** Gemini clients in front of every provider: paths, keys, answers, streams, errors and lists. */
import { describe, expect, it } from "vitest";
import {
  openLane,
  parsed,
  provider,
  replyScript,
  secret,
  type Json,
  type Lane,
  type Script,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import {
  candidateOf,
  detailsOf,
  partsOf,
  question,
  spellingsOf,
  strictChunks,
  textOf,
} from "../kit/gemini-client.ts";
import { stream as streamOf, whole as wholeOf } from "../kit/script.ts";
import type { Said } from "../kit/wire/said.ts";
import { knock, rowOf, world, type World } from "./kit.ts";

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];

const said: Said = {
  thinking: { text: "let me see", state: "c3RhdGU=" },
  text: "I look.",
  calls: [
    { id: "call_a", name: "look", input: '{"at":"it"}' },
    { id: "call_b", name: "look", input: '{"at":"that"}' },
  ],
};

const tool = {
  tools: [
    {
      functionDeclarations: [
        { name: "look", parametersJsonSchema: { type: "object", properties: { at: {} } } },
      ],
    },
  ],
};
const thoughts = { generationConfig: { thinkingConfig: { includeThoughts: true } } };

interface Scene {
  where: World;
  lane: Lane;
}

async function scene(
  format: WireFormat,
  scripts: Script | Script[] = [],
  { variant, harness, entry }: { variant?: Variant; harness?: Json; entry?: Json } = {},
): Promise<Scene> {
  const lane = openLane();
  await lane.answer(...[scripts].flat());
  const providers = [provider({ id: "lab", format, lane, ...entry })];
  const harnesses = [{ id: "h", name: "H", ...harness }];
  return { where: await world({ providers, harnesses }, variant), lane };
}

interface Call {
  path: string;
  body?: Json | string;
  headers?: Record<string, string>;
  key?: string;
}

async function post({ where }: Scene, { path, body, headers, key }: Call): Promise<Response> {
  return await knock(
    path,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== "" && { "x-goog-api-key": key ?? where.key }),
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body ?? question()),
    },
    where.variant,
  );
}

const whole = "/v1beta/models/lab/m:generateContent";
const streamed = "/v1beta/models/lab/m:streamGenerateContent?alt=sse";
const asArray = "/v1beta/models/lab/m:streamGenerateContent";

describe.each(formats)("a provider of %s", (format) => {
  it("answers whole, with calls, thoughts, state and usage in Google's fields", async () => {
    const made = await scene(format, replyScript(format, said, { stream: false }));
    const answer = await post(made, { path: whole, body: question({ ...tool, ...thoughts }) });
    const body = parsed(await answer.text());
    expect(answer.status, JSON.stringify(body)).toBe(200);
    const parts = partsOf([body]);
    expect(textOf([body])).toBe("I look.");
    expect(parts.filter(({ thought }) => thought).map(({ text }) => text)).toEqual(["let me see"]);
    const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
    expect(calls.map(({ functionCall }) => functionCall?.args)).toEqual([
      { at: "it" },
      { at: "that" },
    ]);
    for (const { functionCall } of calls) expect(functionCall?.id).toMatch(/^[\w.:-]{1,64}$/);
    if (format !== "chat") expect(calls[0]?.thoughtSignature).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(calls[1]?.thoughtSignature).toBeUndefined();
    expect(candidateOf(body)).toMatchObject({ finishReason: "STOP", index: 0 });
    expect(body["usageMetadata"]).toMatchObject({
      promptTokenCount: 100,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 30,
      totalTokenCount: 130,
    });
    expect(body).toMatchObject({ modelVersion: "m", responseId: expect.any(String) });
  });

  it("streams chunks that the strictest client reads", async () => {
    const made = await scene(format, replyScript(format, said, { stream: true, chop: 7 }));
    const answer = await post(made, { path: streamed, body: question({ ...tool, ...thoughts }) });
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const chunks = strictChunks(await answer.text());
    expect(textOf(chunks)).toBe("I look.");
    const calls = partsOf(chunks).flatMap(({ functionCall }) => functionCall ?? []);
    expect(calls.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: "look", args: { at: "it" } },
      { name: "look", args: { at: "that" } },
    ]);
    const ends = chunks.filter((chunk) => candidateOf(chunk).finishReason !== undefined);
    expect(ends).toEqual([chunks.at(-1)]);
    expect(ends[0]).toMatchObject({ usageMetadata: { totalTokenCount: 130 } });
    for (const chunk of chunks)
      expect(chunk).toMatchObject({
        modelVersion: "m",
        responseId: expect.any(String),
        candidates: [{ index: 0 }],
      });
  });

  it("hides thoughts unless they are asked for, and gives their state all the same", async () => {
    for (const [path, stream] of [
      [whole, false],
      [streamed, true],
    ] as const) {
      const made = await scene(format, replyScript(format, said, { stream }));
      const text = await (await post(made, { path, body: question(tool) })).text();
      if (format === "gemini") continue;
      const parts = partsOf(stream ? strictChunks(text) : [parsed(text)]);
      expect(parts.filter(({ thought }) => thought)).toEqual([]);
    }
  });

  it("answers as a JSON array without alt=sse", async () => {
    const made = await scene(format, replyScript(format, said, { stream: true, chop: 7 }));
    const answer = await post(made, { path: asArray, body: question(tool) });
    expect(answer.headers.get("content-type")).toBe("application/json");
    const chunks = JSON.parse(await answer.text()) as Json[];
    expect(textOf(chunks)).toBe("I look.");
    expect(candidateOf(chunks.at(-1) ?? {}).finishReason).toBe("STOP");
  });

  it("tells a broken stream by an error chunk, in an array too", async () => {
    const long = replyScript(format, { text: "a long answer. ".repeat(40) }, { stream: true });
    const limit = Math.floor([long.body ?? ""].flat().join("").length / 2);
    const made = await scene(format, { ...long, limit, end: "cut" });
    const chunks = strictChunks(await (await post(made, { path: streamed })).text());
    expect(textOf(chunks)).not.toBe("");
    expect(chunks.at(-1)).toMatchObject({
      error: { code: 502, status: "UNAVAILABLE", message: expect.any(String) },
    });
    const array = JSON.parse(await (await post(made, { path: asArray })).text()) as Json[];
    expect(array.at(-1)).toMatchObject({ error: { code: 502 } });
    expect(array.filter((chunk) => candidateOf(chunk).finishReason !== undefined)).toEqual([]);
  });

  it("is told a failure of its provider as google.rpc.Status", async () => {
    const made = await scene(format, {
      ...wholeOf({ error: { message: "slow down", type: "rate_limit_error" } }, 429),
      headers: { "content-type": "application/json", "retry-after": "17" },
    });
    const answer = await post(made, { path: streamed });
    const body = await answer.text();
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("17");
    expect(parsed(body)).toMatchObject({ error: { code: 429, status: "RESOURCE_EXHAUSTED" } });
    expect(detailsOf(body)["RetryInfo"]).toMatchObject({ retryDelay: "17s" });
  });

  it("is told an overflow in the words that its clients know", async () => {
    const message =
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.";
    const made = await scene(format, wholeOf({ error: { message } }, 400));
    const answer = await post(made, { path: whole });
    expect(answer.status).toBe(400);
    expect(parsed(await answer.text())).toMatchObject({
      error: {
        status: "INVALID_ARGUMENT",
        message:
          "The input token count (130000) exceeds the maximum number of tokens allowed (128000).",
      },
    });
  });
});

describe("paths", () => {
  it.each(["lab/m", "lab/m:free"])("of %s reach it in every spelling", async (model) => {
    const made = await scene("chat", replyScript("chat", { text: "hello" }, { stream: false }), {
      entry: { models: [{ id: "m" }, { id: "m:free" }] },
    });
    for (const path of spellingsOf(model, "generateContent")) {
      const answer = await post(made, { path });
      expect(textOf([parsed(await answer.text())]), path).toBe("hello");
      expect(answer.headers.get("x-gateway-model"), path).toBe(model);
    }
  });

  it("of countTokens take contents, or a whole request, and results of no call", async () => {
    const made = await scene("chat");
    const orphan = {
      contents: [
        {
          role: "user",
          parts: [{ functionResponse: { name: "look", response: { output: "seen" } } }],
        },
      ],
    };
    for (const body of [question(), { generateContentRequest: question(tool) }, orphan])
      for (const path of spellingsOf("lab/m", "countTokens")) {
        const answer = await post(made, { path, body });
        const count = parsed(await answer.text());
        expect(answer.status, JSON.stringify(count)).toBe(200);
        expect(count["totalTokens"]).toBeGreaterThan(0);
        expect(count["promptTokensDetails"]).toEqual([
          { modality: "TEXT", tokenCount: count["totalTokens"] },
        ]);
      }
    expect((await post(made, { path: "/v1beta/models/lab/m:countTokens", body: {} })).status).toBe(
      400,
    );
  });

  it("that are not served say what is missing, in Google's envelope", async () => {
    const made = await scene("chat");
    const rows: [string, RegExp][] = [
      ["/v1beta/cachedContents", /cachedContents/],
      ["/upload/v1beta/files", /Files API/],
      ["/v1beta/files/abc", /Files API/],
      ["/v1beta/interactions", /Interactions API/],
      ["/v1/interactions", /Interactions API/],
      ["/v1beta/models/lab/m:batchGenerateContent", /batches/],
      ["/v1beta/models/imagen:predict", /predict/],
      ["/v1beta/nothing", /Unknown path/],
      ["/v1beta", /Unknown path/],
    ];
    for (const [path, message] of rows) {
      const answer = await post(made, { path });
      const text = await answer.text();
      expect(answer.status, path).toBe(404);
      expect(parsed(text), path).toMatchObject({
        error: { code: 404, status: "NOT_FOUND", message: expect.stringMatching(message) },
      });
      expect(detailsOf(text)["ErrorInfo"]).toMatchObject({ reason: "not_found" });
    }
  });

  it("refuse a wrong method, and answer a browser's question", async () => {
    const made = await scene("chat");
    const wrong = await knock(whole, { headers: { "x-goog-api-key": made.where.key } });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST, OPTIONS");
    expect(parsed(await wrong.text())).toMatchObject({ error: { code: 405 } });
    const preflight = await knock(whole, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("of the other formats work without /v1 and with a slash at their end", async () => {
    const made = await scene("chat", replyScript("chat", { text: "hello" }, { stream: false }));
    const chat = { model: "lab/m", messages: [{ role: "user", content: "hi" }] };
    const rows: [string, Json][] = [
      ["/chat/completions", chat],
      ["/responses", { model: "lab/m", input: "hi" }],
      ["/messages", { ...chat, max_tokens: 9 }],
      ["/messages/count_tokens", chat],
    ];
    const bearer = { authorization: `Bearer ${made.where.key}` };
    // What Gemini's clients send means nothing here.
    const others = [{}, { "x-goog-api-key": "AIza" }, { "x-goog-api-client": "gl-node/22" }];
    for (const more of others)
      for (const [path, body] of rows)
        for (const spelled of [path, `/v1${path}`, `${path}/`, `/v1${path}/`, `/v1/v1${path}/`]) {
          const headers = { ...bearer, ...more };
          const answer = await post(made, { path: spelled, body, headers, key: "" });
          expect(answer.status, spelled).toBe(200);
        }
    const goog = { "x-goog-api-client": "gl-node/22" };
    for (const path of ["/v1/messages/batches", "/v1/responses/resp_1", "/v1/chat/completions/x"]) {
      const answer = await knock(path, { headers: { ...bearer, ...goog } });
      expect(answer.status, path).toBe(404);
      expect(parsed(await answer.text()), path).not.toHaveProperty("error.details");
    }
    const headers = bearer;
    for (const path of ["/models", "/models/", "/v1/models/", "/models/lab/m", "/v1/models/lab/m/"])
      expect((await knock(path, { headers })).status, path).toBe(200);
    expect((await knock("/dashboard")).status).not.toBe(404);
    expect((await knock("/chat", { headers })).status).toBe(404);
  });
});

describe("a key", () => {
  it("is taken from the header, as a bearer token, or from the query", async () => {
    const made = await scene("chat", replyScript("chat", { text: "hello" }, { stream: false }));
    const { key } = made.where;
    const bearer = { authorization: `Bearer ${key}` };
    expect((await post(made, { path: whole, key })).status).toBe(200);
    expect((await post(made, { path: whole, key: "", headers: bearer })).status).toBe(200);
    expect((await post(made, { path: whole, key: "gw_wrong", headers: bearer })).status).toBe(200);
    expect((await post(made, { path: `${whole}?key=${key}`, key: "" })).status).toBe(200);
    const other = { authorization: "Bearer ya29.something" };
    expect((await post(made, { path: whole, key, headers: other })).status).toBe(200);
  });

  it("in the query of another format is none", async () => {
    const { where } = await scene("chat");
    for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/responses"]) {
      const answer = await knock(`${path}?key=${where.key}`, { method: "POST", body: "{}" });
      expect(answer.status, path).toBe(401);
    }
  });

  it("goes to no provider, and stands in no answer, header or row", async () => {
    for (const format of formats) {
      const made = await scene(format, replyScript(format, { text: "x" }, { stream: false }));
      const { key } = made.where;
      const answer = await post(made, { path: `${whole}?key=${key}&x=1`, key: "" });
      const text = (await answer.text()) + JSON.stringify([...answer.headers]);
      const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
      const [sent] = await made.lane.received();
      for (const place of [text, JSON.stringify(row), JSON.stringify(sent)])
        expect(place).not.toContain(key);
      expect(JSON.stringify(sent?.headers)).toContain(secret);
    }
  });

  it("that is missing or wrong is told by the header's own name", async () => {
    const made = await scene("chat");
    const path = "/v1beta/models/lab/m:generateContent";
    const rows = [
      ["", "M001", /x-goog-api-key/],
      ["nonsense", "M003", /x-goog-api-key/],
      [`gw_${"x".repeat(43)}`, "M005", /unknown or was revoked/],
    ] as const;
    for (const [key, code, words] of rows) {
      const text = await (await post(made, { path, key })).text();
      expect(parsed(text)).toMatchObject({
        error: { code: 401, status: "UNAUTHENTICATED", message: expect.stringMatching(words) },
      });
      expect(text).toContain(`[gateway ${code}]`);
      expect(detailsOf(text)["ErrorInfo"]).toMatchObject({
        reason: "API_KEY_INVALID",
        domain: "googleapis.com",
        metadata: { code: "gateway_auth" },
      });
    }
  });
});

describe("the gateway's own errors", () => {
  const unknown = "/v1beta/models/lab/none:";

  it("are rendered for streams alone, whatever the client accepts", async () => {
    const made = await scene("chat");
    const accepts = { accept: "text/event-stream" };
    const plain = await post(made, { path: `${unknown}generateContent`, headers: accepts });
    expect(plain.status).toBe(404);
    expect(parsed(await plain.text())).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
    const shown = await post(made, { path: `${unknown}streamGenerateContent?alt=sse` });
    expect(shown.status).toBe(200);
    const chunks = strictChunks(await shown.text());
    expect(textOf(chunks)).toContain("[gateway M302]");
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: "STOP" }],
      usageMetadata: { totalTokenCount: 0 },
      modelVersion: "lab/none",
      responseId: expect.any(String),
    });
    const array = await post(made, { path: `${unknown}streamGenerateContent` });
    expect(textOf(JSON.parse(await array.text()) as Json[])).toContain("[gateway M302]");
    const keyless = await post(made, { path: streamed, key: "" });
    expect(textOf(strictChunks(await keyless.text()))).toContain("[gateway M001]");
  });

  it("reach Gemini CLI by their status", async () => {
    const made = await scene("chat");
    const headers = { "user-agent": "GeminiCLI-tui/0.61.0/m (linux; x64; terminal)" };
    const path = `${unknown}streamGenerateContent?alt=sse`;
    expect((await post(made, { path, headers })).status).toBe(404);
    expect((await post(made, { path, headers, key: "gw_wrong" })).status).toBe(401);
  });

  it("are plain in the other variant, with the status as their code", async () => {
    const made = await scene("chat", [], { variant: "B" });
    const answer = await post(made, { path: `${unknown}streamGenerateContent?alt=sse` });
    expect(answer.status).toBe(404);
    const text = await answer.text();
    expect(parsed(text)).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
    expect(detailsOf(text)["ErrorInfo"]).toMatchObject({ reason: "invalid_request_error" });
  });

  it("for a used-up day are no rate limit that a client waits for", async () => {
    const limits = [{ metric: "requests", period: "day", max: 0, action: "block" }];
    const made = await scene("chat", [], { harness: { limits, errors: "status" } });
    const answer = await post(made, { path: streamed });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    const details = detailsOf(await answer.text());
    expect(JSON.stringify(details["QuotaFailure"])).toContain("PerDay");
    expect(String(details["RetryInfo"]?.["retryDelay"])).toMatch(/^\d+s$/);
  });
});

describe("a Gemini provider of a Gemini client", () => {
  const wire = 'data: {"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}}]}\r\n\r\n';
  const end = 'data: {"candidates": [{"finishReason": "STOP"}], "x-own": 1}\r\n\r\n';

  it("is relayed byte for byte", async () => {
    const script = streamOf([wire, end], { chop: 5 });
    const made = await scene("gemini", script);
    expect(await (await post(made, { path: streamed })).text()).toBe(wire + end);
    const body =
      '{"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]}';
    await made.lane.answer({ headers: { "content-type": "application/json" }, body });
    expect(await (await post(made, { path: whole })).text()).toBe(body);
  });

  it("says nothing that its clients cannot read", async () => {
    const noisy = [
      ": comment\n\n",
      `: glued\n${wire}`,
      `event: message\n${wire}`,
      `id: 3\nretry: 5\n${wire}`,
      "data:\n\n",
      'data: {"candidates":\ndata: [{"content":{"parts":[{"text":"a"}]}}]}\n\n',
      end.trimEnd() + "\n\n",
      "data: [DONE]\n\n",
    ];
    for (const chop of [1, 9, 1000]) {
      const made = await scene("gemini", streamOf(noisy, { chop }));
      const chunks = strictChunks(await (await post(made, { path: streamed })).text());
      expect(textOf(chunks)).toBe("aaaa");
      expect(chunks).toHaveLength(5);
    }
  });

  it("tells which quota is used up in its own details", async () => {
    const type = "type.googleapis.com/google.rpc.";
    const quota = {
      "@type": `${type}QuotaFailure`,
      violations: [{ quotaId: "GenerateRequestsPerDayPerProject", quotaValue: `of ${secret}` }],
    };
    const details = [quota, { "@type": `${type}RetryInfo`, retryDelay: "34.07s" }];
    const error = { code: 429, message: "quota", status: "RESOURCE_EXHAUSTED", details };
    const made = await scene("gemini", wholeOf({ error }, 429));
    const answer = await post(made, { path: streamed });
    const text = await answer.text();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "35"]);
    const told = detailsOf(text);
    expect(JSON.stringify(told["QuotaFailure"])).toContain("PerDay");
    expect(told["RetryInfo"]).toMatchObject({ retryDelay: "34.07s" });
    expect(told["ErrorInfo"]).toMatchObject({ domain: "gateway" });
    expect(text).not.toContain(secret);
    const other = await post(await scene("gemini", wholeOf([{ error }], 429)), { path: whole });
    expect(detailsOf(await other.text())).toHaveProperty("QuotaFailure");
  });

  it("may leave out the last blank line", async () => {
    const made = await scene("gemini", streamOf([wire, end.trimEnd()]));
    expect(strictChunks(await (await post(made, { path: streamed })).text())).toHaveLength(2);
  });

  it("is relayed as an array too", async () => {
    const made = await scene("gemini", streamOf([": c\n\n", wire, end], { chop: 3 }));
    const array = JSON.parse(await (await post(made, { path: asArray })).text()) as Json[];
    expect(array).toHaveLength(2);
    expect(array[1]).toMatchObject({ "x-own": 1 });
  });
});

describe("`auto`", () => {
  it.each([
    { cachedContent: "cachedContents/1" },
    {
      contents: [{ role: "user", parts: [{ inlineData: { mimeType: "video/mp4", data: "AA" } }] }],
    },
    { generationConfig: { responseModalities: ["AUDIO"] } },
  ])("asks a Gemini provider for what no other can serve: %j", async (more) => {
    const [other, own] = [openLane(), openLane()];
    await own.answer(replyScript("gemini", { text: "served" }, { stream: false }));
    const providers = [
      provider({ id: "other", format: "chat", lane: other }),
      provider({ id: "own", format: "gemini", lane: own }),
    ];
    const where = await world({ providers, harnesses: [{ id: "h", name: "H" }] });
    const path = "/v1beta/models/auto:generateContent";
    const answer = await post({ where, lane: own }, { path, body: question(more) });
    expect(textOf([parsed(await answer.text())])).toBe("served");
    expect(answer.headers.get("x-gateway-model")).toBe("own/m");
    expect(await other.received()).toEqual([]);
  });
});

describe("state of reasoning", () => {
  const native: Record<Exclude<WireFormat, "chat">, RegExp> = {
    messages: /"signature":"c3RhdGU="/,
    responses: /"encrypted_content":"c3RhdGU="/,
    gemini: /"thoughtSignature":"c3RhdGU="/,
  };

  it.each(["messages", "responses", "gemini"] as const)(
    "comes back to %s through a client that drops thoughts and ids",
    async (format) => {
      const made = await scene(format, replyScript(format, said, { stream: true }));
      const config = { ...tool, ...thoughts };
      const answer = await post(made, { path: streamed, body: question(config) });
      const kept = partsOf(strictChunks(await answer.text())).filter(
        ({ thought, text }) => thought !== true && text !== "",
      );
      const parts = kept.map((part) =>
        part.functionCall === undefined
          ? part
          : {
              ...part,
              functionCall: { name: part.functionCall.name, args: part.functionCall.args },
            },
      );
      const results = ["one", "two"].map((output) => ({
        functionResponse: { name: "look", response: { output } },
      }));
      const contents = [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts },
        { role: "user", parts: results },
      ];
      await post(made, { path: whole, body: { contents, ...config } });
      const [, second] = await made.lane.received();
      expect(second?.text).toMatch(native[format]);
      expect(second?.text).not.toContain("gw1.");
    },
  );
});

describe("a silent provider", () => {
  it.each(["chat", "gemini"] as const)(
    "of %s is covered by empty chunks, and by white space in an array",
    async (format) => {
      const text = "one two three four five";
      const script = replyScript(format, { text }, { stream: true });
      const events = [script.body ?? ""].flat();
      const pause = events.findIndex((event) => event.includes("one")) + 1;
      const body = [events.slice(0, pause).join(""), events.slice(pause).join("")];
      const made = await scene(format, { ...script, body, pace: 5200 });
      const [sse, array] = await Promise.all(
        [streamed, asArray].map(async (path) => await (await post(made, { path })).text()),
      );
      const chunks = strictChunks(sse ?? "");
      expect(chunks.filter((chunk) => Object.keys(chunk).length === 0).length).toBeGreaterThan(0);
      expect(textOf(chunks)).toBe(text);
      expect(array).toMatch(/\n/);
      expect(textOf(JSON.parse(array ?? "") as Json[])).toBe(text);
    },
    120_000,
  );
});

describe("lists", () => {
  const models = ["a", "b/c", "d"].map((id) => ({ id, context_window: 1000, max_output: 10 }));

  async function get(where: World, path: string, headers?: Record<string, string>): Promise<Json> {
    const answer = await knock(path, { headers: { "x-goog-api-key": where.key, ...headers } });
    return { status: answer.status, ...parsed(await answer.text()) };
  }

  it("name every model, with its limits", async () => {
    const { where } = await scene("chat", [], { entry: { models } });
    for (const path of [
      "/v1beta/models",
      "/v1/models",
      "/v1beta/v1beta/models",
      "/v1beta/models/",
    ]) {
      const list = (await get(where, path)) as { models?: Json[] };
      expect(list.models?.map(({ name }) => name)).toEqual([
        "models/auto",
        "models/lab/a",
        "models/lab/b/c",
        "models/lab/d",
      ]);
      expect(list.models?.[1]).toMatchObject({
        inputTokenLimit: 1000,
        outputTokenLimit: 10,
        supportedGenerationMethods: expect.arrayContaining(["generateContent", "countTokens"]),
      });
      expect(list).not.toHaveProperty("nextPageToken");
    }
  });

  it("come in pages", async () => {
    const { where } = await scene("chat", [], { entry: { models } });
    const names: unknown[] = [];
    let token = "";
    do {
      const page = await get(where, `/v1beta/models?pageSize=3&pageToken=${token}`);
      names.push(...(page["models"] as Json[]).map(({ name }) => name));
      token = String(page["nextPageToken"] ?? "");
    } while (token !== "");
    expect(names).toHaveLength(4);
    expect(new Set(names).size).toBe(4);
    for (const bad of ["pageSize=-1", "pageSize=x", "pageToken=zzz"])
      expect(await get(where, `/v1beta/models?${bad}`)).toMatchObject({
        status: 400,
        error: { status: "INVALID_ARGUMENT" },
      });
  });

  it("give one model, under each way to write its name", async () => {
    const { where } = await scene("chat", [], { entry: { models } });
    for (const id of ["lab/b/c", "lab%2Fb%2Fc", "auto"])
      for (const base of ["/v1beta", "/v1"])
        expect(await get(where, `${base}/models/${id}`)).toMatchObject({
          name: `models/${decodeURIComponent(id)}`,
        });
    expect(await get(where, "/v1beta/models/none")).toMatchObject({
      status: 404,
      error: { status: "NOT_FOUND" },
    });
    expect(await get(where, "/v1beta/tunedModels")).toMatchObject({ tunedModels: [] });
  });

  it("on /v1/models are Gemini's by their headers and query alone", async () => {
    const { where } = await scene("chat", [], { entry: { models } });
    const { key } = where;
    const bearer = { authorization: `Bearer ${key}` };
    const shapes = [
      ["/v1/models", bearer, "data"],
      ["/v1/models", { ...bearer, "anthropic-version": "2023-06-01" }, "data"],
      ["/v1/models", { "x-goog-api-key": key }, "models"],
      ["/v1/models", { ...bearer, "x-goog-api-client": "google-genai-sdk/3.1.0" }, "models"],
      ["/v1/models?pageSize=50", bearer, "models"],
      [`/v1/models?key=${key}`, {}, "models"],
    ] as const;
    for (const [path, headers, member] of shapes) {
      const answer = await knock(path, { headers });
      expect(parsed(await answer.text()), `${path} ${JSON.stringify(headers)}`).toHaveProperty(
        member,
      );
    }
  });
});
