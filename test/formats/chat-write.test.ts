import { describe, expect, it } from "vitest";
import type { Traits } from "../../src/core/model.ts";
import { Problem } from "../../src/core/problem.ts";
import type {
  MediaBlock,
  OpaqueState,
  ThinkingBlock,
  Tool,
  ModelRequest,
} from "../../src/core/request.ts";
import { chat } from "../../src/formats/chat/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { assistant, call, instruction, result, target, turn, user } from "../kit/neutral.ts";

const path = "messages[].content[]";
const write = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}) =>
  chat.provider.writeRequest(turn(members), target("chat", traits));
const body = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}): JsonObject =>
  write(members, traits).body;
const messages = (members: Partial<ModelRequest>["messages"] & {}, traits: Partial<Traits> = {}) =>
  body({ messages: members }, traits)["messages"];

function refusal(members: Partial<ModelRequest>, traits: Partial<Traits> = {}): string {
  try {
    write(members, traits);
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

const media = (
  kind: MediaBlock["media"],
  source: MediaBlock["source"],
  more: Partial<MediaBlock> = {},
): MediaBlock => ({
  kind: "media",
  media: kind,
  source,
  path,
  ...more,
});
const png = media("image", { type: "bytes", mime: "image/png", data: "AAAA" });
const pngPart = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const schema = { type: "object", properties: { a: { type: "string" } } };
const tool = (name: string, more: Partial<Tool & { kind: "function" }> = {}): Tool => ({
  kind: "function",
  name,
  schema,
  path: "tools[]",
  ...more,
});
const state = (members: Partial<OpaqueState> = {}): OpaqueState => ({
  format: "chat",
  origin: "lab",
  type: "reasoning_details",
  data: '[{"type":"reasoning.text","text":"hm","signature":"s"}]',
  ...members,
});
const thinking = (text: string, kept?: OpaqueState): ThinkingBlock => ({
  kind: "thinking",
  text,
  path,
  ...(kept && { state: kept }),
});

describe("messages for a chat provider", () => {
  it("have instructions in their place, as system unless developer is known", () => {
    const said = [
      { ...instruction("a", "b"), top: true },
      user("hi"),
      { ...instruction("c"), voice: "developer" as const },
    ];
    expect(messages(said)).toEqual([
      { role: "system", content: "a\n\nb" },
      { role: "user", content: "hi" },
      { role: "system", content: "c" },
    ]);
    expect(messages(said, { developerRole: true })).toMatchObject([
      { role: "system" },
      {},
      { role: "developer" },
    ]);
  });

  it("have results as tool messages right after the calls, before the user's words", () => {
    expect(
      messages([
        user("q"),
        assistant("let me see", call("a", "f", { x: 1 }), call("b", "g")),
        user("so?", result("b", "2"), result("a", "1", "one")),
      ]),
    ).toEqual([
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: "let me see",
        tool_calls: [
          { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          { id: "b", type: "function", function: { name: "g", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "1\none" },
      { role: "tool", tool_call_id: "b", content: "2" },
      { role: "user", content: "so?" },
    ]);
  });

  it("show media of results in a user message after all of them", () => {
    expect(
      messages([
        assistant(call("a", "f"), call("b", "g")),
        user(result("a", "see", png), result("b", png)),
      ]),
    ).toMatchObject([
      { role: "assistant", content: null },
      { role: "tool", content: "see" },
      { role: "tool", content: expect.stringMatching(/./) },
      { role: "user", content: [pngPart, pngPart] },
    ]);
  });

  it("say that a tool failed where its words do not", () => {
    const failed = (text: string) => ({ ...result("a", text), isError: true });
    const content = (text: string) => messages([assistant(call("a", "f")), user(failed(text))]);
    expect(content("no such file")).toMatchObject([{}, { content: "Error: no such file" }]);
    expect(content("ENOENT: error")).toMatchObject([{}, { content: "ENOENT: error" }]);
  });

  it("have arguments that are JSON objects, whatever the history holds", () => {
    const made = (input: string) => {
      const said = messages([assistant({ ...call("a", "f"), input })]);
      return JSON.stringify(said).match(/"arguments":("(?:[^"\\]|\\.)*")/)?.[1];
    };
    expect(JSON.parse(made("") ?? "")).toBe("{}");
    expect(JSON.parse(made("[1]") ?? "")).toBe('{"value":[1]}');
    expect(JSON.parse(made("not json") ?? "")).toBe('{"_raw":"not json"}');
    expect(JSON.parse(made('{"a": 1.0}') ?? "")).toBe('{"a": 1.0}');
  });

  it("have ids that OpenAI takes", () => {
    const id = `toolu_${"x".repeat(60)}`;
    const said = JSON.stringify(messages([assistant(call(id, "f")), user(result(id, "1"))]));
    const ids = Array.from(said.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g), ([, found]) => found);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]?.length).toBeLessThanOrEqual(40);
  });

  it("carry media in chat's own parts", () => {
    expect(
      messages([
        user(
          "see",
          png,
          media("image", { type: "url", url: "https://x.test/a.png" }, { detail: "original" }),
          media(
            "document",
            { type: "bytes", mime: "application/pdf", data: "BBBB" },
            { name: "a.pdf" },
          ),
          media(
            "document",
            { type: "bytes", mime: "text/plain", data: btoa("plain") },
            { name: "a.txt" },
          ),
          media("document", { type: "text", text: "words" }, { name: "title", context: "why" }),
          media("audio", { type: "bytes", mime: "audio/mpeg", data: "CCCC" }),
        ),
      ]),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          pngPart,
          { type: "image_url", image_url: { url: "https://x.test/a.png", detail: "high" } },
          {
            type: "file",
            file: { filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" },
          },
          { type: "text", text: "a.txt\nplain" },
          { type: "text", text: "title\nwhy\nwords" },
          { type: "input_audio", input_audio: { data: "CCCC", format: "mp3" } },
        ],
      },
    ]);
  });

  const losses: [string, MediaBlock, Partial<Traits>][] = [
    ["file ids", media("image", { type: "file", id: "file-1" }), {}],
    ["documents by address", media("document", { type: "url", url: "https://x.test/a.pdf" }), {}],
    ["video", media("video", { type: "bytes", mime: "video/mp4", data: "AAAA" }), {}],
    [
      "audio where there is none",
      media("audio", { type: "bytes", mime: "audio/wav", data: "AAAA" }),
      { audio: false },
    ],
    [
      "images by address where there are none",
      media("image", { type: "url", url: "https://x.test/a.png" }),
      { imageUrls: false },
    ],
  ];
  it.each(losses)("refuse %s, naming the field", (_, block, traits) => {
    expect(refusal({ messages: [user(block)] }, traits)).toContain(path);
  });

  it("refuse a block that must not vanish, and report one that may", () => {
    const opaque = {
      kind: "opaque",
      format: "responses",
      type: "thing",
      raw: {},
      path: "input[]",
    } as const;
    expect(refusal({ messages: [user({ ...opaque, weight: "essential" })] })).toContain("input[]");
    expect(write({ messages: [user("x", { ...opaque, weight: "auxiliary" })] }).dropped).toEqual([
      "input[]",
    ]);
    expect(messages([user({ ...opaque, weight: "essential", text: "said" })])).toEqual([
      { role: "user", content: "said" },
    ]);
  });

  it("report cache breakpoints", () => {
    const cache = { path: "system[].cache_control" };
    const marked = write({
      messages: [instruction({ kind: "text", text: "x", cache }), user("hi")],
    });
    expect(marked.dropped).toEqual([cache.path]);
    expect(JSON.stringify(marked.body)).not.toContain("cache_control");
  });

  it("have refusals as such only where they are known", () => {
    const said = [user("q"), assistant({ kind: "refusal", text: "no" })];
    expect(messages(said)).toMatchObject([{}, { content: null, refusal: "no" }]);
    expect(messages(said, { openAiFields: false })).toEqual([
      { role: "user", content: "q" },
      { role: "assistant", content: "no" },
    ]);
  });
});

describe("reasoning for a chat provider", () => {
  it("goes back to its maker as it was, and to no other", () => {
    const said = (kept: OpaqueState) =>
      write({ messages: [user("q"), assistant(thinking("hm", kept), "x")] });
    expect(said(state()).body["messages"]).toMatchObject([
      {},
      { content: "x", reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "s" }] },
    ]);
    const { origin: _, ...native } = state();
    for (const foreign of [state({ origin: "other" }), state({ format: "messages" }), native]) {
      const { body: written, dropped } = said(foreign);
      expect(written["messages"]).toEqual([
        { role: "user", content: "q" },
        { role: "assistant", content: "x" },
      ]);
      expect(dropped).toEqual([path]);
    }
  });

  it("is echoed in words only to servers that want it", () => {
    const said = [user("q"), assistant(thinking("hm"), call("a", "f"))];
    expect(messages(said, { reasoningEcho: true })).toMatchObject([
      {},
      { reasoning_content: "hm", tool_calls: [{}] },
      {},
    ]);
    expect(JSON.stringify(messages(said))).not.toContain("hm");
  });

  it("alone makes no message", () => {
    expect(messages([user("q"), assistant(thinking("hm")), user("r")])).toEqual([
      { role: "user", content: "q" },
      { role: "user", content: "r" },
    ]);
  });

  it("that belongs to a call stands at the call", () => {
    const extra = { google: { thought_signature: "sig" } };
    const kept = state({ type: "extra_content", data: JSON.stringify(extra) });
    for (const said of [
      assistant({ ...call("a", "f"), state: kept }),
      assistant(thinking("", kept), call("a", "f")),
    ]) {
      expect(messages([user("q"), said])).toMatchObject([
        {},
        { tool_calls: [{ id: "a", extra_content: extra }] },
        {},
      ]);
    }
  });

  it("is asked for with the nearest word that the model knows", () => {
    const asked = (reasoning: ModelRequest["reasoning"] & {}, traits: Partial<Traits> = {}) =>
      body({ reasoning }, traits)["reasoning_effort"];
    expect(asked({ effort: "low" })).toBe("low");
    expect(asked({ effort: "max" }, { efforts: ["low", "high"] })).toBe("high");
    expect(asked({ mode: "budget", budget: 4096 })).toBe("medium");
    expect(asked({ mode: "off" })).toBe("none");
  });

  it("is not asked for where there is no word for it, which is reported", () => {
    const asked = { reasoning: { effort: "low" }, paths: { reasoning: "reasoning.effort" } };
    for (const traits of [{ openAiFields: false }, { reasoning: "none" as const }]) {
      expect(write(asked, traits).body).not.toHaveProperty("reasoning_effort");
      expect(write(asked, traits).dropped).toEqual(["reasoning.effort"]);
    }
  });
});

describe("tools for a chat provider", () => {
  it("are functions with legal names, which come back as they were", () => {
    const { body: written, names } = write({
      tools: [tool("run", { namespace: "agents", description: "d", strict: true }), tool("a b")],
    });
    expect(written["tools"]).toEqual([
      {
        type: "function",
        function: { name: "agents__run", description: "d", parameters: schema, strict: true },
      },
      { type: "function", function: { name: "a_b", parameters: schema } },
    ]);
    expect(names.fromWire("agents__run")).toMatchObject({ name: "run", namespace: "agents" });
    expect(names.fromWire("a_b")).toMatchObject({ name: "a b" });
  });

  it("have properties in every object schema, and no schema where there is none", () => {
    const { schema: _, ...bare } = tool("g") as Tool & { kind: "function" };
    expect(body({ tools: [tool("f", { schema: { type: "object" } }), bare] })["tools"]).toEqual([
      { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
      { type: "function", function: { name: "g" } },
    ]);
  });

  it("are freeform where that is known, else functions with the grammar in words", () => {
    const grammar = { type: "grammar", syntax: "lark", definition: "start: X" };
    const custom: Tool = {
      kind: "custom",
      name: "patch",
      description: "d",
      grammar,
      path: "tools[]",
    };
    const past = { ...call("a", "patch"), call: "custom" as const, input: "raw" };
    const members = { tools: [custom], messages: [assistant(past)] };
    expect(body(members, { customTools: true })).toMatchObject({
      tools: [
        {
          type: "custom",
          custom: {
            name: "patch",
            format: { type: "grammar", grammar: { syntax: "lark", definition: "start: X" } },
          },
        },
      ],
      messages: [{ tool_calls: [{ type: "custom", custom: { name: "patch", input: "raw" } }] }, {}],
    });
    const { body: plain, names } = write(members);
    expect(plain).toMatchObject({
      tools: [{ type: "function", function: { name: "patch", description: "d" } }],
    });
    expect(JSON.stringify(plain["tools"])).toContain("start: X");
    expect(JSON.stringify(plain["messages"])).toContain(JSON.stringify('{"input":"raw"}'));
    expect(names.fromWire("patch").call).toBe("custom");
  });

  it("that are deferred are offered once the conversation loaded them", () => {
    const deferred = tool("late", { deferred: true });
    expect(write({ tools: [tool("f"), deferred] })).toMatchObject({
      body: { tools: [{ function: { name: "f" } }] },
      dropped: ["tools[]"],
    });
    const loaded = [
      assistant(call("a", "f")),
      user(result("a", { kind: "reference", tool: "late" })),
    ];
    expect(body({ tools: [tool("f"), deferred], messages: loaded })).toMatchObject({
      tools: [{}, { function: { name: "late" } }],
      messages: [{}, { role: "tool", content: expect.stringContaining("late") }],
    });
  });

  it("are chosen in chat's words", () => {
    const tools = [tool("f"), tool("g")];
    const choice = (asked: ModelRequest["choice"] & {}, traits: Partial<Traits> = {}) =>
      body({ tools, choice: asked }, traits)["tool_choice"];
    expect(choice({ type: "required" })).toBe("required");
    expect(choice({ type: "none" })).toBe("none");
    expect(choice({ type: "tool", name: "f" })).toEqual({
      type: "function",
      function: { name: "f" },
    });
    expect(choice({ type: "allowed", mode: "auto", names: ["g"] })).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "g" } }] },
    });
    expect(
      body(
        { tools, choice: { type: "allowed", mode: "required", names: ["g"] } },
        { openAiFields: false },
      ),
    ).toMatchObject({
      tool_choice: "required",
      tools: [{ function: { name: "g" } }],
    });
  });

  it("that do not exist take the choice and the parallel switch with them", () => {
    const written = body({ tools: [], choice: { type: "auto" }, parallelTools: false });
    for (const name of ["tools", "tool_choice", "parallel_tool_calls"])
      expect(written).not.toHaveProperty(name);
  });

  it("of the provider's own are left out and reported, web search aside", () => {
    const hosted = (type: string, means?: "web_search"): Tool => ({
      kind: "hosted",
      format: "responses",
      type,
      raw: { type },
      path: "tools[]",
      ...(means && { means }),
    });
    expect(write({ tools: [hosted("code_interpreter"), tool("f")] })).toMatchObject({
      body: { tools: [{}] },
      dropped: ["tools[]"],
    });
    const search = { tools: [hosted("web_search", "web_search")] };
    expect(body(search, { webSearch: true })).toMatchObject({ web_search_options: {} });
    expect(body(search)).not.toHaveProperty("web_search_options");
    expect(
      refusal({
        tools: [tool("f")],
        choice: { type: "hosted", raw: {} },
        paths: { choice: "tool_choice" },
      }),
    ).toContain("tool_choice");
  });
});

describe("settings for a chat provider", () => {
  it("have the server's own name for the limit, and usage is asked for in streams", () => {
    expect(body({ maxOutput: 5 })).toMatchObject({
      model: "m",
      max_tokens: 5,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(
      body(
        { maxOutput: 5 },
        { maxTokensField: "max_completion_tokens", minOutput: 16, streamUsage: false },
      ),
    ).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hello" }],
      stream: true,
      max_completion_tokens: 16,
    });
  });

  it("keep zeros and stay in the model's range", () => {
    expect(body({ sampling: { temperature: 0, topP: 0, seed: 0 } })).toMatchObject({
      temperature: 0,
      top_p: 0,
      seed: 0,
    });
    expect(body({ sampling: { temperature: 1.8 } }, { maxTemperature: 1 })).toMatchObject({
      temperature: 1,
    });
  });

  it("that the server does not know are left out and reported", () => {
    const members: Partial<ModelRequest> = {
      stop: ["x"],
      sampling: { temperature: 1, topK: 5 },
      verbosity: "low",
      user: "u",
      store: true,
      metadata: { a: "b" },
      serviceTier: "flex",
      cacheKey: "k",
      paths: {
        stop: "stop_sequences",
        temperature: "temperature",
        topK: "top_k",
        verbosity: "text.verbosity",
        user: "metadata.user_id",
        store: "store",
        metadata: "metadata",
        serviceTier: "service_tier",
        cacheKey: "prompt_cache_key",
      },
    };
    const { body: written, dropped } = write(members, {
      noStop: true,
      sampling: "none",
      openAiFields: false,
      cacheKey: false,
      streamUsage: false,
    });
    expect(Object.keys(written).toSorted()).toEqual(["messages", "model", "stream"]);
    expect(dropped.toSorted()).toEqual(Object.values(members.paths ?? {}).toSorted());
    expect(write(members, { extraSampling: ["topK"] }).dropped).toEqual([]);
  });

  it("has no top_k unless the server is known to take it: OpenAI refuses it", () => {
    const members: Partial<ModelRequest> = { sampling: { topK: 5 }, paths: { topK: "top_k" } };
    expect(body(members)).not.toHaveProperty("top_k");
    expect(write(members).dropped).toEqual(["top_k"]);
    expect(body(members, { extraSampling: ["topK"] })).toHaveProperty("top_k", 5);
  });

  it("of OpenAI's own go where they are known, else vanish without a header", () => {
    const members: Partial<ModelRequest> = {
      openaiOnly: { modalities: ["text"], prediction: { type: "content" } },
    };
    expect(body(members)).toMatchObject({ modalities: ["text"], prediction: { type: "content" } });
    const { body: written, dropped, quiet } = write(members, { openAiFields: false });
    expect(written).not.toHaveProperty("modalities");
    expect(dropped).toEqual([]);
    expect(quiet.toSorted()).toEqual(["modalities", "prediction"]);
  });

  it("hold the shape of the output, with a name", () => {
    const output = { type: "schema", schema: { type: "object" } } as const;
    expect(body({ output })["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "output", schema: { type: "object" } },
    });
    expect(
      body({ output: { ...output, name: "a b", strict: true } })["response_format"],
    ).toMatchObject({
      json_schema: { name: "a_b", strict: true },
    });
    expect(body({ output: { type: "json" } })["response_format"]).toEqual({ type: "json_object" });
    const poor = write({ output, paths: { output: "text.format" } }, { schemaOutput: false });
    expect(poor.body["response_format"]).toEqual({ type: "json_object" });
    expect(poor.dropped).toEqual(["text.format"]);
  });

  it("shorten a user that OpenAI would refuse, always to the same", () => {
    const long = "u".repeat(100);
    const [one, two] = [body({ user: long })["user"], body({ user: long })["user"]];
    expect(one).toBe(two);
    expect(String(one).length).toBeLessThanOrEqual(64);
  });

  it("name everything that the reader had no room for", () => {
    expect(write({ unsupported: ["thinking.display"] }).dropped).toEqual(["thinking.display"]);
  });
});

describe("a chat request read and written again", () => {
  it("says the same", () => {
    const request: JsonObject = {
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: [{ type: "text", text: "q" }, pngPart], name: "ann" },
        {
          role: "assistant",
          content: "a",
          tool_calls: [
            { id: "1", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          ],
        },
        { role: "tool", tool_call_id: "1", content: "r" },
        { role: "assistant", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "f", description: "d", parameters: schema } }],
      tool_choice: "auto",
      parallel_tool_calls: false,
      max_tokens: 9,
      temperature: 0.5,
      stop: ["x"],
      seed: 4,
      response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
      reasoning_effort: "low",
      user: "u",
      stream: true,
      stream_options: { include_usage: true },
    };
    const written = chat.provider.writeRequest(chat.client.readRequest(request), target("chat"));
    expect(written.body).toEqual(request);
    expect(written.dropped).toEqual([]);
    expect(written.quiet).toEqual([]);
  });
});
