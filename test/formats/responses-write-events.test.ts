import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ReplyEcho } from "../../src/core/format.ts";
import type { ReplyEvent, StopReason } from "../../src/core/events.ts";
import { replay, type Reply, type ReplyBlock } from "../../src/core/reply.ts";
import { unwrapState } from "../../src/translation/opaque-state.ts";
import { responses } from "../../src/formats/responses/index.ts";
import { asArray, asObject, type JsonObject } from "../../src/lib/json.ts";
import { grammars } from "../kit/grammar.ts";
import { echo } from "../kit/neutral.ts";

const usage = { input: 9, cacheRead: 4, output: 5, reasoning: 2 };
const state = { format: "gemini", origin: "lab", type: "thought_signature", data: "s3" } as const;
type Call = ReplyBlock & { kind: "call" };
const call = (id: string, name: string, input: string): Call => ({
  kind: "call",
  id,
  name,
  call: "function",
  input,
});
const text = (
  value: string,
  citations: (ReplyBlock & { kind: "text" })["citations"] = [],
): ReplyBlock => ({ kind: "text", text: value, citations });

const reply = (blocks: ReplyBlock[], reason: StopReason = "end"): Reply => ({
  id: "resp_7",
  model: "real",
  created: 3,
  blocks,
  usage,
  stop: { reason },
});

function write(events: readonly ReplyEvent[], members: Partial<ReplyEcho> = {}): string {
  const writer = responses.client.eventWriter(echo(members));
  return events.map((event) => writer.write([event])).join("");
}

function wire(stream: string): JsonObject[] {
  return (
    stream
      .split("\n\n")
      .filter((block) => block !== "")
      // Every block of this writer is an event line and a data line.
      .map((block) => JSON.parse(block.slice(block.indexOf("data: ") + 6)) as JsonObject)
  );
}

const output = (stream: string): JsonObject[] =>
  asArray(asObject(wire(stream).at(-1)?.["response"])?.["output"]) as JsonObject[];

/** The response that the official SDK assembles from a stream. */
async function assembled(stream: string): Promise<JsonObject> {
  const client = new OpenAI({
    apiKey: "sk-test",
    maxRetries: 0,
    fetch: async () => new Response(stream, { headers: { "content-type": "text/event-stream" } }),
  });
  const final = await client.responses.stream({ model: "m", input: "hi" }).finalResponse();
  // The SDK's object is the JSON that it read.
  return JSON.parse(JSON.stringify(final)) as JsonObject;
}

const everything = reply([
  { kind: "thinking", text: "hm", state },
  text("one", [{ type: "url", url: "https://x", title: "X", start: 0, end: 3 }]),
  text("two"),
  { ...call("a", "f", '{"x":1}'), state },
  { ...call("b", "patch", "*** Begin\n"), call: "custom" },
  { ...call("c", "spawn", ""), namespace: "agents" },
  { kind: "refusal", text: "no" },
  { kind: "media", media: "image", mime: "image/png", data: "AAAA" },
]);

describe("a Responses client's stream", () => {
  it("obeys the grammar and is, for the official SDK, the whole answer", async () => {
    const stream = write(replay({ ...everything, blocks: everything.blocks.slice(0, 7) }));
    expect(grammars.responses(stream, { wantsUsage: true })).toEqual({
      ended: "normal",
      broken: [],
    });
    const all = responses.client.eventWriter(echo()).write(replay(everything));
    const whole = responses.client.writeReply(everything, echo());
    expect(await assembled(all)).toMatchObject(whole);
    expect(wire(all).at(-1)?.["response"]).toEqual(whole);
  });

  it("carries every kind of block as its own item, with the state of a call before it", () => {
    const items = output(responses.client.eventWriter(echo()).write(replay(everything)));
    expect(items.map((item) => item["type"])).toEqual([
      "reasoning",
      "message",
      "reasoning",
      "function_call",
      "custom_tool_call",
      "function_call",
      "message",
      "image_generation_call",
    ]);
    expect(items[1]).toMatchObject({
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: "one",
          logprobs: [],
          annotations: [
            { type: "url_citation", url: "https://x", title: "X", start_index: 0, end_index: 3 },
          ],
        },
        { type: "output_text", text: "two", annotations: [] },
      ],
    });
    expect(unwrapState(String(items[0]?.["encrypted_content"]))).toEqual(state);
    expect(items[2]).toMatchObject({ summary: [] });
    expect(items[3]).toMatchObject({
      call_id: "a",
      name: "f",
      arguments: '{"x":1}',
      status: "completed",
    });
    expect(items[4]).toMatchObject({ call_id: "b", name: "patch", input: "*** Begin\n" });
    expect(items[5]).toMatchObject({
      call_id: "c",
      name: "spawn",
      namespace: "agents",
      arguments: "{}",
    });
    expect(items[7]).toMatchObject({ result: "AAAA", status: "completed" });
    expect(new Set(items.map((item) => item["id"])).size).toBe(items.length);
  });

  it("text leaves at once", () => {
    const writer = responses.client.eventWriter(echo());
    writer.write([{ kind: "start" }, { kind: "open", key: 0, block: { kind: "text" } }]);
    expect(wire(writer.write([{ kind: "delta", key: 0, text: "a" }])).at(-1)).toMatchObject({
      type: "response.output_text.delta",
      delta: "a",
    });
    expect(writer.write([])).toBe("");
  });

  it("a second parallel call waits for the first, and text for neither", () => {
    const open = (key: number, id: string): ReplyEvent => ({
      kind: "open",
      key,
      block: { kind: "call", id, name: "f", call: "function" },
    });
    const delta = (key: number, piece: string): ReplyEvent => ({ kind: "delta", key, text: piece });
    const stream = write([
      { kind: "start" },
      open(0, "a"),
      delta(0, "{"),
      open(1, "b"),
      delta(1, "["),
      { kind: "state", key: 1, state },
      delta(0, "}"),
      delta(1, "]"),
      { kind: "close", key: 1 },
      { kind: "close", key: 0 },
      { kind: "stop", reason: "tools" },
      { kind: "end" },
    ]);
    expect(grammars.responses(stream, { wantsUsage: true })).toEqual({
      ended: "normal",
      broken: [],
    });
    expect(output(stream)).toMatchObject([
      { call_id: "a", arguments: "{}" },
      { type: "reasoning" },
      { call_id: "b", arguments: "[]" },
    ]);
  });

  it("state that comes during a call follows the call", () => {
    const stream = write([
      { kind: "start" },
      { kind: "open", key: 0, block: { kind: "call", id: "a", name: "f", call: "function" } },
      { kind: "delta", key: 0, text: "{}" },
      { kind: "state", key: 0, state },
      { kind: "close", key: 0 },
      { kind: "end" },
    ]);
    const items = output(stream);
    expect(items.map((item) => item["type"])).toEqual(["function_call", "reasoning"]);
    const next = responses.client.readRequest({
      model: "m",
      input: [...items, { type: "function_call_output", call_id: "a", output: "" }],
    });
    expect(next.messages[0]?.blocks).toMatchObject([
      { kind: "call", id: "a", name: "f", call: "function", input: "{}", state },
    ]);
  });

  it("nothing is opened for empty text or for thinking that says nothing", () => {
    expect(output(write(replay(reply([text(""), { kind: "thinking", text: "" }]))))).toEqual([]);
  });

  it("phases are messages of their own", () => {
    const stream = write(
      replay(
        reply([
          { ...(text("a") as ReplyBlock & { kind: "text" }), phase: "commentary" },
          text("b"),
        ]),
      ),
    );
    expect(output(stream)).toMatchObject([
      { phase: "commentary", content: [{ text: "a" }] },
      { content: [{ text: "b" }] },
    ]);
  });

  it("repeats the request, keeps its ids, and names the model as asked for", () => {
    const request = {
      tools: [{ type: "function", name: "f" }],
      tool_choice: "required",
      temperature: 0,
      metadata: { a: "b" },
      reasoning: { effort: "low" },
      text: { verbosity: "low" },
    };
    const events = wire(write(replay(reply([text("a")])), { request }));
    for (const event of [events[0], events[1], events.at(-1)])
      expect(event?.["response"]).toMatchObject({
        id: "resp_7",
        created_at: 3,
        model: "asked-for",
        object: "response",
        ...request,
      });
    expect(events[0]?.["response"]).toMatchObject({
      instructions: null,
      parallel_tool_calls: true,
      top_p: 1,
      error: null,
      incomplete_details: null,
      usage: null,
    });
    expect(asObject(events.at(-1)?.["response"])?.["usage"]).toEqual({
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 14,
    });
  });

  it("an id of another kind is replaced, once for the whole stream", () => {
    const events = wire(write(replay({ ...reply([text("a")]), id: "chatcmpl-1" })));
    const ids = new Set(events.flatMap((event) => asObject(event["response"])?.["id"] ?? []));
    expect([...ids]).toEqual([expect.stringMatching(/^resp_/)]);
  });

  it.each<[StopReason, string, string | undefined]>([
    ["end", "completed", undefined],
    ["stop_sequence", "completed", undefined],
    ["tools", "completed", undefined],
    ["pause", "completed", undefined],
    ["length", "incomplete", "max_output_tokens"],
    ["context_full", "incomplete", "max_output_tokens"],
    ["filter", "incomplete", "content_filter"],
    ["error", "failed", undefined],
  ])("%s is %s", (reason, status, why) => {
    const last = wire(write(replay(reply([text("a")], reason)))).at(-1);
    expect(last).toMatchObject({
      type: `response.${status}`,
      response: { status, incomplete_details: why === undefined ? null : { reason: why } },
    });
    expect(responses.client.writeReply(reply([text("a")], reason), echo())).toEqual(
      last?.["response"],
    );
  });

  it("a message that was broken off is incomplete", () => {
    expect(output(write(replay(reply([text("a")], "length"))))).toMatchObject([
      { status: "incomplete" },
    ]);
  });

  it.each([
    [{ code: "rate_limit_exceeded" }, "rate_limit_exceeded"],
    [{}, "server_error"],
    [{ code: "x", overflow: true }, "context_length_exceeded"],
  ])("a failure %j is response.failed with the code %s, and nothing after", (more, code) => {
    const failure = { cause: "stated", status: 502, message: "out of steam", ...more } as const;
    const stream = write([
      ...replay(reply([text("a")])).slice(0, 3),
      { kind: "fail", failure },
      { kind: "end" },
    ]);
    expect(grammars.responses(stream, { wantsUsage: true })).toEqual({
      ended: "error",
      broken: [],
    });
    expect(wire(stream).at(-1)?.["response"]).toMatchObject({
      status: "failed",
      error: { code, message: expect.stringMatching(/out of steam$/) },
    });
  });

  it("a failure before anything else still begins", () => {
    const stream = write([{ kind: "fail", failure: { cause: "cut", status: 502, message: "x" } }]);
    expect(wire(stream).map((event) => event["type"])).toEqual([
      "response.created",
      "response.in_progress",
      "response.failed",
    ]);
  });

  it("signs of life are numbered like the rest, between beginning and end", async () => {
    const writer = responses.client.eventWriter(echo());
    const [first, ...rest] = replay(reply([text("a")]));
    expect(writer.keepAlive()).toBe("");
    const stream = [
      writer.write(first ? [first] : []),
      writer.keepAlive(),
      writer.write(rest),
    ].join("");
    expect(writer.keepAlive()).toBe("");
    expect(wire(stream).map((event) => event["sequence_number"])).toEqual(
      wire(stream).map((_, at) => at),
    );
    expect(await assembled(stream)).toMatchObject({ output_text: "a" });
  });

  it("the service's own items pass; another service's are left out, and actions of theirs fail", () => {
    const opaque = (raw: JsonObject, action: boolean): ReplyBlock => ({
      kind: "opaque",
      type: String(raw["type"]),
      raw,
      action,
    });
    const search = { id: "ws_1", type: "web_search_call", status: "completed" };
    expect(
      output(
        write(
          replay(
            reply([
              opaque(search, false),
              opaque({ type: "server_tool_use", id: "x" }, false),
              text("a"),
            ]),
          ),
        ),
      ),
    ).toMatchObject([search, { type: "message" }]);
    const last = wire(write(replay(reply([opaque({ type: "computer_use" }, true), text("a")])))).at(
      -1,
    );
    const foreign = reply([opaque({ type: "computer_use" }, true), text("a")]);
    expect(() => responses.client.writeReply(foreign, echo())).toThrow(/computer_use/);
    expect(last).toMatchObject({ type: "response.failed", response: { status: "failed" } });
  });
});

describe("calls of tools that a client runs under a type of their own", () => {
  const request = {
    tools: [
      { type: "tool_search", execution: "client" },
      { type: "local_shell" },
      { type: "shell" },
      { type: "apply_patch" },
    ],
  };
  const write1 = (name: string, input: string) =>
    output(write(replay(reply([call("a", name, input)], "tools")), { request }))[0];

  it.each<[string, string, JsonObject]>([
    [
      "tool_search",
      '{"query":"q"}',
      { type: "tool_search_call", execution: "client", arguments: { query: "q" } },
    ],
    [
      "local_shell",
      '{"command":["ls"],"timeout_ms":5}',
      {
        type: "local_shell_call",
        action: { type: "exec", command: ["ls"], env: {}, timeout_ms: 5 },
      },
    ],
    ["shell", '{"commands":["ls"]}', { type: "shell_call", action: { commands: ["ls"] } }],
    [
      "apply_patch",
      '{"operation":{"type":"delete_file","path":"p"}}',
      { type: "apply_patch_call", operation: { type: "delete_file", path: "p" } },
    ],
  ])("%s goes back as its own item", (name, input, item) => {
    expect(write1(name, input)).toMatchObject({ call_id: "a", status: "completed", ...item });
    const { input: next } = { input: [write1(name, input) ?? {}] };
    expect(
      responses.client.readRequest({ model: "m", input: next }).messages[0]?.blocks,
    ).toMatchObject([{ kind: "call", id: "a", name }]);
  });

  it("arguments that are no object do not break the item", () => {
    expect(write1("tool_search", "not json")).toMatchObject({ arguments: { query: "not json" } });
    expect(write1("shell", "")).toMatchObject({ action: { commands: [] } });
  });

  it("a function of that name stays a function where no such tool was offered", () => {
    const plain = output(
      write(replay(reply([call("a", "shell", "{}")], "tools")), {
        request: { tools: [{ type: "function", name: "shell" }] },
      }),
    );
    expect(plain).toMatchObject([{ type: "function_call", name: "shell" }]);
  });
});

describe("errors for a Responses client", () => {
  it("have the service's envelope", () => {
    expect(
      responses.client.writeError(
        { status: 400, message: "m", type: "t", code: "c", extra: { attempts: [] } },
        "req",
      ),
    ).toEqual({
      error: { message: "m", type: "t", code: "c", param: null, attempts: [] },
    });
  });
});
