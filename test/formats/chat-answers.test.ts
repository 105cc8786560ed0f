import { describe, expect, it } from "vitest";
import type { ToolNames } from "../../src/core/format.ts";
import { wrapFreeform } from "../../src/translation/freeform.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { noNames } from "../../src/translation/tool-names.ts";
import { chat } from "../../src/formats/chat/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { chopped } from "../kit/chop.ts";
import { context } from "../kit/neutral.ts";
import { random } from "../kit/random.ts";

const frame = (value: JsonValue | string): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: JsonObject, rest: JsonObject = {}): JsonObject => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 7,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
});
const finish = (reason: string | null, more: JsonObject = {}): JsonObject => ({
  ...chunk({}, { finish_reason: reason }),
  ...more,
});
const fragment = (entry: JsonObject): JsonObject => chunk({ tool_calls: [entry] });
const done = "[DONE]";

function readAll(text: string, names: ToolNames = noNames): ReplyEvent[] {
  const reader = chat.provider.eventReader(context("lab", names));
  return [...reader.feed(text), ...reader.end()];
}
const events = (...values: (JsonValue | string)[]): ReplyEvent[] =>
  readAll(values.map(frame).join(""));

function whole(list: readonly ReplyEvent[]): Reply {
  const reply = collect(list);
  if ("failure" in reply) throw new Error(`it failed: ${reply.failure.message}`);
  return reply;
}
const reply = (...values: (JsonValue | string)[]): Reply => whole(events(...values));
const failure = (...values: (JsonValue | string)[]) => {
  const last = events(...values).at(-1);
  return last?.kind === "fail" ? last.failure : undefined;
};
const calls = (...values: (JsonValue | string)[]) =>
  reply(...values).blocks.flatMap((block) => (block.kind === "call" ? [block] : []));
const toolCalls = finish("tool_calls");

describe("a chat stream's end", () => {
  it("is normal with a finish reason, [DONE] or both", () => {
    const text = chunk({ content: "x" });
    expect(reply(text, finish("stop"), done).stop).toEqual({ reason: "end", raw: "stop" });
    expect(reply(text, finish("stop")).stop.reason).toBe("end");
    expect(reply(text, done).stop).toEqual({ reason: "end" });
  });

  it("without either is a cut, however much came", () => {
    expect(failure(chunk({ content: "x" }))).toMatchObject({ cause: "cut", status: 502 });
    const half = readAll(`${frame(chunk({ content: "x" }))}data: {"choices":[{"del`);
    expect(half.at(-1)).toMatchObject({ failure: { cause: "cut" } });
  });

  it("without any answer is empty", () => {
    expect(failure()).toMatchObject({ cause: "empty" });
    expect(failure(done)).toMatchObject({ cause: "empty" });
    expect(failure({ ...chunk({}), choices: [] }, done)).toMatchObject({ cause: "empty" });
  });

  it("is read once: what follows [DONE] is ignored", () => {
    const list = events(chunk({ content: "x" }), finish("stop"), done, chunk({ content: "y" }), {
      error: { message: "z" },
    });
    expect(list.filter((event) => event.kind === "end")).toHaveLength(1);
    expect(whole(list).blocks).toMatchObject([{ text: "x" }]);
    expect(list.at(-1)).toEqual({ kind: "end" });
  });

  it("keeps the first of several reasons", () => {
    expect(reply(chunk({ content: "x" }), finish("length"), finish("stop"), done).stop.reason).toBe(
      "length",
    );
  });

  const reasons: [string, string][] = [
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "filter"],
    ["sensitive", "filter"],
    ["eos", "end"],
    ["", "end"],
    ["tool_calls", "end"],
  ];
  it.each(reasons)("%s after mere text means %s", (raw, meant) => {
    expect(reply(chunk({ content: "x" }), finish(raw), done).stop.reason).toBe(meant);
  });

  it("after calls means the calls, unless it was cut short or filtered", () => {
    const call = fragment({ index: 0, id: "a", function: { name: "f", arguments: "{}" } });
    const reasonAfter = (raw: string) => reply(call, finish(raw), done).stop.reason;
    expect(
      ["stop", "tool_calls", "function_call", "length", "content_filter"].map(reasonAfter),
    ).toEqual(["tools", "tools", "tools", "length", "filter"]);
  });

  it("has the stop sequence where the server sends it", () => {
    expect(
      reply(chunk({ content: "x" }), chunk({}, { finish_reason: "stop", stop_reason: "END" }), done)
        .stop,
    ).toEqual({
      reason: "stop_sequence",
      sequence: "END",
      raw: "stop",
    });
  });
});

describe("an error inside a chat answer", () => {
  it("ends it with the provider's message, type and code", () => {
    const error = { message: "too busy", type: "overloaded_error", code: "busy" };
    expect(failure(chunk({ content: "x" }), { error })).toEqual({
      cause: "stated",
      status: 529,
      message: "too busy",
      type: "overloaded_error",
      code: "busy",
    });
  });

  const forms: [string, JsonObject][] = [
    ["a text", { error: "it broke" }],
    [
      "beside choices",
      { ...chunk({}, { finish_reason: "error" }), error: { code: 502, message: "it broke" } },
    ],
    ["in the choice", chunk({}, { finish_reason: "error", error: { message: "it broke" } })],
    ["flat", { object: "error", message: "it broke", code: 400 }],
    ["a detail", { detail: "it broke" }],
    ["in a vendor's member", { ...chunk({}), x_groq: { id: "r", error: "it broke" } }],
  ];
  it.each(forms)("is seen as %s", (_, form) => {
    expect(failure(chunk({ content: "x" }), form, done)).toMatchObject({
      cause: "stated",
      message: "it broke",
    });
  });

  it("may be an error event, JSON or not", () => {
    expect(readAll('event: error\ndata: {"message":"it broke"}\n\n').at(-1)).toMatchObject({
      failure: { message: "it broke" },
    });
    expect(readAll("event: error\ndata: it broke\n\n").at(-1)).toMatchObject({
      failure: { message: "it broke" },
    });
  });

  it("takes its status from its code or its type", () => {
    expect(failure({ error: { message: "x", code: 429 } })).toMatchObject({ status: 429 });
    expect(failure({ error: { message: "x", code: "rate_limit_exceeded" } })).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
    expect(failure({ error: { message: "x" } })).toMatchObject({ status: 502 });
  });

  it("is recognized as an overflow of the context window", () => {
    const message = "This model's maximum context length is 8192 tokens.";
    expect(failure({ error: { message, type: "invalid_request_error" } })).toMatchObject({
      status: 400,
      overflow: true,
    });
  });

  it("is a finish reason too", () => {
    expect(failure(chunk({ content: "x" }), finish("error"), done)).toMatchObject({
      cause: "stated",
      status: 502,
    });
  });

  it("is an event that is no JSON, but not noise between the chunks", () => {
    expect(failure(chunk({ content: "x" }), "{broken", finish("stop"), done)).toMatchObject({
      cause: "wrong_type",
    });
    expect(
      reply("keep-alive", chunk({ content: "x" }), "", finish("stop"), done).blocks,
    ).toMatchObject([{ text: "x" }]);
  });
});

describe("a chat answer's text", () => {
  it("opens no block for nothing", () => {
    const list = events(
      chunk({ role: "assistant", content: "" }),
      chunk({ content: null, refusal: null, reasoning_content: "" }),
      finish("stop"),
      done,
    );
    expect(list.map((event) => event.kind)).toEqual(["start", "stop", "end"]);
  });

  it("is emitted at once", () => {
    const reader = chat.provider.eventReader(context());
    reader.feed(frame(chunk({ content: "a" })));
    expect(reader.feed(frame(chunk({ content: "b" })))).toEqual([
      { kind: "delta", key: 0, text: "b" },
    ]);
  });

  it("alternates with reasoning in blocks of their own", () => {
    expect(
      reply(
        chunk({ reasoning_content: "hm" }),
        chunk({ reasoning_content: "m" }),
        chunk({ content: "a" }),
        chunk({ reasoning: "oh" }),
        chunk({ content: "b" }),
        finish("stop"),
      ).blocks,
    ).toMatchObject([
      { kind: "thinking", text: "hmm" },
      { kind: "text", text: "a" },
      { kind: "thinking", text: "oh" },
      { kind: "text", text: "b" },
    ]);
  });

  it("holds reasoning once where the server sends it twice", () => {
    const detail = { type: "reasoning.text", text: "hm", index: 0 };
    const both = chunk({ reasoning_content: "hm", reasoning: "hm", reasoning_details: [detail] });
    expect(reply(both, chunk({ content: "a" }), done).blocks).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "text" },
    ]);
    expect(reply(chunk({ reasoning_details: [detail] }), done).blocks).toMatchObject([
      { kind: "thinking", text: "hm" },
    ]);
  });

  it("comes in typed parts from some servers", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "a" },
      { type: "reference", reference_ids: [1] },
    ];
    expect(reply(chunk({ content }), chunk({ content: "b" }), finish("stop")).blocks).toMatchObject(
      [
        { kind: "thinking", text: "hm" },
        { kind: "text", text: "ab" },
      ],
    );
  });

  it("may be a refusal", () => {
    expect(reply(chunk({ refusal: "no" }), finish("stop")).blocks).toEqual([
      { kind: "refusal", text: "no" },
    ]);
  });

  it("is that of the first choice", () => {
    const second: JsonObject = {
      ...chunk({ content: "b" }),
      choices: [{ index: 1, delta: { content: "b" }, finish_reason: "stop" }],
    };
    expect(reply(chunk({ content: "a" }), second, finish("stop"), done).blocks).toMatchObject([
      { text: "a" },
    ]);
  });

  it("has its sources, with positions in its own block", () => {
    const url_citation = { url: "https://x.test", title: "X", start_index: 3, end_index: 5 };
    expect(
      reply(
        chunk({ content: "one" }),
        chunk({ reasoning_content: "hm" }),
        chunk({ content: "two", annotations: [{ type: "url_citation", url_citation }] }),
        finish("stop"),
      ).blocks[2],
    ).toMatchObject({
      text: "two",
      citations: [{ type: "url", url: "https://x.test", title: "X", start: 0, end: 2 }],
    });
  });

  it("has the sources that stand beside the choices, once", () => {
    const sources = { citations: ["https://a.test", "https://b.test"] };
    const [block] = reply(
      { ...chunk({ content: "a" }), ...sources },
      finish("stop", sources),
      done,
    ).blocks;
    expect(block).toMatchObject({
      citations: [{ url: "https://a.test" }, { url: "https://b.test" }],
    });
  });

  it("may be audio or images", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(
      reply(
        chunk({ audio: { id: "a", transcript: "hel" } }),
        chunk({ audio: { data: "QUJD", transcript: "lo" } }),
        chunk({ audio: { data: "REVG" } }),
        chunk({ images: [image] }),
        finish("stop"),
      ).blocks,
    ).toMatchObject([
      { kind: "text", text: "hello" },
      { kind: "media", media: "image", data: "AAAA" },
      { kind: "media", media: "audio", data: "QUJDREVG" },
    ]);
  });
});

describe("a chat answer's calls", () => {
  const [f, g] = [{ name: "f" }, { name: "g" }];

  it("are put together by index", () => {
    const made = calls(
      fragment({ index: 0, id: "a", type: "function", function: { ...f, arguments: "" } }),
      fragment({ index: 1, id: "b", type: "function", function: { ...g, arguments: "" } }),
      fragment({ index: 1, function: { arguments: '{"y":' } }),
      fragment({ index: 0, function: { arguments: '{"x":1}' } }),
      fragment({ index: 1, function: { arguments: "2}" } }),
      toolCalls,
      done,
    );
    expect(made).toMatchObject([
      { id: "a", name: "f", input: '{"x":1}' },
      { id: "b", name: "g", input: '{"y":2}' },
    ]);
  });

  it("are emitted fragment by fragment", () => {
    const reader = chat.provider.eventReader(context());
    reader.feed(frame(fragment({ index: 0, id: "a", function: { ...f, arguments: '{"x"' } })));
    expect(reader.feed(frame(fragment({ index: 0, function: { arguments: ":1" } })))).toEqual([
      { kind: "delta", key: 0, text: ":1" },
    ]);
  });

  it("keep what stands in the first fragment", () => {
    expect(
      calls(fragment({ index: 0, id: "a", function: { ...f, arguments: '{"x":1}' } }), toolCalls),
    ).toMatchObject([{ input: '{"x":1}' }]);
  });

  it("without arguments have an empty object of them", () => {
    expect(calls(fragment({ index: 0, id: "a", function: f }), toolCalls)).toMatchObject([
      { input: "{}" },
    ]);
  });

  it("are two when a new id comes on a used index", () => {
    expect(
      calls(
        fragment({ index: 0, id: "a", function: { ...f, arguments: '{"x":1}' } }),
        fragment({ index: 0, id: "b", function: { ...g, arguments: '{"y":2}' } }),
        toolCalls,
      ),
    ).toMatchObject([
      { id: "a", input: '{"x":1}' },
      { id: "b", input: '{"y":2}' },
    ]);
  });

  it("are two when a server gives them neither ids nor indices of their own", () => {
    for (const head of [{}, { index: 0 }, { index: 0, id: "" }, { id: null }]) {
      const made = calls(
        fragment({ ...head, function: { ...f, arguments: '{"x":1}' } }),
        fragment({ ...head, function: { ...f, arguments: '{"x":2}' } }),
        toolCalls,
      );
      expect(made.map((call) => call.input)).toEqual(['{"x":1}', '{"x":2}']);
      expect(new Set(made.map((call) => call.id)).size).toBe(2);
      for (const call of made) expect(call.id).toMatch(/^call_[a-z0-9]+$/);
    }
  });

  it("continue with fragments that have neither id nor index, or repeat the id alone", () => {
    expect(
      calls(
        fragment({ index: 3, id: "a", function: { ...f, arguments: '{"x"' } }),
        fragment({ function: { arguments: ":" } }),
        fragment({ id: "a", function: { arguments: "1}" } }),
        toolCalls,
      ),
    ).toMatchObject([{ id: "a", input: '{"x":1}' }]);
  });

  it("are one although every fragment repeats id and name", () => {
    const piece = (text: string) =>
      fragment({ index: 0, id: "a", type: "function", function: { ...f, arguments: text } });
    expect(calls(piece(""), piece('{"x"'), piece(":1}"), toolCalls)).toMatchObject([
      { name: "f", input: '{"x":1}' },
    ]);
  });

  it("have one name although it comes in pieces or grows", () => {
    const named = (...names: string[]) =>
      calls(
        ...names.map((name, at) =>
          fragment({ index: 0, ...(at === 0 && { id: "a" }), function: { name, arguments: "" } }),
        ),
        fragment({ index: 0, function: { arguments: "{}" } }),
        toolCalls,
      ).map((call) => call.name);
    expect(named("get_", "weather")).toEqual(["get_weather"]);
    expect(named("get_", "get_weather")).toEqual(["get_weather"]);
    expect(named("get_weather", "get_weather")).toEqual(["get_weather"]);
  });

  it("wait for a name that comes after the arguments", () => {
    expect(
      calls(
        fragment({ index: 0, id: "a", function: { arguments: '{"x"' } }),
        fragment({ index: 0, function: { ...f, arguments: ":1}" } }),
        toolCalls,
      ),
    ).toMatchObject([{ id: "a", input: '{"x":1}' }]);
  });

  it("have ids of their own although the server repeats one", () => {
    const made = calls(
      fragment({ index: 0, id: "call_0", function: { ...f, arguments: '{"x":1}' } }),
      fragment({ index: 1, id: "call_0", function: { ...g, arguments: '{"y":2}' } }),
      toolCalls,
    );
    expect(made.map((call) => [call.name, call.input])).toEqual([
      ["f", '{"x":1}'],
      ["g", '{"y":2}'],
    ]);
    expect(new Set(made.map((call) => call.id)).size).toBe(2);
  });

  it("may be of the older form", () => {
    expect(
      calls(
        chunk({ function_call: { name: "f", arguments: "" } }),
        chunk({ function_call: { arguments: "{}" } }),
        finish("function_call"),
      ),
    ).toMatchObject([{ name: "f", input: "{}" }]);
  });

  it("may be freeform, natively or as a function that stands for it", () => {
    const native = calls(
      fragment({ index: 0, id: "a", type: "custom", custom: { name: "patch", input: "" } }),
      fragment({ index: 0, custom: { input: "raw\n" } }),
      toolCalls,
    );
    expect(native).toMatchObject([{ call: "custom", name: "patch", input: "raw\n" }]);
    const names: ToolNames = {
      toWire: (name) => name,
      fromWire: () => ({ name: "patch", call: "custom" }),
    };
    const json = wrapFreeform("*** a\n😀");
    const pieces = [json.slice(0, 9), json.slice(9, 17), json.slice(17)];
    const text = [
      ...pieces.map((piece) =>
        fragment({ index: 0, id: "a", function: { name: "p", arguments: piece } }),
      ),
      toolCalls,
    ];
    expect(whole(readAll(text.map(frame).join(""), names)).blocks).toMatchObject([
      { call: "custom", name: "patch", input: "*** a\n😀" },
    ]);
  });

  it("let text that comes after them out at once when they are complete", () => {
    const list = events(
      fragment({ index: 0, id: "a", function: { ...f, arguments: '{"x":1}' } }),
      chunk({ content: "b" }),
      done,
    );
    const kinds = list.map((event) => `${event.kind} ${"key" in event ? event.key : ""}`.trim());
    expect(kinds.indexOf("close 0")).toBeLessThan(kinds.indexOf("open 1"));
  });
});

describe("a chat provider's own state", () => {
  it("is kept as the list that it gave, streamed pieces joined", () => {
    const head = { index: 0, format: "x" };
    const { blocks } = reply(
      chunk({
        reasoning: "a",
        reasoning_details: [{ ...head, type: "reasoning.text", text: "a" }],
      }),
      chunk({
        reasoning: "b",
        reasoning_details: [{ ...head, type: "reasoning.text", text: "b" }],
      }),
      chunk({
        reasoning_details: [{ ...head, type: "reasoning.text", text: null, signature: "s" }],
      }),
      chunk({ content: "x" }),
      finish("stop"),
    );
    const [thinking] = blocks;
    expect(thinking).toMatchObject({
      text: "ab",
      state: { format: "chat", origin: "lab", type: "reasoning_details" },
    });
    const data = thinking?.kind === "thinking" ? thinking.state?.data : undefined;
    expect(JSON.parse(data ?? "")).toEqual([
      { ...head, type: "reasoning.text", text: "ab", signature: "s" },
    ]);
  });

  it("that comes with or after the calls is not lost", () => {
    const sealed = { type: "reasoning.encrypted", data: "z", id: "a", index: 0 };
    const { blocks } = reply(
      chunk({
        reasoning_details: [sealed],
        tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }],
      }),
      toolCalls,
    );
    const thinking = blocks.find((block) => block.kind === "thinking");
    expect(thinking?.kind === "thinking" && JSON.parse(thinking.state?.data ?? "")).toEqual([
      sealed,
    ]);
  });

  it("stands at the call that it belongs to", () => {
    const extra_content = { google: { thought_signature: "sig" } };
    const [call] = calls(
      fragment({ index: 0, id: "a", function: { name: "f", arguments: "{}" }, extra_content }),
      toolCalls,
    );
    expect(call?.state).toEqual({
      format: "chat",
      origin: "lab",
      type: "extra_content",
      data: JSON.stringify(extra_content),
    });
  });
});

describe("a chat provider's counts", () => {
  const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const usage = (...values: JsonObject[]) => reply(chunk({ content: "x" }), ...values, done).usage;

  it("may come with the end, after it, or every time: the last ones hold", () => {
    const usageChunk: JsonObject = { ...chunk({}), choices: [], usage: counts };
    expect(usage(finish("stop"), usageChunk)).toEqual({ input: 10, output: 5 });
    expect(usage(finish("stop", { usage: counts }))).toEqual({ input: 10, output: 5 });
    expect(
      usage(
        { ...chunk({ content: "y" }), usage: { ...counts, completion_tokens: 2 } },
        finish("stop", { usage: counts }),
      ),
    ).toEqual({
      input: 10,
      output: 5,
    });
  });

  it("are found wherever a server puts them", () => {
    expect(usage(finish("stop", { x_groq: { id: "r", usage: counts } }))).toEqual({
      input: 10,
      output: 5,
    });
    expect(usage(chunk({}, { finish_reason: "stop", usage: counts }))).toEqual({
      input: 10,
      output: 5,
    });
  });

  it("hold cached, written and reasoning tokens", () => {
    const details = {
      ...counts,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(usage(finish("stop", { usage: details }))).toEqual({
      input: 10,
      cacheRead: 4,
      cacheWrite: 2,
      output: 5,
      reasoning: 3,
    });
    expect(
      usage(finish("stop", { usage: { ...counts, prompt_cache_hit_tokens: 4 } })),
    ).toMatchObject({ cacheRead: 4 });
  });

  it("include reasoning that a server counts apart", () => {
    const apart = {
      ...counts,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 100 },
    };
    expect(usage(finish("stop", { usage: apart }))).toEqual({
      input: 10,
      output: 105,
      reasoning: 100,
    });
  });

  it("are unknown where the server sends none", () => {
    expect(usage(finish("stop", { usage: null }))).toEqual({});
    expect(usage(finish("stop", { usage: {} }))).toEqual({});
  });
});

describe("a whole chat answer", () => {
  const message = {
    role: "assistant",
    content: "hi",
    reasoning_content: "hm",
    refusal: null,
    tool_calls: [
      { id: "", type: "function", function: { name: "f", arguments: '{"x":1}' } },
      { id: "", type: "function", function: { name: "f", arguments: {} } },
    ],
  };
  const body = (members: JsonObject = {}, choice: JsonObject = {}): JsonObject => ({
    id: "chatcmpl-9",
    created: 9,
    model: "m",
    choices: [
      { index: 0, message: { ...message, ...members }, finish_reason: "tool_calls", ...choice },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
  const read = (value: JsonValue) => chat.provider.readReply(value, context());

  it("is read by the rules of its stream", () => {
    const made = whole(read(body()));
    expect(made).toMatchObject({
      id: "chatcmpl-9",
      created: 9,
      usage: { input: 1, output: 2 },
      stop: { reason: "tools" },
    });
    expect(made.blocks).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "text", text: "hi" },
      { kind: "call", input: '{"x":1}' },
      { kind: "call", input: "{}" },
    ]);
  });

  it("without a finish reason is complete all the same", () => {
    expect(whole(read(body({ tool_calls: null }, { finish_reason: "" }))).stop).toEqual({
      reason: "end",
    });
  });

  it("is a failure when it states one, is empty, or is no answer at all", () => {
    const last = (value: JsonValue) => read(value).at(-1);
    expect(last({ error: { message: "no", type: "server_error" } })).toMatchObject({
      failure: { cause: "stated", status: 500 },
    });
    expect(
      last([{ error: { message: "no", code: 400, status: "INVALID_ARGUMENT" } }]),
    ).toMatchObject({
      failure: { cause: "stated", status: 400, code: "INVALID_ARGUMENT" },
    });
    expect(last({ ...body(), choices: [] })).toMatchObject({ failure: { cause: "empty" } });
    expect(last("<html>")).toMatchObject({ failure: { cause: "wrong_type" } });
  });
});

describe("a chat provider's error status", () => {
  const failed = (status: number, text: string) => chat.provider.readFailure(status, text);

  it("keeps type, code and message", () => {
    const error = {
      message: "m",
      type: "invalid_request_error",
      code: "model_not_found",
      param: null,
    };
    expect(failed(404, JSON.stringify({ error }))).toEqual({
      cause: "status",
      status: 404,
      message: "m",
      type: "invalid_request_error",
      code: "model_not_found",
    });
  });

  it("has no code when that is a number", () => {
    expect(failed(400, '{"error":{"message":"m","code":400}}').code).toBeUndefined();
    expect(failed(400, '{"error":{"message":"m","code":"400"}}').code).toBeUndefined();
  });

  it("has a plain message for pages and for nothing", () => {
    for (const text of ["<html><body>Bad gateway</body></html>", "", "{}"]) {
      expect(failed(502, text)).toEqual({
        cause: "status",
        status: 502,
        message: "The provider answered with status 502.",
      });
    }
    expect(failed(503, "busy").message).toBe("busy");
  });

  it("has its message in any of the usual places", () => {
    for (const body of [
      '{"error":"m"}',
      '{"message":"m"}',
      '{"detail":"m"}',
      '{"errors":[{"message":"m"}]}',
      '[{"error":{"message":"m"}}]',
    ]) {
      expect(failed(400, body).message).toBe("m");
    }
  });
});

describe("a chat stream in any pieces", () => {
  it("gives the same events", () => {
    const text =
      "\uFEFF: hello\r\n\r\n" +
      [
        chunk({ role: "assistant", content: "" }),
        chunk({ reasoning: "hé" }),
        chunk({ content: "東京 😀" }),
        fragment({ index: 0, id: "a", function: { name: "get_", arguments: "" } }),
        fragment({ index: 0, function: { name: "x", arguments: "" } }),
        fragment({ index: 0, function: { arguments: '{"k":"\\u00e9"' } }),
        fragment({ index: 1, id: "b", function: { name: "g", arguments: '{"y":' } }),
        fragment({ index: 0, function: { arguments: "}" } }),
        fragment({ index: 1, function: { arguments: "2}" } }),
        finish("tool_calls"),
        { ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
        done,
      ]
        .map((value) => frame(value).replaceAll("\n", "\r\n"))
        .join("");
    const expected = readAll(text);
    expect(expected.at(-1)).toEqual({ kind: "end" });
    const bytes = new TextEncoder().encode(text);
    for (let seed = 0; seed < 2000; seed++) {
      const reader = chat.provider.eventReader(context());
      const made = chopped(bytes, random(seed)).flatMap((piece) => reader.feed(piece));
      expect([...made, ...reader.end()]).toEqual(expected);
    }
  });
});
