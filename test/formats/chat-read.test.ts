import { checkRequest } from "../../src/formats/chat/request/check.ts";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { unwrapState, wrapState } from "../../src/translation/opaque-state.ts";
import type { Block, OpaqueState } from "../../src/core/request.ts";
import { chat } from "../../src/formats/chat/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";

const read = (members: JsonObject) =>
  chat.client.readRequest({ model: "m", messages: [{ role: "user", content: "hi" }], ...members });
const blocks = (message: JsonObject): Block[] =>
  read({ messages: [message] }).messages[0]?.blocks ?? [];
const parts = (...content: JsonObject[]): Block[] => blocks({ role: "user", content });

describe("what every chat request must be", () => {
  const said = [{ role: "user", content: "x" }];
  const wrong: [string, JsonObject][] = [
    ["model", { messages: said }],
    ["model", { model: "", messages: said }],
    ["model", { model: "a\u0007", messages: said }],
    ["model", { model: "m".repeat(513), messages: said }],
    ["stream", { model: "m", stream: "yes", messages: said }],
    ["messages", { model: "m" }],
    ["messages", { model: "m", messages: [] }],
    ["messages[0]", { model: "m", messages: ["hi"] }],
    ["messages[1].role", { model: "m", messages: [...said, { role: "bot", content: "x" }] }],
    ["messages[0].content", { model: "m", messages: [{ role: "user", content: 5 }] }],
    ["messages[0].content[0]", { model: "m", messages: [{ role: "user", content: ["x"] }] }],
    [
      "messages[0].content[1].type",
      { model: "m", messages: [{ role: "user", content: [{ type: "text" }, {}] }] },
    ],
    ["tools", { model: "m", messages: said, tools: {} }],
  ];
  it.each(wrong)("names %s", (path, body) => {
    let thrown: unknown;
    try {
      checkRequest(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Problem);
    expect(String(thrown)).toContain(`${path}: `);
  });

  it("leaves everything else to the provider", () => {
    const content: JsonValue = [{ type: "made_up", x: 1 }];
    const messages = [
      { role: "developer", content },
      { role: "function", content: null },
      { role: "assistant" },
    ];
    expect(() =>
      checkRequest({ model: "m", messages, tools: null, stream: null, odd: [1] }),
    ).not.toThrow();
  });
});

describe("a chat request's messages", () => {
  it("keep instructions where they stand, with the word for them", () => {
    const { messages } = read({
      messages: [
        { role: "system", content: "a" },
        { role: "user", content: "b" },
        { role: "developer", content: [{ type: "text", text: "c" }] },
      ],
    });
    expect(messages).toMatchObject([
      { role: "instruction", voice: "system", blocks: [{ text: "a" }] },
      { role: "user", blocks: [{ text: "b" }] },
      { role: "instruction", voice: "developer", blocks: [{ text: "c" }] },
    ]);
  });

  it("tell bytes from addresses, whatever the part is called", () => {
    expect(
      parts(
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
        { type: "image_url", image_url: { url: "https://x.test/a.png" } },
        { type: "image_url", image_url: "data:application/pdf;base64,BBBB" },
        {
          type: "file",
          file: { filename: "a.pdf", file_data: "data:application/pdf;base64,CCCC" },
        },
        { type: "file", file: { file_id: "file-1" } },
        { type: "input_audio", input_audio: { data: "DDDD", format: "mp3" } },
        { type: "video_url", video_url: { url: "https://x.test/a.webm" } },
        { type: "document_url", document_url: "https://x.test/a.pdf" },
        { type: "image_url", image_url: { url: "data:text/plain,a%20b" } },
      ),
    ).toMatchObject([
      { media: "image", source: { type: "bytes", mime: "image/png", data: "AAAA" }, detail: "low" },
      { media: "image", source: { type: "url", url: "https://x.test/a.png" } },
      { media: "document", source: { type: "bytes", mime: "application/pdf", data: "BBBB" } },
      { media: "document", name: "a.pdf", source: { type: "bytes", data: "CCCC" } },
      { media: "document", source: { type: "file", id: "file-1" } },
      { media: "audio", source: { type: "bytes", mime: "audio/mpeg", data: "DDDD" } },
      { media: "video", source: { type: "url" } },
      { media: "document", source: { type: "url" } },
      { media: "document", source: { type: "bytes", mime: "text/plain", data: "YSBi" } },
    ]);
  });

  it("keep cache breakpoints with their place", () => {
    const [, block] = parts(
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } },
    );
    expect(block).toMatchObject({
      cache: { ttl: "1h", path: "messages[].content[].cache_control" },
    });
  });

  it("keep their sources with the one text that cites them, and name them where there are several", () => {
    const url_citation = { url: "https://x.test/", title: "X", start_index: 0, end_index: 2 };
    const annotations = [{ type: "url_citation", url_citation }];
    expect(blocks({ role: "assistant", content: "abc", annotations })).toMatchObject([
      {
        kind: "text",
        citations: [{ type: "url", url: "https://x.test/", title: "X", start: 0, end: 2 }],
        citationsPath: "messages[].annotations",
      },
    ]);
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const { unsupported } = read({ messages: [{ role: "assistant", content, annotations }] });
    expect(unsupported).toEqual(["messages[].annotations"]);
  });

  it("name a call that is of no known kind", () => {
    const call = { id: "1", type: "mcp", mcp: { name: "f" } };
    const { unsupported } = read({
      messages: [{ role: "assistant", content: "x", tool_calls: [call] }],
    });
    expect(unsupported).toContain("messages[].tool_calls[]");
  });

  it("keep a part that nobody knows as one that must not vanish", () => {
    expect(parts({ type: "hologram", text: "x" })).toMatchObject([
      {
        kind: "opaque",
        type: "hologram",
        weight: "essential",
        text: "x",
        path: "messages[].content[]",
      },
    ]);
  });

  it("hold calls of every kind, whatever form the arguments have", () => {
    const made = blocks({
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
        { id: "2", function: { name: "g", arguments: { b: 2 } } },
        { id: "3", type: "custom", custom: { name: "patch", input: "raw" } },
        { id: "4", type: "function", function: { name: "h" }, custom: { name: "", input: "" } },
      ],
    });
    expect(made).toMatchObject([
      { id: "1", name: "f", call: "function", input: '{"a":1}' },
      { id: "2", name: "g", call: "function", input: '{"b":2}' },
      { id: "3", name: "patch", call: "custom", input: "raw" },
      { id: "4", name: "h", call: "function", input: "" },
    ]);
  });

  it("join the older form of calls and results by name", () => {
    const { messages } = read({
      messages: [
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "1" },
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "2" },
      ],
    });
    const ids = messages.map(({ blocks: [block] }) =>
      block?.kind === "call" || block?.kind === "result" ? block.id : "",
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it("name everything that has no room", () => {
    const { unsupported } = read({
      messages: [{ role: "assistant", content: "x", prefix: true, weight: 0 }],
      logit_magic: 1,
      provider: { only: ["x"] },
      temperature: "hot",
      stop: [],
      plugins: [],
      seed: null,
      response_format: { type: "text" },
    });
    expect(unsupported.toSorted()).toEqual([
      "logit_magic",
      "messages[].prefix",
      "messages[].weight",
      "provider",
      "temperature",
    ]);
  });
});

describe("reasoning that a chat client brings back", () => {
  const state: OpaqueState = {
    format: "messages",
    origin: "claude",
    type: "signature",
    data: "sig",
  };
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };

  it("is text, whatever the member is called", () => {
    for (const name of ["reasoning_content", "reasoning"]) {
      expect(blocks({ role: "assistant", content: "x", [name]: "hm" })[0]).toMatchObject({
        kind: "thinking",
        text: "hm",
      });
    }
  });

  it("has the gateway's state again, with the text that it was made for", () => {
    const entry = { type: "reasoning.text", text: "hm", signature: wrapState(state), index: 0 };
    expect(
      blocks({
        role: "assistant",
        content: "x",
        reasoning_content: "hm",
        reasoning_details: [entry],
      }),
    ).toMatchObject([{ kind: "thinking", text: "hm", state }, { kind: "text" }]);
  });

  it("has it from inside its text part too, where OpenAI's Agents SDK puts the members of a message", () => {
    const entry = { type: "reasoning.text", text: "hm", signature: wrapState(state), index: 0 };
    const part = { type: "text", text: "x", role: "assistant", reasoning_content: "hm" };
    const content = [{ ...part, reasoning_details: [entry], tool_calls: [call] }];
    expect(blocks({ role: "assistant", content })).toMatchObject([
      { kind: "thinking", text: "hm", state },
      { kind: "text" },
    ]);
  });

  it("has a call's state at the call, from either place", () => {
    const extra = { google: { thought_signature: wrapState(state) } };
    const entry = { type: "reasoning.encrypted", id: "c1", data: wrapState(state) };
    for (const message of [
      { tool_calls: [{ ...call, extra_content: extra }] },
      { tool_calls: [call], reasoning_details: [entry] },
    ]) {
      expect(blocks({ role: "assistant", content: null, ...message })).toMatchObject([
        { kind: "call", id: "c1", state },
      ]);
    }
  });

  it("made elsewhere stays native, so that no provider of this gateway gets it", () => {
    const made = blocks({
      role: "assistant",
      content: null,
      reasoning_details: [{ type: "reasoning.encrypted", data: "zzz" }],
      tool_calls: [{ ...call, extra_content: { google: { thought_signature: "yyy" } } }],
    });
    const states = made.map((block) => ("state" in block ? block.state : undefined));
    expect(states).toHaveLength(2);
    for (const kept of states) expect(kept).toMatchObject({ format: "chat" });
    expect(states.some((kept) => kept?.origin !== undefined)).toBe(false);
  });

  it("is taken out of a relayed request where another provider made it", () => {
    const own: OpaqueState = {
      format: "chat",
      origin: "lab",
      type: "reasoning_details",
      data: '[{"type":"reasoning.summary","summary":"s"}]',
    };
    const body: JsonObject = {
      messages: [
        {
          role: "assistant",
          content: "x",
          reasoning_details: [
            { type: "reasoning.text", signature: wrapState(state) },
            { type: "reasoning.encrypted", data: "native" },
            { type: "reasoning.encrypted", data: wrapState(own) },
          ],
          tool_calls: [
            { ...call, extra_content: { google: { thought_signature: wrapState(state) } } },
          ],
        },
      ],
    };
    expect(chat.provider.scrub(body, "lab").toSorted()).toEqual([
      "messages[].reasoning_details",
      "messages[].tool_calls[].extra_content",
    ]);
    expect(body).toEqual({
      messages: [
        {
          role: "assistant",
          content: "x",
          reasoning_details: [
            { type: "reasoning.encrypted", data: "native" },
            { type: "reasoning.summary", summary: "s" },
          ],
          tool_calls: [call],
        },
      ],
    });
    expect(unwrapState("native")).toBeUndefined();
  });

  it("of others is no reason to touch a relayed request", () => {
    const body: JsonObject = {
      messages: [{ role: "assistant", content: "x", reasoning_details: [{ data: "native" }] }],
    };
    const before = structuredClone(body);
    expect(chat.provider.scrub(body, "lab")).toEqual([]);
    expect(body).toEqual(before);
  });
});

describe("a chat request's settings", () => {
  it("are read with the names that the client used", () => {
    const turn = read({
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 0,
      temperature: 0,
      stop: "x",
      parallel_tool_calls: false,
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: {
        type: "json_schema",
        json_schema: { name: "n", strict: true, schema: { type: "object" } },
      },
      safety_identifier: "u",
      prompt_cache_key: "k",
    });
    expect(turn).toMatchObject({
      stream: true,
      wantsUsage: true,
      maxOutput: 0,
      stop: ["x"],
      sampling: { temperature: 0 },
      parallelTools: false,
      choice: { type: "tool", name: "f" },
      output: { type: "schema", name: "n", strict: true, schema: { type: "object" } },
      user: "u",
      cacheKey: "k",
      paths: {
        maxOutput: "max_completion_tokens",
        user: "safety_identifier",
        cacheKey: "prompt_cache_key",
      },
      unsupported: [],
    });
  });

  it("that change nothing have no place to be reported by", () => {
    const idle = read({
      n: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      logprobs: false,
      temperature: 0,
    });
    expect(idle.paths).toEqual({ temperature: "temperature" });
    expect(read({ n: 2, logprobs: true }).paths).toEqual({ n: "n", logprobs: "logprobs" });
  });

  it("that only OpenAI knows are kept as they are, and effort is understood too", () => {
    const turn = read({
      reasoning_effort: "low",
      modalities: ["text"],
      prediction: { type: "content" },
    });
    expect(turn.reasoning).toEqual({ effort: "low" });
    expect(turn.openaiOnly).toEqual({
      reasoning_effort: "low",
      modalities: ["text"],
      prediction: { type: "content" },
    });
    expect(turn.unsupported).toEqual([]);
  });

  it("ask for reasoning in any vendor's form", () => {
    expect(read({ reasoning: { effort: "high" } }).reasoning).toEqual({ effort: "high" });
    expect(read({ reasoning: { max_tokens: 2000 } }).reasoning).toEqual({
      mode: "budget",
      budget: 2000,
    });
    expect(read({ thinking: { type: "enabled", budget_tokens: 1500 } }).reasoning).toEqual({
      mode: "budget",
      budget: 1500,
    });
    expect(read({ thinking: { type: "disabled" } }).reasoning).toEqual({ mode: "off" });
  });

  it("declare tools of every kind, older ones included", () => {
    const { tools, unsupported } = read({
      tools: [
        { type: "function", function: { name: "f", parameters: { type: "object" }, strict: null } },
        {
          type: "custom",
          custom: {
            name: "p",
            format: { type: "grammar", grammar: { syntax: "lark", definition: "x" } },
          },
        },
        { type: "openrouter:web_search" },
        { type: "function", function: {} },
      ],
      functions: [{ name: "old" }],
      web_search_options: {},
    });
    expect(tools).toMatchObject([
      { kind: "function", name: "f", schema: { type: "object" } },
      { kind: "custom", name: "p", grammar: { type: "grammar", syntax: "lark", definition: "x" } },
      { kind: "hosted", means: "web_search", path: "tools[]" },
      { kind: "function", name: "old", path: "functions[]" },
      { kind: "hosted", means: "web_search", path: "web_search_options" },
    ]);
    expect(unsupported).toEqual(["tools[]"]);
  });

  it("choose among tools in every form", () => {
    const choice = (tool_choice: JsonValue) => read({ tool_choice }).choice;
    expect(choice("none")).toEqual({ type: "none" });
    expect(choice({ type: "custom", custom: { name: "p" } })).toEqual({
      type: "tool",
      name: "p",
      custom: true,
    });
    expect(
      choice({
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
      }),
    ).toEqual({ type: "allowed", mode: "required", names: ["f"] });
    expect(read({ function_call: { name: "old" } }).choice).toEqual({ type: "tool", name: "old" });
  });
});
