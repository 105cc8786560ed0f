import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, replay, type Reply } from "../../src/core/reply.ts";
import { toolNames } from "../../src/translation/tool-names.ts";
import { messages } from "../../src/formats/messages/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { context, turn } from "../kit/neutral.ts";

const sse = (...events: JsonObject[]): string =>
  events
    .map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");

const start = (usage: JsonObject = { input_tokens: 3, output_tokens: 1 }): JsonObject => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content: [],
    usage,
  },
});
const open = (index: number, content_block: JsonObject): JsonObject => ({
  type: "content_block_start",
  index,
  content_block,
});
const piece = (index: number, delta: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta,
});
const close = (index: number): JsonObject => ({ type: "content_block_stop", index });
const stop = (reason: string | null, usage: JsonObject = { output_tokens: 9 }): JsonObject => ({
  type: "message_delta",
  delta: { stop_reason: reason, stop_sequence: null },
  usage,
});
const end: JsonObject = { type: "message_stop" };

function read(text: string, at = context()): ReplyEvent[] {
  const reader = messages.provider.eventReader(at);
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

const whole = (content: JsonValue[], more: JsonObject = {}): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-x",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 9 },
  ...more,
});

const signed = (type: string, data: string) => ({ format: "messages", origin: "lab", type, data });

describe("an Anthropic stream", () => {
  it("is emitted as it arrives", () => {
    const reader = messages.provider.eventReader(context());
    expect(reader.feed(sse(start()))).toEqual([
      { kind: "start", id: "msg_1", model: "claude-x" },
      { kind: "usage", usage: { input: 3, output: 1 } },
    ]);
    expect(reader.feed(sse(open(0, { type: "text", text: "" })))).toEqual([]);
    expect(reader.feed(sse(piece(0, { type: "text_delta", text: "hi" })))).toEqual([
      { kind: "open", key: 0, block: { kind: "text" } },
      { kind: "delta", key: 0, text: "hi" },
    ]);
    expect(reader.feed(sse({ type: "ping" }, close(0)))).toEqual([{ kind: "close", key: 0 }]);
    expect(reader.feed(sse(stop("end_turn"), end))).toEqual([
      { kind: "usage", usage: { input: 3, output: 9 } },
      { kind: "stop", reason: "end", raw: "end_turn" },
      { kind: "end" },
    ]);
    expect(reader.feed(sse(start()))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  it("gives the same reply as the whole answer", () => {
    const thinking = { type: "thinking", thinking: "hm", signature: "sig" };
    const citation = {
      type: "web_search_result_location",
      url: "https://e.com",
      title: "E",
      cited_text: "c",
      encrypted_index: "x",
    };
    const search = {
      type: "server_tool_use",
      id: "srv",
      name: "web_search",
      input: { query: "q" },
    };
    const found = { type: "web_search_tool_result", tool_use_id: "srv", content: [] };
    const streamed = sse(
      start(),
      open(0, { type: "thinking", thinking: "", signature: "" }),
      piece(0, { type: "thinking_delta", thinking: "h" }),
      piece(0, { type: "thinking_delta", thinking: "m" }),
      piece(0, { type: "signature_delta", signature: "sig" }),
      close(0),
      open(1, { type: "redacted_thinking", data: "hidden" }),
      close(1),
      open(2, { ...search, input: {} }),
      piece(2, { type: "input_json_delta", partial_json: '{"query":' }),
      piece(2, { type: "input_json_delta", partial_json: '"q"}' }),
      close(2),
      open(3, found),
      close(3),
      open(4, { type: "text", text: "" }),
      piece(4, { type: "text_delta", text: "so" }),
      piece(4, { type: "citations_delta", citation }),
      close(4),
      open(5, { type: "tool_use", id: "toolu_1", name: "f", input: {} }),
      piece(5, { type: "input_json_delta", partial_json: "" }),
      piece(5, { type: "input_json_delta", partial_json: '{"a":1}' }),
      close(5),
      stop("tool_use"),
      end,
    );
    const content = [
      thinking,
      { type: "redacted_thinking", data: "hidden" },
      search,
      found,
      { type: "text", text: "so", citations: [citation] },
      { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } },
    ];
    const reply = replyOf(read(streamed));
    expect(reply).toEqual(
      replyOf(messages.provider.readReply(whole(content, { stop_reason: "tool_use" }), context())),
    );
    expect(reply.blocks).toMatchObject([
      { kind: "thinking", text: "hm", state: signed("signature", "sig") },
      { kind: "thinking", text: "", redacted: true, state: signed("redacted", "hidden") },
      { kind: "opaque", type: "server_tool_use", action: false, raw: search },
      { kind: "opaque", type: "web_search_tool_result", action: false },
      {
        kind: "text",
        text: "so",
        citations: [{ type: "url", url: "https://e.com", title: "E", text: "c" }],
      },
      { kind: "call", id: "toolu_1", name: "f", input: '{"a":1}' },
    ]);
    expect(reply.stop).toEqual({ reason: "tools", raw: "tool_use" });
  });

  it("counts the input of a call that came with its start, and none as {}", () => {
    const events = sse(
      start(),
      open(0, { type: "tool_use", id: "a", name: "f", input: { x: 1 } }),
      close(0),
      open(1, { type: "tool_use", id: "b", name: "f", input: {} }),
      close(1),
      stop("tool_use"),
      end,
    );
    expect(replyOf(read(events)).blocks).toMatchObject([{ input: '{"x":1}' }, { input: "{}" }]);
  });

  it("gives free text back to the tools that take it", () => {
    const names = toolNames(
      turn({ tools: [{ kind: "custom", name: "apply_patch", path: "tools[]" }] }),
      { maxLength: 64, flatten: true, customAsFunction: true },
    );
    const json = JSON.stringify({ input: 'a "b"\n🙂' });
    const pieces = [...json].map((char) =>
      piece(0, { type: "input_json_delta", partial_json: char }),
    );
    const use = open(0, { type: "tool_use", id: "a", name: "apply_patch", input: {} });
    const reply = replyOf(
      read(sse(start(), use, ...pieces, close(0), stop("tool_use"), end), context("lab", names)),
    );
    expect(reply.blocks).toEqual([
      { kind: "call", id: "a", name: "apply_patch", call: "custom", input: 'a "b"\n🙂' },
    ]);
  });

  it("sums cached input and what was written to the cache, and never adds running totals", () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 70,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    };
    const later = {
      input_tokens: null,
      output_tokens: 30,
      output_tokens_details: { thinking_tokens: 12 },
      cache_creation: { ephemeral_1h_input_tokens: 8, ephemeral_5m_input_tokens: 12 },
    };
    const reply = replyOf(
      read(sse(start(usage), stop("end_turn", later), stop(null, { output_tokens: 31 }), end)),
    );
    expect(reply.usage).toEqual({
      input: 95,
      cacheRead: 70,
      cacheWrite: 20,
      cacheWrite1h: 8,
      output: 31,
      reasoning: 12,
    });
    expect(reply.stop).toEqual({ reason: "end", raw: "end_turn" });
  });

  it.each([
    ["end_turn", "end"],
    ["stop_sequence", "stop_sequence"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "context_full"],
    ["refusal", "filter"],
    ["pause_turn", "pause"],
    ["tool_use", "end"],
    ["something_new", "end"],
  ])("that stops with %s without a call stops for %s", (raw, reason) => {
    expect(replyOf(read(sse(start(), stop(raw), end))).stop).toEqual({ reason, raw });
  });

  it("keeps the stop sequence and what a refusal explains", () => {
    const delta = { stop_reason: "stop_sequence", stop_sequence: "END" };
    expect(replyOf(read(sse(start(), { type: "message_delta", delta }, end))).stop.sequence).toBe(
      "END",
    );
    const stop_details = { type: "refusal", category: "bio", explanation: "no" };
    const refused = { type: "message_delta", delta: { stop_reason: "refusal", stop_details } };
    expect(replyOf(read(sse(start(), refused, end))).stop.details).toEqual(stop_details);
  });

  it("keeps a length limit although there is a call", () => {
    const use = open(0, { type: "tool_use", id: "a", name: "f", input: {} });
    expect(replyOf(read(sse(start(), use, close(0), stop("max_tokens"), end))).stop.reason).toBe(
      "length",
    );
    expect(replyOf(read(sse(start(), use, close(0), stop("end_turn"), end))).stop.reason).toBe(
      "tools",
    );
  });

  it("closes open blocks at its end, and ignores unknown events", () => {
    const text = piece(0, { type: "text_delta", text: "hi" });
    const odd = [
      { type: "new_event", x: 1 },
      piece(0, { type: "new_delta" }),
      piece(7, { type: "text_delta", text: "lost" }),
    ];
    const events = read(
      sse(start(), open(0, { type: "text", text: "" }), text, ...odd, stop("end_turn"), end),
    );
    expect(replyOf(events).blocks).toEqual([{ kind: "text", text: "hi", citations: [] }]);
    expect(events.filter((event) => event.kind === "close")).toHaveLength(1);
  });

  it("knows its events by their data when the event lines are missing", () => {
    const bare = [start(), open(0, { type: "text", text: "hi" }), close(0), stop("end_turn"), end]
      .map((event) => `data:${JSON.stringify(event)}\r\n\r\n`)
      .join("");
    expect(replyOf(read(bare)).blocks).toHaveLength(1);
  });

  it("of an unknown kind of tool use asks for something that a client must do", () => {
    const use = open(0, { type: "computer_tool_use", id: "c", input: {} });
    expect(replyOf(read(sse(start(), use, close(0), stop("tool_use"), end))).blocks).toMatchObject([
      { kind: "opaque", type: "computer_tool_use", action: true },
    ]);
  });
});

describe("an Anthropic stream that fails", () => {
  const begun = [
    start(),
    open(0, { type: "text", text: "" }),
    piece(0, { type: "text_delta", text: "hi" }),
  ];

  it.each([
    ["overloaded_error", 529],
    ["rate_limit_error", 429],
    ["api_error", 500],
    ["timeout_error", 504],
    ["invented_error", 502],
  ])("with the stated %s counts as %i", (type, status) => {
    const error = { type: "error", error: { type, message: "no more" } };
    expect(failureOf(read(sse(...begun, error, end)))).toMatchObject({
      cause: "stated",
      status,
      type,
      message: "no more",
    });
  });

  it("is cut when it ends without its end", () => {
    expect(failureOf(read(sse(...begun)))).toMatchObject({ cause: "cut", status: 502 });
    expect(failureOf(read(sse(...begun, close(0), stop("end_turn"))))).toMatchObject({
      cause: "cut",
    });
    expect(failureOf(read(""))).toMatchObject({ cause: "cut" });
    expect(
      failureOf(read(`${sse(...begun)}event: message_stop\ndata: {"type":"mess`)),
    ).toMatchObject({ cause: "cut" });
  });

  it("counts a last event without its blank line", () => {
    expect(
      replyOf(read(sse(...begun, close(0), stop("end_turn"), end).trimEnd())).stop.reason,
    ).toBe("end");
  });

  it("is broken when an event is not JSON, or when a second answer begins in the first", () => {
    expect(failureOf(read(`${sse(...begun)}data: <html>\n\n`))).toMatchObject({ status: 502 });
    expect(failureOf(read(sse(...begun, start())))).toMatchObject({ status: 502 });
  });

  it("recognizes a conversation that is too long", () => {
    const error = {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
    };
    expect(failureOf(read(sse(error)))).toMatchObject({ status: 400, overflow: true });
  });
});

describe("a whole Anthropic answer", () => {
  it("that is an error, or no answer at all, fails", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "busy" } };
    expect(failureOf(messages.provider.readReply(error, context()))).toMatchObject({
      cause: "stated",
      status: 529,
    });
    expect(failureOf(messages.provider.readReply({ error: "no" }, context()))).toMatchObject({
      message: "no",
    });
    for (const body of [null, [], "text", {}, { content: "text" }])
      expect(failureOf(messages.provider.readReply(body, context()))).toMatchObject({
        status: 502,
      });
  });

  it("may be empty", () => {
    expect(replyOf(messages.provider.readReply(whole([]), context())).blocks).toEqual([]);
    expect(
      replyOf(messages.provider.readReply(whole([{ type: "text", text: "" }]), context())).blocks,
    ).toEqual([]);
  });
});

describe("an Anthropic error status", () => {
  const fails = (status: number, body: unknown) =>
    messages.provider.readFailure(status, typeof body === "string" ? body : JSON.stringify(body));

  it("keeps the provider's type, code and message", () => {
    const body = {
      type: "error",
      error: { type: "not_found_error", message: "model: x" },
      request_id: "r",
    };
    expect(fails(404, body)).toEqual({
      cause: "status",
      status: 404,
      type: "not_found_error",
      message: "model: x",
    });
    expect(fails(429, { error: { message: "slow", code: "too_fast" } })).toMatchObject({
      code: "too_fast",
    });
    expect(fails(400, { error: { message: "no", code: 400 } })).not.toHaveProperty("code");
  });

  it("finds messages in other forms, and has one for web pages and empty bodies", () => {
    expect(fails(503, { message: "down" }).message).toBe("down");
    expect(fails(503, { error: "down" }).message).toBe("down");
    expect(fails(502, "upstream gone").message).toBe("upstream gone");
    for (const text of ["<html><body>Bad gateway</body></html>", "", "{}", '{"error":'])
      expect(fails(502, text).message).toBe("The provider answered with status 502.");
  });

  it.each([
    "prompt is too long: 250000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "This model's maximum context length is 8192 tokens",
    "Input is too long for requested model.",
  ])("recognizes an overflow: %s", (message) => {
    expect(fails(400, { error: { type: "invalid_request_error", message } }).overflow).toBe(true);
    expect(fails(500, { error: { type: "api_error", message } }).overflow).toBeUndefined();
  });

  it("is no overflow for other reasons", () => {
    for (const message of [
      "max_tokens: must be at least 1",
      "messages: too many tool results",
      "Extra inputs are not permitted",
    ])
      expect(fails(400, { error: { message } }).overflow).toBeUndefined();
  });
});

describe("replayed answers", () => {
  it("are read back as they were written", () => {
    const body = whole([
      { type: "text", text: "a" },
      { type: "tool_use", id: "t", name: "f", input: { b: 2 } },
    ]);
    const reply = replyOf(messages.provider.readReply(body, context()));
    expect(replyOf(replay(reply))).toEqual(reply);
  });
});
