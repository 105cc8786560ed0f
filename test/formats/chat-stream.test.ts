import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/core/failure.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { replay, type Reply, type ReplyBlock } from "../../src/core/reply.ts";
import { unwrapState } from "../../src/translation/opaque-state.ts";
import type { OpaqueState } from "../../src/core/request.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { asArray, asObject, asString, parseJson, type JsonObject } from "../../src/lib/json.ts";
import { echo } from "../kit/neutral.ts";

const state: OpaqueState = { format: "messages", origin: "claude", type: "signature", data: "sig" };
const full: Reply = {
  id: "msg_1",
  model: "claude",
  created: 5,
  blocks: [
    { kind: "thinking", text: "hm", state },
    { kind: "text", text: "one", citations: [] },
    {
      kind: "text",
      text: "two",
      citations: [{ type: "url", url: "https://x.test", title: "X", start: 0, end: 3 }],
    },
    { kind: "call", id: "a", name: "f", call: "function", input: '{"x":1}' },
    {
      kind: "call",
      id: "b",
      name: "g",
      call: "function",
      input: "",
      state: { ...state, type: "thought_signature" },
    },
  ],
  usage: { input: 10, cacheRead: 4, output: 5, reasoning: 2 },
  stop: { reason: "tools", raw: "tool_use" },
};
const replyOf = (...blocks: ReplyBlock[]): Reply => ({ ...full, blocks, stop: { reason: "end" } });
const text = (value: string): ReplyBlock => ({ kind: "text", text: value, citations: [] });

function stream(events: readonly ReplyEvent[], wantsUsage = true): string {
  const writer = chat.client.eventWriter(echo({ wantsUsage }));
  return events.map((event) => writer.write([event])).join("");
}

function chunks(wire: string): JsonObject[] {
  return wire
    .split("\n\n")
    .map((line) => asObject(parseJson(line.slice("data: ".length))))
    .filter((chunk) => chunk !== undefined);
}
const delta = (chunk: JsonObject | undefined): JsonObject =>
  asObject(asObject(asArray(chunk?.["choices"])[0])?.["delta"]) ?? {};
const deltas = (wire: string, member: string) =>
  chunks(wire).flatMap((chunk) => delta(chunk)[member] ?? []);

/** What the official client makes of the wire text. */
function client(wire: string): OpenAI {
  const headers = {
    "content-type": wire.startsWith("{") ? "application/json" : "text/event-stream",
  };
  return new OpenAI({
    apiKey: "sk-test",
    maxRetries: 0,
    fetch: async () => new Response(wire, { headers }),
  });
}
const request = { model: "m", messages: [] };

describe("a chat client's stream", () => {
  it("is assembled by the official client as the whole answer is read", async () => {
    const final = await client(stream(replay(full)))
      .chat.completions.stream(request)
      .finalChatCompletion();
    const whole = await client(
      JSON.stringify(chat.client.writeReply(full, echo())),
    ).chat.completions.create(request);
    expect(final.choices[0]?.message).toMatchObject({
      role: "assistant",
      content: "onetwo",
      tool_calls: [
        { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
        { id: "b", type: "function", function: { name: "g", arguments: "{}" } },
      ],
    });
    for (const [one, other] of [[final.choices[0], whole.choices[0]]] as const) {
      expect(one?.finish_reason).toBe(other?.finish_reason);
      expect(one?.message.content).toBe(other?.message.content);
      expect(JSON.stringify(one?.message.tool_calls?.map((call) => call.id))).toBe(
        JSON.stringify(other?.message.tool_calls?.map((call) => call.id)),
      );
      for (const member of ["reasoning_details", "annotations"]) {
        expect(Reflect.get(one?.message ?? {}, member)).toEqual(
          Reflect.get(other?.message ?? {}, member),
        );
      }
    }
    expect(final.usage).toEqual(whole.usage);
  });

  it("begins with the role, has one head, one end and then [DONE]", () => {
    const wire = stream(replay(full));
    const all = chunks(wire);
    const heads = all.map(({ id, object, created, model }) =>
      JSON.stringify([id, object, created, model]),
    );
    expect(new Set(heads)).toEqual(
      new Set(['["chatcmpl-msg_1","chat.completion.chunk",5,"asked-for"]']),
    );
    expect(delta(all[0])).toEqual({ role: "assistant", content: "" });
    const finishes = all.flatMap(
      (chunk) => asObject(asArray(chunk["choices"])[0])?.["finish_reason"] ?? [],
    );
    expect(finishes).toEqual(["tool_calls"]);
    expect(wire.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(wire.match(/\[DONE\]/g)).toHaveLength(1);
  });

  it("writes each fragment as soon as it comes", () => {
    const writer = chat.client.eventWriter(echo());
    writer.write([{ kind: "start" }, { kind: "open", key: 0, block: { kind: "text" } }]);
    const wire = writer.write([{ kind: "delta", key: 0, text: "now" }]);
    expect(delta(chunks(wire)[0])).toEqual({ content: "now" });
    expect(writer.write([])).toBe("");
  });

  it("has usage only where it was asked for: null first, counts on a chunk of their own last", () => {
    const counted = chunks(stream(replay(full)));
    expect(counted.slice(0, -1).every((chunk) => chunk["usage"] === null)).toBe(true);
    expect(counted.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
    const plain = chunks(stream(replay(full), false));
    expect(plain.some((chunk) => "usage" in chunk || asArray(chunk["choices"]).length === 0)).toBe(
      false,
    );
  });

  it("has zeros for unknown counts", () => {
    expect(chunks(stream(replay({ ...full, usage: {} }))).at(-1)).toMatchObject({
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
  });

  it("holds counts that come after the end", () => {
    const events = replay(replyOf(text("x")));
    const at = events.findIndex((event) => event.kind === "usage");
    const late = [
      ...events.slice(0, at),
      ...events.slice(at + 1, -1),
      ...events.slice(at, at + 1),
      ...events.slice(-1),
    ];
    expect(chunks(stream(late)).at(-1)).toMatchObject({ usage: { prompt_tokens: 10 } });
  });

  it("numbers calls that run side by side, with id, type and name once", () => {
    const wire = stream([
      { kind: "start" },
      { kind: "open", key: 4, block: { kind: "call", id: "a", name: "f", call: "function" } },
      { kind: "open", key: 7, block: { kind: "call", id: "b", name: "p", call: "custom" } },
      { kind: "delta", key: 7, text: "raw" },
      { kind: "delta", key: 4, text: "{}" },
      { kind: "close", key: 7 },
      { kind: "close", key: 4 },
      { kind: "stop", reason: "tools" },
      { kind: "end" },
    ]);
    expect(deltas(wire, "tool_calls").flat()).toEqual([
      { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } },
      { index: 1, id: "b", type: "custom", custom: { name: "p", input: "" } },
      { index: 1, custom: { input: "raw" } },
      { index: 0, function: { arguments: "{}" } },
    ]);
  });

  it("writes an answer without content", async () => {
    const wire = stream(replay(replyOf()));
    const final = await client(wire).chat.completions.stream(request).finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant" },
    });
  });

  it("makes one id where the provider made none", () => {
    const { id: _, ...nameless } = full;
    const ids = new Set(chunks(stream(replay(nameless))).map((chunk) => chunk["id"]));
    expect(Array.from(ids)).toEqual([expect.stringMatching(/^chatcmpl-.+/)]);
  });

  it("is kept alive by a comment", () => {
    expect(chat.client.eventWriter(echo()).keepAlive()).toBe(": keep-alive\n\n");
  });
});

describe("a failure in a chat client's stream", () => {
  const failure: Failure = {
    cause: "stated",
    status: 529,
    message: "too busy",
    type: "overloaded_error",
    code: "busy",
  };

  it("is the last event, an error envelope, and the official client throws it", async () => {
    const wire = stream([
      ...replay(replyOf(text("x"))).slice(0, 3),
      { kind: "fail", failure },
      { kind: "end" },
    ]);
    expect(chunks(wire).at(-1)).toEqual({
      error: { message: "too busy", type: "overloaded_error", code: "busy", param: null },
    });
    expect(wire).not.toContain("[DONE]");
    expect(wire).not.toMatch(/"finish_reason":"/);
    await expect(
      client(wire).chat.completions.stream(request).finalChatCompletion(),
    ).rejects.toThrow("too busy");
  });

  it("is an action that no chat client could take", () => {
    const raw = { type: "computer_call" };
    const action: ReplyBlock = { kind: "opaque", type: "computer_call", raw, action: true };
    const wire = stream(replay(replyOf(text("x"), action)));
    expect(chunks(wire).at(-1)).toMatchObject({
      error: { message: expect.stringContaining("computer_call") },
    });
    expect(wire).not.toContain("[DONE]");
    expect(() => chat.client.writeReply(replyOf(action), echo())).toThrow("computer_call");
    expect(stream(replay(replyOf(text("x"), { ...action, action: false })))).toContain("[DONE]");
  });
});

describe("a chat client's whole answer", () => {
  const message = (...blocks: ReplyBlock[]) => {
    const [choice] = asArray(chat.client.writeReply(replyOf(...blocks), echo())["choices"]);
    return asObject(asObject(choice)?.["message"]);
  };

  it("has the members that clients rely on", () => {
    expect(chat.client.writeReply(replyOf(text("x")), echo())).toMatchObject({
      id: "chatcmpl-msg_1",
      object: "chat.completion",
      created: 5,
      model: "asked-for",
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: "stop",
          message: { role: "assistant", content: "x", refusal: null },
        },
      ],
    });
  });

  it("has content that is null beside calls and refusals, and otherwise text", () => {
    expect(
      message({ kind: "call", id: "a", name: "f", call: "function", input: "" }),
    ).toMatchObject({ content: null });
    expect(message({ kind: "refusal", text: "no" })).toMatchObject({
      content: null,
      refusal: "no",
    });
    expect(message()).toMatchObject({ content: "" });
  });

  it("counts positions of sources in the whole text", () => {
    const [annotation] = asArray(
      asObject(
        asObject(asArray(chat.client.writeReply(full, echo())["choices"])[0])?.["message"],
      )?.["annotations"],
    );
    expect(annotation).toEqual({
      type: "url_citation",
      url_citation: { url: "https://x.test", title: "X", start_index: 3, end_index: 6 },
    });
  });

  it("holds images and audio", () => {
    expect(
      message({ kind: "media", media: "image", mime: "image/png", data: "AAAA" }),
    ).toMatchObject({
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
    });
    expect(
      message({ kind: "media", media: "audio", mime: "audio/wav", data: "BBBB" }),
    ).toMatchObject({ audio: { data: "BBBB" } });
  });

  const reasons = [
    ["end", "stop"],
    ["stop_sequence", "stop"],
    ["pause", "stop"],
    ["length", "length"],
    ["context_full", "length"],
    ["filter", "content_filter"],
    ["tools", "stop"],
  ] as const;
  it.each(reasons)("that ended by %s says %s", (reason, word) => {
    const reply: Reply = { ...replyOf(text("x")), stop: { reason } };
    expect(chat.client.writeReply(reply, echo())).toMatchObject({
      choices: [{ finish_reason: word }],
    });
  });
});

describe("other providers' state at a chat client", () => {
  const member = (name: string) => {
    const [choice] = asArray(chat.client.writeReply(full, echo())["choices"]);
    return asArray(asObject(asObject(choice)?.["message"])?.[name]);
  };

  it("stands in reasoning_details with its text, and at the call that it belongs to", () => {
    const [thinking, ofCall] = member("reasoning_details").map(asObject);
    expect(thinking).toMatchObject({ type: "reasoning.text", text: "hm" });
    expect(unwrapState(asString(thinking?.["signature"]) ?? "")).toEqual(state);
    expect(ofCall).toMatchObject({ type: "reasoning.encrypted", id: "b" });
    const extra = asObject(
      asObject(asObject(member("tool_calls")[1])?.["extra_content"])?.["google"],
    );
    expect(unwrapState(asString(extra?.["thought_signature"]) ?? "")).toMatchObject({
      type: "thought_signature",
    });
  });

  it("comes in one piece in the stream, since clients keep the last of several", () => {
    expect(deltas(stream(replay(full)), "reasoning_details")).toEqual(member("reasoning_details"));
    expect(
      chunks(stream(replay(full))).filter((chunk) => "reasoning_details" in delta(chunk)),
    ).toHaveLength(1);
  });

  const signed = { kind: "state", key: 1, state: { ...state, type: "thought_signature" } } as const;
  const opened = {
    kind: "open",
    key: 1,
    block: { kind: "call", id: "c", name: "f", call: "function" },
  } as const;
  const argument = { kind: "delta", key: 1, text: '{"a":1}' } as const;
  const over = [
    { kind: "close", key: 1 },
    { kind: "stop", reason: "tools" },
    { kind: "end" },
  ] as const;
  const entriesOf = (events: readonly ReplyEvent[]): (JsonObject | undefined)[] => {
    const writer = chat.client.eventWriter(echo());
    // One event a write: what belongs together may arrive apart.
    const wire = events.map((event) => writer.write([event])).join("");
    return deltas(wire, "tool_calls").map(asObject);
  };

  it("stands on the entry that opens its call", () => {
    const entries = entriesOf([opened, signed, argument, ...over]);
    expect(entries).toEqual([
      expect.objectContaining({
        id: "c",
        function: { name: "f", arguments: "" },
        extra_content: expect.anything(),
      }),
      { index: 0, function: { arguments: '{"a":1}' } },
    ]);
  });

  it("never stands on an entry without a function, which clients fail on", () => {
    const entries = entriesOf([opened, argument, signed, ...over]);
    expect(entries).toEqual([
      expect.objectContaining({ id: "c" }),
      { index: 0, function: { arguments: '{"a":1}' } },
      { index: 0, function: { arguments: "" }, extra_content: expect.anything() },
    ]);
  });

  it("delays a call no longer than the provider is silent", () => {
    const writer = chat.client.eventWriter(echo());
    expect(writer.write([opened])).toBe("");
    expect(deltas(writer.keepAlive(), "tool_calls")).toHaveLength(1);
    expect(deltas(writer.write([argument, ...over]), "tool_calls")).toHaveLength(1);
  });

  it("is read back as the thinking that it was", () => {
    const [choice] = asArray(chat.client.writeReply(full, echo())["choices"]);
    const back = chat.client.readRequest({
      model: "m",
      messages: [asObject(asObject(choice)?.["message"]) ?? {}],
    });
    expect(back.messages[0]?.blocks).toMatchObject([
      { kind: "thinking", text: "hm", state },
      { kind: "text", text: "onetwo" },
      { kind: "call", id: "a" },
      { kind: "call", id: "b", state: { type: "thought_signature" } },
    ]);
    expect(back.unsupported).toEqual([]);
  });

  it("is left out when its maker is unknown", () => {
    const { origin: _, ...native } = state;
    expect(
      JSON.stringify(
        chat.client.writeReply(replyOf({ kind: "thinking", text: "hm", state: native }), echo()),
      ),
    ).not.toContain("reasoning_details");
  });
});
