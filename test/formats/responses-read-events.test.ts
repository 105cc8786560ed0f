import { describe, expect, it } from "vitest";
import type { ToolNames } from "../../src/core/format.ts";
import type { Failure } from "../../src/core/failure.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { toolNames } from "../../src/translation/tool-names.ts";
import { responses } from "../../src/formats/responses/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { context, turn } from "../kit/neutral.ts";

const event = (type: string, members: JsonObject = {}): JsonObject => ({
  type: `response.${type}`,
  ...members,
});
const response = (members: JsonObject = {}): JsonObject => ({
  id: "resp_1",
  object: "response",
  created_at: 9,
  model: "m",
  output: [],
  ...members,
});
const created = event("created", { response: response({ status: "in_progress" }) });
const usage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 3, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 12,
};
const completed = (...output: JsonValue[]) =>
  event("completed", { response: response({ status: "completed", output, usage }) });
const message = (text: string, more: JsonObject = {}): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...more,
});
const call = (args: string, more: JsonObject = {}): JsonObject => ({
  id: "fc_1",
  type: "function_call",
  call_id: "call_1",
  name: "f",
  arguments: args,
  ...more,
});
const added = (item: JsonObject, output_index = 0) =>
  event("output_item.added", { output_index, item });
const done = (item: JsonObject, output_index = 0) =>
  event("output_item.done", { output_index, item });
const textDelta = (delta: string, output_index = 0) =>
  event("output_text.delta", { output_index, item_id: "msg_1", content_index: 0, delta });
const argsDelta = (delta: string, output_index = 0) =>
  event("function_call_arguments.delta", { output_index, item_id: "fc_1", delta });

const sse = (...events: JsonObject[]): string =>
  events.map((one) => `event: ${String(one["type"])}\ndata: ${JSON.stringify(one)}\n\n`).join("");

function streamed(events: JsonObject[], names?: ToolNames): ReplyEvent[] {
  const reader = responses.provider.eventReader(context("lab", names));
  return [...reader.feed(sse(...events)), ...reader.end()];
}

function reply(events: ReplyEvent[]): Reply {
  const found = collect(events);
  if ("failure" in found) throw new Error(`it failed: ${found.failure.message}`);
  return found;
}

function failure(events: ReplyEvent[]): Failure {
  const last = events.at(-1);
  if (last?.kind !== "fail") throw new Error("it did not fail");
  return last.failure;
}

const texts = (events: ReplyEvent[]) =>
  reply(events).blocks.map((block) => ("text" in block ? block.text : block));
const text = (value: string) => ({ kind: "text", text: value, citations: [] });
const called = (input: string) => ({
  kind: "call",
  id: "call_1",
  name: "f",
  call: "function",
  input,
});

describe("a Responses stream", () => {
  it("gives id, model, time, text as it arrives, usage and the end", () => {
    const events = streamed([
      created,
      added(message("", { content: [] })),
      textDelta("a"),
      textDelta("b"),
      done(message("ab")),
      completed(message("ab")),
    ]);
    expect(events).toEqual([
      { kind: "start", id: "resp_1", model: "m", created: 9 },
      { kind: "open", key: 0, block: { kind: "text" } },
      { kind: "delta", key: 0, text: "a" },
      { kind: "delta", key: 0, text: "b" },
      { kind: "close", key: 0 },
      { kind: "usage", usage: { input: 5, cacheRead: 3, cacheWrite: 1, output: 7, reasoning: 2 } },
      { kind: "stop", reason: "end", raw: "completed" },
      { kind: "end" },
    ]);
  });

  it("is over with its terminal event, whatever follows", () => {
    const reader = responses.provider.eventReader(context());
    expect(reader.feed(sse(created, completed())).at(-1)).toEqual({ kind: "end" });
    expect(reader.feed("data: [DONE]\n\n" + sse(textDelta("late")))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  it.each([
    ["only in the terminal event", [created, completed(message("ab"), call("{}"))]],
    ["only in finished items", [created, done(message("ab")), done(call("{}"), 1), completed()]],
    [
      "half in pieces",
      [
        created,
        textDelta("a"),
        done(message("ab")),
        added(call(""), 1),
        argsDelta("{", 1),
        completed(message("ab"), call("{}")),
      ],
    ],
    [
      "only in done events",
      [
        created,
        event("output_text.done", { output_index: 0, text: "ab" }),
        done(call("{}"), 1),
        completed(),
      ],
    ],
    [
      "without places",
      [
        created,
        event("output_text.delta", { item_id: "msg_1", delta: "ab" }),
        event("output_item.added", { item: call("") }),
        event("function_call_arguments.delta", { item_id: "fc_1", delta: "{}" }),
        completed(message("ab"), call("{}")),
      ],
    ],
    [
      "with ids that change",
      [
        created,
        added(message("", { id: "x" })),
        textDelta("ab"),
        done(message("ab", { id: "y" })),
        added(call("", { id: "z" }), 1),
        argsDelta("{}", 1),
        done(call("{}", { id: "w" }), 1),
        completed(message("ab", { id: "v" }), call("{}", { id: "u" })),
      ],
    ],
    [
      "with all places 0",
      [
        created,
        added(message("")),
        textDelta("ab"),
        done(message("ab")),
        added(call("")),
        argsDelta("{}"),
        done(call("{}")),
        completed(message("ab"), call("{}")),
      ],
    ],
    [
      "without a beginning",
      [added(message("")), textDelta("ab"), done(message("ab")), done(call("{}"), 1), completed()],
    ],
    [
      "with the arguments in the head",
      [created, done(message("ab")), added(call("{}"), 1), completed(message("ab"))],
    ],
  ])("says everything once: %s", (_, events) => {
    const found = reply(streamed(events));
    expect(found.blocks).toEqual([text("ab"), called("{}")]);
    expect(found.stop.reason).toBe("tools");
  });

  it("a finished text that differs from its deltas adds nothing", () => {
    expect(
      texts(
        streamed([
          created,
          textDelta("ab "),
          done(message("ab")),
          completed(message("something else")),
        ]),
      ),
    ).toEqual(["ab "]);
  });

  it("the finished item repeats what a broken event would have brought", () => {
    const reader = responses.provider.eventReader(context());
    const events = [
      ...reader.feed(
        sse(created, textDelta("a")) + "data: {broken\n\n" + sse(done(message("ab")), completed()),
      ),
      ...reader.end(),
    ];
    expect(texts(events)).toEqual(["ab"]);
  });

  it("a call waits for its name, its arguments don't wait for their end", () => {
    const events = streamed([
      created,
      added(call("", { name: "" })),
      argsDelta('{"a"'),
      argsDelta(":1}"),
      done(call('{"a":1}')),
      completed(),
    ]);
    expect(reply(events).blocks).toEqual([called('{"a":1}')]);
    const reader = responses.provider.eventReader(context());
    reader.feed(sse(created, added(call(""))));
    expect(reader.feed(sse(argsDelta('{"a"')))).toEqual([{ kind: "delta", key: 0, text: '{"a"' }]);
  });

  it("parallel calls may be mixed", () => {
    const second = { id: "fc_2", call_id: "call_2", name: "g" };
    const found = reply(
      streamed([
        created,
        added(call("")),
        added(call("", second), 1),
        argsDelta("{", 0),
        argsDelta("[", 1),
        argsDelta("}", 0),
        argsDelta("]", 1),
        done(call("[]", second), 1),
        done(call("{}")),
        completed(),
      ]),
    );
    expect(found.blocks).toMatchObject([{ input: "{}" }, { id: "call_2", name: "g", input: "[]" }]);
  });

  it("freeform calls are raw, also where they had to be asked for as functions", () => {
    const native = {
      id: "ctc_1",
      type: "custom_tool_call",
      call_id: "call_1",
      name: "patch",
      input: "a\nb",
    };
    const piece = event("custom_tool_call_input.delta", { output_index: 0, delta: "a\n" });
    expect(
      reply(streamed([created, added({ ...native, input: "" }), piece, done(native), completed()]))
        .blocks,
    ).toEqual([{ kind: "call", id: "call_1", name: "patch", call: "custom", input: "a\nb" }]);
    const asked = turn({
      tools: [{ kind: "custom", name: "patch", namespace: "edit", path: "tools[]" }],
    });
    const names = toolNames(asked, { maxLength: 64, flatten: true, customAsFunction: true });
    const wrapped = call("", { name: "edit__patch" });
    const events = streamed(
      [created, added(wrapped), argsDelta('{"input":"a\\'), argsDelta('nb"}'), completed()],
      names,
    );
    expect(reply(events).blocks).toEqual([
      {
        kind: "call",
        id: "call_1",
        name: "patch",
        namespace: "edit",
        call: "custom",
        input: "a\nb",
      },
    ]);
  });

  it("a provider's own namespace stays with the call", () => {
    expect(
      reply(streamed([created, done(call("{}", { namespace: "ns" })), completed()])).blocks,
    ).toMatchObject([{ name: "f", namespace: "ns" }]);
  });

  it("calls without any id get ones that differ", () => {
    const bare = { type: "function_call", name: "f", arguments: "{}" };
    const ids = reply(streamed([created, completed(bare, bare)])).blocks.map(
      (block) => block.kind === "call" && block.id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("calls with one id between them, or without a name, are still calls of their own", () => {
    const found = reply(
      streamed([
        created,
        done(call("{}")),
        done(call("[]", { id: "fc_2" }), 1),
        done(call("1", { id: "fc_3", call_id: "c3", name: "" }), 2),
        completed(),
      ]),
    );
    expect(found.blocks).toMatchObject([
      { id: "call_1" },
      { input: "[]" },
      { id: "c3", name: "unknown_tool" },
    ]);
    expect(new Set(found.blocks.map((block) => block.kind === "call" && block.id)).size).toBe(3);
  });

  it("reasoning is one block: summaries or raw text, and its state", () => {
    const item = {
      id: "rs_1",
      type: "reasoning",
      summary: [
        { type: "summary_text", text: "one" },
        { type: "summary_text", text: "two" },
      ],
      encrypted_content: "final",
    };
    const part = (summary_index: number, delta: string) =>
      event("reasoning_summary_text.delta", { output_index: 0, summary_index, delta });
    const thinking = {
      kind: "thinking",
      text: "one\n\ntwo",
      state: { format: "responses", origin: "lab", type: "encrypted_content", data: "final" },
    };
    const first = added({ id: "rs_1", type: "reasoning", summary: [], encrypted_content: "early" });
    expect(
      reply(
        streamed([
          created,
          first,
          part(0, "on"),
          part(0, "e"),
          part(1, "two"),
          done(item),
          completed(item),
        ]),
      ).blocks,
    ).toEqual([thinking]);
    expect(reply(streamed([created, completed(item)])).blocks).toEqual([thinking]);
    const raw = {
      type: "reasoning",
      summary: [],
      content: [{ type: "reasoning_text", text: "raw" }],
    };
    const piece = event("reasoning_text.delta", { output_index: 0, content_index: 0, delta: "ra" });
    expect(reply(streamed([created, piece, done(raw), completed(raw)])).blocks).toEqual([
      { kind: "thinking", text: "raw" },
    ]);
    expect(
      reply(streamed([created, completed({ type: "reasoning", summary: [] })])).blocks,
    ).toEqual([]);
  });

  it("text does not wait for reasoning that is finished late", () => {
    const raw = {
      type: "reasoning",
      summary: [],
      content: [{ type: "reasoning_text", text: "hm" }],
    };
    const piece = event("reasoning_text.delta", { output_index: 0, content_index: 0, delta: "hm" });
    const events = streamed([
      created,
      piece,
      textDelta("ab", 1),
      done(message("ab"), 1),
      done(raw),
      completed(raw, message("ab")),
    ]);
    expect(events.slice(1, 5)).toEqual([
      { kind: "open", key: 0, block: { kind: "thinking" } },
      { kind: "delta", key: 0, text: "hm" },
      { kind: "close", key: 0 },
      { kind: "open", key: 1, block: { kind: "text" } },
    ]);
    expect(texts(events)).toEqual(["hm", "ab"]);
  });

  it("refusals, phases and citations are emitted", () => {
    const cite = {
      type: "url_citation",
      start_index: 0,
      end_index: 2,
      url: "https://x",
      title: "X",
    };
    const file = { type: "file_citation", file_id: "f", filename: "a.txt", index: 1 };
    const whole = message("ab", {
      phase: "commentary",
      content: [
        { type: "output_text", text: "ab", annotations: [cite, file] },
        { type: "refusal", refusal: "no" },
      ],
    });
    const blocks = [
      {
        kind: "text",
        text: "ab",
        phase: "commentary",
        citations: [
          {
            type: "url",
            url: "https://x",
            title: "X",
            start: 0,
            end: 2,
            raw: { format: "responses", value: cite },
          },
          { type: "document", title: "a.txt", raw: { format: "responses", value: file } },
        ],
      },
      { kind: "refusal", text: "no" },
    ];
    const annotation = event("output_text.annotation.added", {
      output_index: 0,
      content_index: 0,
      annotation_index: 0,
      annotation: cite,
    });
    const refused = event("refusal.delta", { output_index: 0, content_index: 1, delta: "n" });
    const pieces = [
      created,
      added(message("", { phase: "commentary", content: [] })),
      textDelta("ab"),
      annotation,
      refused,
    ];
    expect(reply(streamed([created, completed(whole)])).blocks).toEqual(blocks);
    const partDone = event("content_part.done", {
      output_index: 0,
      content_index: 0,
      part: (whole["content"] as JsonValue[])[0] ?? null,
    });
    const piecewise = [...pieces.slice(0, 4), partDone, refused, done(whole), completed(whole)];
    expect(reply(streamed(piecewise)).blocks).toEqual(blocks);
  });

  it("the service's own tools are passed on as they are; what a client would have to do is marked", () => {
    const search = {
      id: "ws_1",
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query: "q" },
    };
    const patch = { id: "apc_1", type: "apply_patch_call", call_id: "c", operation: {} };
    const container = {
      id: "sh_1",
      type: "shell_call",
      environment: { type: "container_reference" },
      action: {},
    };
    const events = streamed([
      created,
      added({ ...search, status: "in_progress" }),
      event("web_search_call.searching", { output_index: 0 }),
      done(search),
      done(patch, 1),
      done(container, 2),
      completed(search, patch, container),
    ]);
    expect(reply(events).blocks).toEqual([
      {
        kind: "opaque",
        type: "web_search_call",
        raw: search,
        action: false,
        search: { query: "q", sources: [] },
      },
      { kind: "opaque", type: "apply_patch_call", raw: patch, action: true },
      { kind: "opaque", type: "shell_call", raw: container, action: false },
    ]);
  });

  it("a picture is a picture", () => {
    const image = {
      id: "ig_1",
      type: "image_generation_call",
      status: "completed",
      output_format: "jpeg",
      result: "AAAA",
    };
    expect(reply(streamed([created, completed(image)])).blocks).toEqual([
      { kind: "media", media: "image", mime: "image/jpeg", data: "AAAA" },
    ]);
  });

  it.each([
    [{ reason: "max_output_tokens" }, "length"],
    [{ reason: "length" }, "length"],
    [{ reason: "content_filter" }, "filter"],
    [null, "length"],
  ])("incomplete for %j is %s, with its content", (incomplete_details, reason) => {
    const end = event("incomplete", {
      response: response({ status: "incomplete", incomplete_details, usage }),
    });
    const found = reply(streamed([created, added(message("")), textDelta("ab"), end]));
    expect([found.blocks, found.stop.reason]).toEqual([[text("ab")], reason]);
  });
});

describe("a Responses provider that fails", () => {
  it.each<[JsonObject, Partial<Failure>]>([
    [
      event("failed", {
        response: response({
          status: "failed",
          error: { code: "rate_limit_exceeded", message: "slow" },
        }),
      }),
      { cause: "stated", status: 429, code: "rate_limit_exceeded", message: "slow" },
    ],
    [
      event("failed", { response: response({ status: "failed", error: null }) }),
      { cause: "stated", status: 502 },
    ],
    [
      event("completed", {
        response: response({ status: "failed", error: { code: "server_error", message: "x" } }),
      }),
      { cause: "stated", status: 500 },
    ],
    [
      { type: "error", code: "context_length_exceeded", message: "x", param: null },
      { cause: "stated", status: 400, overflow: true, code: "context_length_exceeded" },
    ],
    [
      { type: "error", error: { type: "overloaded_error", message: "busy" } },
      { cause: "stated", status: 503, type: "overloaded_error", message: "busy" },
    ],
    [
      { error: { message: "no more", code: 503 } },
      { cause: "stated", status: 503, message: "no more" },
    ],
  ])("in mid-stream with %j ends with its details", (last, details) => {
    const events = streamed([created, textDelta("a"), last, textDelta("b"), completed()]);
    expect(failure(events)).toMatchObject(details);
    expect(events.filter((one) => one.kind === "delta")).toHaveLength(1);
  });

  it.each([
    ["nothing", []],
    ["no terminal event", [created, added(message("")), textDelta("ab"), done(message("ab"))]],
  ])("a stream with %s is cut", (_, events) => {
    expect(failure(streamed(events))).toMatchObject({ cause: "cut", status: 502 });
  });

  it("a terminal event without its blank line counts, half of one does not", () => {
    const whole = sse(created, completed(message("ab")));
    const read = (wire: string): ReplyEvent[] => {
      const reader = responses.provider.eventReader(context());
      return [...reader.feed(wire), ...reader.end()];
    };
    expect(texts(read(whole.trimEnd()))).toEqual(["ab"]);
    expect(failure(read(whole.trimEnd().slice(0, -9))).cause).toBe("cut");
  });

  it.each<[number, string, Partial<Failure>]>([
    [
      429,
      '{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}',
      { message: "slow", type: "requests", code: "rate_limit_exceeded" },
    ],
    [
      400,
      '{"error":{"message":"This model\'s maximum context length is 9 tokens","code":"x"}}',
      { overflow: true },
    ],
    [404, '{"error":"no such model"}', { message: "no such model" }],
    [
      422,
      '{"detail":[{"loc":["body"],"msg":"bad"}]}',
      { message: '[{"loc":["body"],"msg":"bad"}]' },
    ],
    [500, '{"error":{"message":"x","code":"500"}}', { message: "x" }],
    [502, "<html>Bad gateway</html>", { message: "The provider answered with status 502." }],
    [503, "", { message: "The provider answered with status 503." }],
  ])("with status %i and %s keeps its details", (status, body, details) => {
    const found = responses.provider.readFailure(status, body);
    expect(found).toMatchObject({ cause: "status", status, ...details });
    if (body.includes('"500"')) expect(found).not.toHaveProperty("code");
  });
});

describe("a whole Responses answer", () => {
  it("gives what a stream of it would give", () => {
    const body = response({ status: "completed", output: [message("ab"), call("{}")], usage });
    expect(responses.provider.readReply(body, context())).toEqual(
      streamed([created, completed(message("ab"), call("{}"))]),
    );
  });

  it("is read from servers that leave fields out or name them otherwise", () => {
    const bare = { output: [{ type: "message", content: "ab" }], status: "complete", error: null };
    expect(texts(responses.provider.readReply(bare, context()))).toEqual(["ab"]);
  });

  it.each<[JsonValue, Partial<Failure>]>([
    [
      { error: { message: "x", type: "invalid_request_error" } },
      { cause: "stated", status: 400, message: "x" },
    ],
    [
      response({ status: "failed", error: { code: "server_error", message: "x" } }),
      { cause: "stated", status: 500, code: "server_error" },
    ],
    [
      response({ status: "cancelled" }),
      { cause: "stated", status: 502, message: "The provider's answer is cancelled." },
    ],
    [response({ status: "queued" }), { cause: "stated", status: 502 }],
    [
      { object: "chat.completion", choices: [] },
      { cause: "wrong_type", status: 502 },
    ],
    ["hello", { cause: "wrong_type" }],
    [null, { cause: "wrong_type" }],
  ])("that is %j is a failure", (body, details) => {
    const events = responses.provider.readReply(body, context());
    expect(failure(events)).toMatchObject(details);
  });
});
