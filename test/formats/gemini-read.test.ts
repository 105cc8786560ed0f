import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { toolNames } from "../../src/translation/tool-names.ts";
import { gemini } from "../../src/formats/gemini/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { context, turn } from "../kit/neutral.ts";

type Part = JsonObject;

const sse = (...chunks: unknown[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");

const chunk = (parts: Part[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  modelVersion: "gemini-x",
  responseId: "resp-1",
});

function streamed(text: string, names = context()): ReplyEvent[] {
  const reader = gemini.provider.eventReader(names);
  return [...reader.feed(text), ...reader.end()];
}

function replyOf(events: ReplyEvent[]): Reply {
  const reply = collect(events);
  if ("failure" in reply) throw new Error(`failed: ${reply.failure.message}`);
  return reply;
}

function failureOf(events: ReplyEvent[]) {
  const last = events.at(-1);
  if (last?.kind !== "fail") throw new Error("it did not fail");
  expect(events.filter((event) => event.kind === "fail" || event.kind === "end")).toHaveLength(1);
  return last.failure;
}

const signature = (type: string, data: string) => ({ format: "gemini", origin: "lab", type, data });

describe("a Gemini stream", () => {
  it("gives thoughts, text and the answer's head as they arrive", () => {
    const reader = gemini.provider.eventReader(context());
    const first = reader.feed(sse(chunk([{ text: "hm", thought: true }])));
    expect(first).toContainEqual({ kind: "start", id: "resp-1", model: "gemini-x" });
    expect(first).toContainEqual({ kind: "delta", key: 0, text: "hm" });
    const second = reader.feed(sse(chunk([{ text: "so" }])));
    expect(second).toContainEqual({ kind: "delta", key: 1, text: "so" });
    reader.feed(sse(chunk([{ text: "" }], { finishReason: "STOP" })));
    expect(reader.end().slice(-2)).toEqual([
      { kind: "stop", reason: "end", raw: "STOP" },
      { kind: "end" },
    ]);
    expect(reader.end()).toEqual([]);
  });

  it("stops for tools when a call came in an earlier chunk than STOP, and keeps a length limit", () => {
    const call = chunk([{ functionCall: { name: "f", args: { a: 1 } } }]);
    expect(replyOf(streamed(sse(call, chunk([], { finishReason: "STOP" })))).stop.reason).toBe(
      "tools",
    );
    expect(
      replyOf(streamed(sse(call, chunk([], { finishReason: "MAX_TOKENS" })))).stop.reason,
    ).toBe("length");
  });

  it("gives calls without ids distinct ids that do not depend on how the bytes were cut", () => {
    const text = sse(
      chunk(
        [
          { functionCall: { name: "f" } },
          { functionCall: { name: "f" } },
          { functionCall: { id: "own", name: "g" } },
        ],
        {
          finishReason: "STOP",
        },
      ),
    );
    const ids = replyOf(streamed(text)).blocks.map((block) => block.kind === "call" && block.id);
    expect(ids).toEqual(["call_resp-1_0", "call_resp-1_1", "own"]);
    expect(replyOf(streamed(text)).blocks).toEqual(replyOf(streamed(text)).blocks);
  });

  it("replaces an id that was given twice", () => {
    const twice = { functionCall: { id: "same", name: "f" } };
    const reply = replyOf(streamed(sse(chunk([twice, twice], { finishReason: "STOP" }))));
    expect(new Set(reply.blocks.map((block) => block.kind === "call" && block.id)).size).toBe(2);
  });

  it("puts arguments together that come in pieces", () => {
    const piece = (jsonPath: string, value: JsonObject) =>
      chunk([{ functionCall: { partialArgs: [{ jsonPath, ...value }], willContinue: true } }]);
    const events = streamed(
      sse(
        chunk([{ functionCall: { name: "cook", willContinue: true }, thoughtSignature: "s1" }]),
        piece("$.steps[0].text", { stringValue: "bo", willContinue: true }),
        piece("$.steps[0].text", { stringValue: "il", willContinue: true }),
        piece("$.steps[0].text", { stringValue: "" }),
        piece("$.steps[1]['how long']", { numberValue: 3 }),
        piece("$.hot", { boolValue: true }),
        piece("$.__proto__", { nullValue: null }),
        chunk([{ functionCall: {} }]),
        chunk([{ functionCall: { name: "next", args: {} } }], { finishReason: "STOP" }),
      ),
    );
    const [cook, next] = replyOf(events).blocks;
    const input = '{"steps":[{"text":"boil"},{"how long":3}],"hot":true,"__proto__":null}';
    expect(cook).toMatchObject({
      kind: "call",
      name: "cook",
      input,
      state: signature("thought_signature", "s1"),
    });
    expect(next).toMatchObject({ kind: "call", name: "next", input: "{}" });
  });

  it("gives freeform tools their raw text and flattened names their namespace back", () => {
    const tools = turn({
      tools: [
        { kind: "custom", name: "apply_patch", path: "tools[]" },
        { kind: "function", name: "run", namespace: "shell", path: "tools[]" },
      ],
    });
    const names = toolNames(tools, { maxLength: 64, flatten: true, customAsFunction: true });
    const calls = [
      { functionCall: { name: "apply_patch", args: { input: "*** Begin\n" } } },
      { functionCall: { name: "shell__run", args: { a: "b" } } },
    ];
    const reply = replyOf(
      streamed(sse(chunk(calls, { finishReason: "STOP" })), context("lab", names)),
    );
    expect(reply.blocks).toMatchObject([
      { call: "custom", name: "apply_patch", input: "*** Begin\n" },
      { call: "function", name: "run", namespace: "shell", input: '{"a":"b"}' },
    ]);
  });

  it("keeps the signature of a text with the thoughts before it", () => {
    const events = streamed(
      sse(
        chunk([{ text: "why", thought: true }]),
        chunk([{ text: "because", thoughtSignature: "s1" }]),
        chunk([{ text: " so" }], { finishReason: "STOP" }),
      ),
    );
    expect(replyOf(events).blocks).toEqual([
      { kind: "thinking", text: "why", state: signature("thought_signature.text", "s1") },
      { kind: "text", text: "because so", citations: [] },
    ]);
  });

  it("keeps a signature at the end of a text after it, and the text in one block", () => {
    const events = streamed(
      sse(
        chunk([{ text: "a" }]),
        chunk([{ text: "b", thoughtSignature: "mid" }]),
        chunk([{ text: "c" }]),
        chunk([{ text: "", thoughtSignature: "end" }], { finishReason: "STOP" }),
      ),
    );
    expect(replyOf(events).blocks).toEqual([
      { kind: "text", text: "abc", citations: [] },
      { kind: "thinking", text: "", state: signature("thought_signature.empty", "mid") },
      { kind: "thinking", text: "", state: signature("thought_signature.empty", "end") },
    ]);
  });

  it("counts thoughts as output and what built-in tools found as input; the last counts win", () => {
    const events = streamed(
      sse(
        {
          ...chunk([{ text: "a" }]),
          usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
        },
        {
          ...chunk([{ text: "b" }], { finishReason: "STOP" }),
          usageMetadata: {
            promptTokenCount: 10,
            toolUsePromptTokenCount: 20,
            cachedContentTokenCount: 4,
            candidatesTokenCount: 7,
            thoughtsTokenCount: 30,
            totalTokenCount: 67,
          },
        },
      ),
    );
    expect(replyOf(events).usage).toEqual({ input: 30, cacheRead: 4, output: 37, reasoning: 30 });
  });

  it("takes counts that repeat only some members as changes of those", () => {
    const events = streamed(
      sse(
        {
          ...chunk([{ text: "a" }]),
          usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 3 },
        },
        {
          ...chunk([{ text: "b" }], { finishReason: "STOP" }),
          usageMetadata: { candidatesTokenCount: 2 },
        },
      ),
    );
    expect(replyOf(events).usage).toEqual({ input: 9, output: 5, reasoning: 3 });
  });

  it("names the sources of its text, at places counted in the text's own units", () => {
    const text = "Zürich 🏔 is in the Alps.";
    const bytes = new TextEncoder().encode("Zürich 🏔 ").length;
    const grounding = {
      groundingChunks: [
        { web: { uri: "https://a.example", title: "A" } },
        { retrievedContext: { title: "doc" } },
      ],
      groundingSupports: [
        {
          segment: { startIndex: bytes, endIndex: bytes + 5, text: "is in" },
          groundingChunkIndices: [0, 1],
        },
      ],
    };
    const events = streamed(
      sse(
        chunk([{ text }]),
        chunk([{ text: "" }], { finishReason: "STOP", groundingMetadata: grounding }),
      ),
    );
    const start = text.indexOf("is in");
    const place = { text: "is in", start, end: start + 5 };
    expect(replyOf(events).blocks[0]).toMatchObject({
      citations: [
        { type: "url", url: "https://a.example", title: "A", ...place },
        { type: "document", title: "doc", ...place },
      ],
    });
  });

  it("passes images on, and asks the client for nothing that the provider ran itself", () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK" } },
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { text: "done" },
    ];
    const kinds = replyOf(streamed(sse(chunk(parts, { finishReason: "STOP" })))).blocks;
    expect(kinds).toMatchObject([
      { kind: "opaque", type: "executableCode", action: false },
      { kind: "opaque", type: "codeExecutionResult", action: false },
      { kind: "media", media: "image", mime: "image/png", data: "AAAA" },
      { kind: "text", text: "done" },
    ]);
  });

  it("reads a body that is a JSON array of chunks, cut anywhere", () => {
    const body = JSON.stringify(
      [chunk([{ text: 'a "}]" \\' }]), chunk([{ text: "b" }], { finishReason: "STOP" })],
      null,
      2,
    );
    const whole = streamed(body);
    expect(replyOf(whole).blocks).toEqual([{ kind: "text", text: 'a "}]" \\b', citations: [] }]);
    const reader = gemini.provider.eventReader(context());
    expect([...[...body].flatMap((letter) => reader.feed(letter)), ...reader.end()]).toEqual(whole);
  });

  it("reads a lone whole answer where a stream was asked for", () => {
    const reply = replyOf(
      streamed(JSON.stringify(chunk([{ text: "whole" }], { finishReason: "STOP" }))),
    );
    expect(reply.blocks).toEqual([{ kind: "text", text: "whole", citations: [] }]);
  });

  it.each([
    ["STOP", "end"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "filter"],
    ["RECITATION", "filter"],
    ["IMAGE_SAFETY", "filter"],
    ["CONTINUATION", "pause"],
    ["SOMETHING_NEW", "end"],
  ])("says %s as %s", (finishReason, reason) => {
    expect(replyOf(streamed(sse(chunk([{ text: "x" }], { finishReason })))).stop).toMatchObject({
      reason,
      raw: finishReason,
    });
  });

  it("reads a blocked prompt as filtered, not as empty", () => {
    const blocked = {
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 3 },
    };
    const reply = replyOf(streamed(sse(blocked)));
    expect(reply).toMatchObject({
      blocks: [],
      stop: { reason: "filter", raw: "PROHIBITED_CONTENT" },
    });
  });
});

describe("a Gemini stream that fails", () => {
  it("fails when it ends before a finish reason", () => {
    expect(failureOf(streamed(sse(chunk([{ text: "a" }]))))).toMatchObject({
      cause: "cut",
      status: 502,
    });
  });

  it("fails when its last event is half", () => {
    const text = sse(chunk([{ text: "a" }], { finishReason: "STOP" }));
    expect(failureOf(streamed(text + 'data: {"candidates":[{"con')).cause).toBe("cut");
  });

  it("fails when nothing came at all", () => {
    expect(failureOf(streamed("")).cause).toBe("empty");
  });

  it.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER"])(
    "fails on %s with that code",
    (finishReason) => {
      const failure = failureOf(
        streamed(sse(chunk([], { finishReason, finishMessage: "broken" }))),
      );
      expect(failure).toMatchObject({
        cause: "stated",
        status: 502,
        code: finishReason,
        message: "broken",
      });
    },
  );

  it("fails with the provider's message on an error inside the stream, wrapped in an array or not", () => {
    const error = { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } };
    for (const body of [error, [error]]) {
      const failure = failureOf(streamed(sse(chunk([{ text: "a" }]), body)));
      expect(failure).toEqual({
        cause: "stated",
        status: 503,
        message: "overloaded",
        code: "UNAVAILABLE",
      });
    }
    expect(failureOf(streamed(JSON.stringify([error]))).code).toBe("UNAVAILABLE");
    expect(failureOf(gemini.provider.readReply([error], context())).code).toBe("UNAVAILABLE");
  });

  it("emits nothing after it failed", () => {
    const reader = gemini.provider.eventReader(context());
    reader.feed(sse({ error: { code: 500, message: "x" } }));
    expect(reader.feed(sse(chunk([{ text: "a" }], { finishReason: "STOP" })))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });
});

describe("a whole Gemini answer", () => {
  it("gives the events of a stream of it", () => {
    const parts = [
      { text: "t", thought: true },
      { text: "a", thoughtSignature: "s" },
      { functionCall: { name: "f", args: {} } },
    ];
    const body = {
      ...chunk(parts, { finishReason: "STOP" }),
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
    };
    expect(gemini.provider.readReply(body, context())).toEqual(streamed(sse(body)));
  });

  it("fails when it holds no candidate and no reason", () => {
    expect(failureOf(gemini.provider.readReply({}, context())).cause).toBe("empty");
  });
});

describe("an error status of Gemini", () => {
  it("keeps message, status, details and retry delay", () => {
    const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" };
    const text = JSON.stringify({
      error: {
        code: 429,
        message: "Quota exceeded",
        status: "RESOURCE_EXHAUSTED",
        details: [retry],
      },
    });
    expect(gemini.provider.readFailure(429, text)).toEqual({
      cause: "status",
      status: 429,
      message: "Quota exceeded",
      code: "RESOURCE_EXHAUSTED",
      retryAfter: 35,
      details: [retry],
    });
  });

  it("recognizes that the input is too long", () => {
    const message =
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";
    const text = JSON.stringify([{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }]);
    expect(gemini.provider.readFailure(400, text)).toMatchObject({
      overflow: true,
      message,
      code: "INVALID_ARGUMENT",
    });
  });

  it("does not repeat a page of HTML", () => {
    expect(gemini.provider.readFailure(502, "<html>Bad gateway</html>").message).not.toContain("<");
  });
});
