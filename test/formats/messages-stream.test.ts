import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, replay, type Reply, type ReplyBlock } from "../../src/core/reply.ts";
import { stateTag } from "../../src/translation/opaque-state.ts";
import type { Usage } from "../../src/core/usage.ts";
import { messages } from "../../src/formats/messages/index.ts";
import { isObject, parseJson, type JsonObject } from "../../src/lib/json.ts";
import { checkMessages } from "../kit/grammar-messages.ts";
import { context, echo } from "../kit/neutral.ts";

type Open = Extract<ReplyEvent, { kind: "open" }>["block"];

const begun: ReplyEvent = { kind: "start", id: "chatcmpl-1", model: "upstream" };
const open = (key: number, block: Open): ReplyEvent => ({ kind: "open", key, block });
const call = (key: number, id = `call_${key}`): ReplyEvent =>
  open(key, { kind: "call", id, name: `f${key}`, call: "function" });
const delta = (key: number, text: string): ReplyEvent => ({ kind: "delta", key, text });
const close = (key: number): ReplyEvent => ({ kind: "close", key });
const stop = (reason: Reply["stop"]["reason"]): ReplyEvent => ({ kind: "stop", reason });
const end: ReplyEvent = { kind: "end" };

const state = { format: "gemini", origin: "lab", type: "thought_signature", data: "c2ln" } as const;

function written(events: readonly ReplyEvent[], at = echo()): string {
  const text = messages.client.eventWriter(at).write(events);
  expect(checkMessages(text, { wantsUsage: true }).broken).toEqual([]);
  return text;
}

/** The data of a stream's events. */
function data(text: string): JsonObject[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => parseJson(line.slice(6)))
    .filter(isObject);
}

const types = (text: string): string[] =>
  data(text).map((event) => {
    const inner = event["content_block"] ?? event["delta"];
    const kind = isObject(inner) ? inner["type"] : undefined;
    return kind === undefined ? String(event["type"]) : `${String(event["type"])} ${String(kind)}`;
  });

/** The message that the official client assembles from a stream. */
async function assembled(text: string): Promise<Anthropic.Message> {
  const client = new Anthropic({
    apiKey: "sk-test",
    maxRetries: 0,
    fetch: () =>
      Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } })),
  });
  const request = {
    model: "m",
    max_tokens: 1,
    messages: [{ role: "user" as const, content: "x" }],
  };
  return await client.messages.stream(request).finalMessage();
}

describe("a stream for an Anthropic client", () => {
  it("writes each fragment when it comes", () => {
    const writer = messages.client.eventWriter(echo({ estimatedInput: 12 }));
    expect(types(writer.write([begun, open(0, { kind: "text" })]))).toEqual([]);
    const first = writer.write([delta(0, "a")]);
    expect(types(first)).toEqual([
      "message_start",
      "content_block_start text",
      "content_block_delta text_delta",
    ]);
    expect(data(first)[0]).toMatchObject({
      message: {
        role: "assistant",
        model: "asked-for",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 12, output_tokens: 0 },
      },
    });
    expect(types(writer.write([delta(0, "b")]))).toEqual(["content_block_delta text_delta"]);
    expect(writer.write([])).toBe("");
    expect(types(writer.write([close(0)]))).toEqual(["content_block_stop"]);
    expect(writer.write([stop("end")])).toBe("");
    const usage: Usage = { input: 100, cacheRead: 60, cacheWrite: 30, output: 7, reasoning: 2 };
    expect(data(writer.write([{ kind: "usage", usage }, end]))).toEqual([
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null, stop_details: null },
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 60,
          cache_creation_input_tokens: 30,
          output_tokens: 7,
          output_tokens_details: { thinking_tokens: 2 },
        },
      },
      { type: "message_stop" },
    ]);
    expect(writer.write([delta(0, "late")])).toBe("");
  });

  it("tells early counts at its start", () => {
    const text = written([
      begun,
      { kind: "usage", usage: { input: 50, output: 4 } },
      open(0, { kind: "text" }),
      delta(0, "a"),
      close(0),
      end,
    ]);
    expect(data(text)[0]).toMatchObject({
      message: { usage: { input_tokens: 50, output_tokens: 0 } },
    });
  });

  it("has one block open at a time although the provider has several", async () => {
    const text = written([
      begun,
      open(0, { kind: "thinking" }),
      delta(0, "hm"),
      open(1, { kind: "text" }),
      delta(1, "words"),
      call(2),
      call(3),
      delta(2, '{"a"'),
      delta(3, '{"b"'),
      delta(2, ":1}"),
      close(0),
      close(1),
      close(2),
      delta(3, ":2}"),
      close(3),
      stop("tools"),
      end,
    ]);
    const message = await assembled(text);
    expect(message.content.map((block) => block.type)).toEqual([
      "thinking",
      "text",
      "tool_use",
      "tool_use",
    ]);
    expect(message.content.slice(2)).toMatchObject([
      { id: "call_2", input: { a: 1 } },
      { id: "call_3", input: { b: 2 } },
    ]);
    expect(message.stop_reason).toBe("tool_use");
  });

  it("lets the second of two parallel calls speak as soon as the first is over", () => {
    const writer = messages.client.eventWriter(echo());
    writer.write([begun, call(0), call(1), delta(1, "{"), delta(0, "{}")]);
    expect(types(writer.write([close(0)]))).toEqual([
      "content_block_stop",
      "content_block_start tool_use",
      "content_block_delta input_json_delta",
    ]);
    expect(types(writer.write([delta(1, "}")]))).toEqual(["content_block_delta input_json_delta"]);
  });

  it("holds text that comes inside a call until the call is over, and loses nothing at the end", async () => {
    const text = written([
      begun,
      call(0),
      delta(0, '{"a":'),
      open(1, { kind: "text" }),
      delta(1, "aside"),
      delta(0, "1}"),
      call(2),
      delta(2, "{}"),
      stop("tools"),
      end,
    ]);
    const message = await assembled(text);
    expect(message.content).toMatchObject([
      { type: "tool_use", input: { a: 1 } },
      { type: "text", text: "aside" },
      { type: "tool_use", input: {} },
    ]);
  });

  it("opens a new block for thinking behind text, and none for nothing", () => {
    const text = written([
      begun,
      open(0, { kind: "text" }),
      delta(0, ""),
      close(0),
      open(1, { kind: "text" }),
      delta(1, "a"),
      open(2, { kind: "thinking" }),
      delta(2, "b"),
      delta(1, "c"),
      end,
    ]);
    expect(
      data(text)
        .filter((event) => event["type"] === "content_block_start")
        .map((event) => event["index"]),
    ).toEqual([0, 1, 2]);
  });

  it("pings while the provider is silent", () => {
    expect(messages.client.eventWriter(echo()).keepAlive()).toBe(
      'event: ping\ndata: {"type":"ping"}\n\n',
    );
  });

  it("keeps half a letter whole over pieces of free text", async () => {
    const custom: Open = { kind: "call", id: "c", name: "p", call: "custom" };
    const pieces = 'a\n"🙂'.split("").map((half) => delta(0, half));
    const message = await assembled(
      written([begun, open(0, custom), ...pieces, close(0), stop("tools"), end]),
    );
    expect(message.content).toMatchObject([{ input: { input: 'a\n"🙂' } }]);
  });
});

describe("ids of calls for an Anthropic client", () => {
  const ids = (text: string) =>
    data(text)
      .map((event) => event["content_block"])
      .filter(isObject)
      .map((block) => block["id"]);
  const twice = [
    begun,
    call(0, "call_0"),
    close(0),
    call(1, "call_0"),
    close(1),
    stop("tools"),
    end,
  ];

  it("are the provider's where they are legal and new", () => {
    expect(ids(written([begun, call(0, "call_abc-1"), close(0), end]))).toEqual(["call_abc-1"]);
    for (const id of ["", "a b", "é"]) {
      expect(ids(written([begun, call(0, id), close(0), end]))[0]).toMatch(
        /^toolu_[A-Za-z0-9_-]+$/,
      );
    }
  });

  it("are unique within the answer and within the conversation", () => {
    expect(new Set(ids(written(twice))).size).toBe(2);
    const use = { type: "tool_use", id: "call_0", name: "f", input: {} };
    const request = { messages: [{ role: "assistant", content: [use] }] };
    expect(
      ids(written([begun, call(0, "call_0"), close(0), end], echo({ request }))),
    ).not.toContain("call_0");
  });
});

describe("thinking for an Anthropic client", () => {
  const blocks = async (...events: ReplyEvent[]) =>
    (await assembled(written([begun, ...events, end]))).content;

  it("is signed with the state that its provider needs back, with or without text", async () => {
    const [thinking] = await blocks(
      open(0, { kind: "thinking" }),
      delta(0, "hm"),
      { kind: "state", key: 0, state },
      close(0),
    );
    const [silent] = await blocks(
      open(0, { kind: "thinking" }),
      { kind: "state", key: 0, state },
      close(0),
    );
    expect(thinking).toMatchObject({
      type: "thinking",
      thinking: "hm",
      signature: expect.stringMatching(/^gw1\./),
    });
    expect(silent).toMatchObject({ type: "thinking", thinking: "" });
  });

  it("without state is marked, and without anything is not there", async () => {
    expect(await blocks(open(0, { kind: "thinking" }), delta(0, "hm"), close(0))).toMatchObject([
      { thinking: "hm", signature: `${stateTag}unsigned` },
    ]);
    expect(await blocks(open(0, { kind: "thinking" }), close(0))).toEqual([]);
  });

  it("stands before the call that it belongs to, or behind it when it comes late", async () => {
    const early = await blocks(call(0), { kind: "state", key: 0, state }, delta(0, "{}"), close(0));
    expect(early.map((block) => block.type)).toEqual(["thinking", "tool_use"]);
    const late = await blocks(call(0), delta(0, "{}"), { kind: "state", key: 0, state }, close(0));
    expect(late.map((block) => block.type)).toEqual(["tool_use", "thinking"]);
  });

  it("that Anthropic hid stays hidden", async () => {
    const redacted = {
      format: "messages",
      origin: "lab",
      type: "redacted",
      data: "hidden",
    } as const;
    expect(
      await blocks(
        open(0, { kind: "thinking", redacted: true }),
        { kind: "state", key: 0, state: redacted },
        close(0),
      ),
    ).toEqual([{ type: "redacted_thinking", data: "hidden" }]);
  });
});

describe("citations for an Anthropic client", () => {
  it("are web search results, or Anthropic's own as they were", async () => {
    const own = { type: "char_location", cited_text: "x", document_index: 0 };
    const content = (
      await assembled(
        written([
          begun,
          open(0, { kind: "text" }),
          delta(0, "a"),
          { kind: "cite", key: 0, citation: { type: "url", url: "https://e.com", title: "E" } },
          {
            kind: "cite",
            key: 0,
            citation: { type: "document", raw: { format: "messages", value: own } },
          },
          { kind: "cite", key: 0, citation: { type: "other", raw: { format: "chat", value: {} } } },
          close(0),
          end,
        ]),
      )
    ).content;
    expect(content).toMatchObject([
      {
        citations: [
          { type: "web_search_result_location", url: "https://e.com", title: "E", cited_text: "" },
          own,
        ],
      },
    ]);
  });
});

describe("the end of a stream for an Anthropic client", () => {
  const reason = async (...events: ReplyEvent[]) =>
    (await assembled(written([begun, ...events, end]))).stop_reason;
  const text = [open(0, { kind: "text" }), delta(0, "a"), close(0)];

  it.each([
    ["end", "end_turn"],
    ["length", "max_tokens"],
    ["context_full", "model_context_window_exceeded"],
    ["filter", "refusal"],
    ["pause", "pause_turn"],
    ["tools", "end_turn"],
  ] as const)("says of %s that it is %s", async (neutral, wire) => {
    expect(await reason(...text, stop(neutral))).toBe(wire);
  });

  it("is for tools whenever there is a call, unless the answer is not complete", async () => {
    expect(await reason(call(0), close(0), stop("end"))).toBe("tool_use");
    expect(await reason(call(0), close(0), stop("length"))).toBe("max_tokens");
  });

  it("tells the stop sequence", async () => {
    const message = await assembled(
      written([begun, ...text, { kind: "stop", reason: "stop_sequence", sequence: "END" }, end]),
    );
    expect(message).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  it("is a refusal when the model's text is one", async () => {
    expect(
      await reason(open(0, { kind: "refusal" }), delta(0, "I can't"), close(0), stop("end")),
    ).toBe("refusal");
  });

  it("is an error after a failure, and nothing follows", () => {
    const failure = { cause: "cut", status: 502, message: "gone" } as const;
    const writer = messages.client.eventWriter(echo());
    writer.write([begun, ...text.slice(0, 2)]);
    expect(data(writer.write([{ kind: "fail", failure }, end]))).toEqual([
      { type: "error", error: { type: "api_error", message: "gone" } },
    ]);
    expect(writer.write([stop("end"), end])).toBe("");
  });

  it("is an error for a broken answer and for an action that this format cannot express", () => {
    const last = (events: ReplyEvent[]) =>
      types(messages.client.eventWriter(echo()).write([begun, ...events, end])).at(-1);
    expect(last([...text, stop("error")])).toBe("error");
    expect(last([open(0, { kind: "opaque", type: "computer_call", raw: {}, action: true })])).toBe(
      "error",
    );
    expect(
      last([
        open(0, { kind: "opaque", type: "web_search_call", raw: {}, action: false }),
        close(0),
      ]),
    ).toBe("message_stop");
  });

  it("words an overflow so that clients shorten the conversation", () => {
    const message = "maximum context length is 8,192 tokens, however you requested 10240 tokens";
    const failure = { cause: "stated", status: 400, message, overflow: true } as const;
    expect(data(messages.client.eventWriter(echo()).write([{ kind: "fail", failure }]))).toEqual([
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 10240 tokens > 8192 maximum",
        },
      },
    ]);
  });
});

describe("a whole answer for an Anthropic client", () => {
  const answer = (blocks: ReplyBlock[], more: Partial<Reply> = {}): Reply => ({
    blocks,
    usage: {},
    stop: { reason: "end" },
    ...more,
  });
  const full = answer(
    [
      { kind: "thinking", text: "hm", state },
      { kind: "text", text: "words", citations: [] },
      { kind: "call", id: "c1", name: "f", call: "function", input: '{"a":1}', state },
      { kind: "refusal", text: "no" },
    ],
    { usage: { input: 9, cacheRead: 4, output: 3 }, stop: { reason: "tools" } },
  );

  it("is what its stream adds up to", async () => {
    const streamed = await assembled(written(replay(full)));
    const whole = messages.client.writeReply(full, echo());
    expect(JSON.parse(JSON.stringify(streamed.content))).toEqual(whole["content"]);
    expect(streamed).toMatchObject({
      stop_reason: whole["stop_reason"],
      usage: whole["usage"],
      role: "assistant",
    });
  });

  it("has an id of its own kind, the asked model and counts that are never missing", () => {
    expect(messages.client.writeReply(answer([], { id: "chatcmpl-1" }), echo())).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: "message",
      model: "asked-for",
      content: [],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    });
    expect(messages.client.writeReply(answer([], { id: "msg_own" }), echo())["id"]).toBe("msg_own");
  });

  it("tells of media that it cannot carry", () => {
    const [note] = [
      messages.client.writeReply(
        answer([{ kind: "media", media: "image", mime: "image/png", data: "AAAA" }]),
        echo(),
      )["content"],
    ].flat();
    expect(note).toMatchObject({ type: "text", text: expect.stringContaining("image/png") });
  });

  it("is refused where it would be an empty success", () => {
    const action: ReplyBlock = { kind: "opaque", type: "computer_call", raw: {}, action: true };
    expect(() => messages.client.writeReply(answer([action]), echo())).toThrow(Problem);
    expect(() =>
      messages.client.writeReply(answer([], { stop: { reason: "error" } }), echo()),
    ).toThrow(Problem);
  });

  it("comes back as it was", () => {
    const back = collect(
      messages.provider.readReply(messages.client.writeReply(full, echo()), context()),
    );
    if ("failure" in back) throw new Error(back.failure.message);
    expect(back.blocks.map((block) => block.kind)).toEqual([
      "thinking",
      "text",
      "thinking",
      "call",
      "text",
    ]);
    expect(back.usage).toMatchObject({ input: 9, cacheRead: 4, output: 3 });
  });
});

describe("the error envelope for an Anthropic client", () => {
  it("has Anthropic's form with the details that it is given", () => {
    const details = {
      status: 429,
      type: "rate_limit_error",
      message: "slow down",
      code: "rate_limit_workspace",
      extra: { limit: 3 },
    };
    expect(messages.client.writeError(details, "req_1")).toEqual({
      type: "error",
      error: {
        type: "rate_limit_error",
        message: "slow down",
        code: "rate_limit_workspace",
        limit: 3,
      },
      request_id: "req_1",
    });
  });
});

describe("what a relay takes out of a Messages request", () => {
  const scrubbed = (content: JsonObject[], origin = "lab") => {
    const body: JsonObject = {
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content },
      ],
    };
    return { taken: messages.provider.scrub(body, origin), body };
  };
  const use = { type: "tool_use", id: "t", name: "f", input: {} };
  const answer = (blocks: ReplyBlock[]) =>
    messages.client.writeReply({ blocks, usage: {}, stop: { reason: "end" } }, echo())["content"];

  it("is thinking and citations that this gateway made", () => {
    const citation = { type: "url", url: "https://e.com" } as const;
    const content = [
      answer([
        { kind: "thinking", text: "hm", state },
        { kind: "thinking", text: "bare" },
        { kind: "text", text: "a", citations: [citation] },
        { kind: "call", id: "t", name: "f", call: "function", input: "{}", state },
      ]),
    ].flat();
    const { taken, body } = scrubbed(content.filter(isObject));
    expect(taken).toEqual(["messages[].content[]", "messages[].content[].citations"]);
    expect(body["messages"]).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "text", text: "a" }, use] },
    ]);
  });

  it("is a whole turn when nothing of it is left", () => {
    const { body } = scrubbed([
      { type: "thinking", thinking: "x", signature: `${stateTag}unsigned` },
    ]);
    expect(body["messages"]).toEqual([{ role: "user", content: "a" }]);
  });

  it("is nothing that Anthropic made", () => {
    const native = [
      { type: "thinking", thinking: "x", signature: "native" },
      { type: "redacted_thinking", data: "d" },
      use,
    ];
    const { taken, body } = scrubbed(native);
    expect(taken).toEqual([]);
    expect(body["messages"]).toMatchObject([{}, { content: native }]);
  });
});
