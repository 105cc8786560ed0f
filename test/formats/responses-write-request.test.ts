import { describe, expect, it } from "vitest";
import type { Traits } from "../../src/core/model.ts";
import { Problem } from "../../src/core/problem.ts";
import type { Block, MediaBlock, OpaqueState, Tool, ModelRequest } from "../../src/core/request.ts";
import { responses } from "../../src/formats/responses/index.ts";
import { asArray, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import { assistant, call, instruction, result, target, turn, user } from "../kit/neutral.ts";

const write = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}) =>
  responses.provider.writeRequest(turn(members), target("responses", traits));
const body = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}): JsonObject =>
  write(members, traits).body;
const input = (...messages: ModelRequest["messages"]): JsonValue[] =>
  asArray(body({ messages })["input"]);

function refusal(members: Partial<ModelRequest>, traits: Partial<Traits> = {}): string {
  try {
    write(members, traits);
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

const path = "messages[].content[]";
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
const state = (data: string, origin = "lab"): OpaqueState => ({
  format: "responses",
  origin,
  type: "encrypted_content",
  data,
});
const schema = { type: "object", properties: { a: { type: "string" } } };
const tool = (name: string, more: Partial<Tool & { kind: "function" }> = {}): Tool => ({
  kind: "function",
  name,
  schema,
  path: "tools[]",
  ...more,
});
const message = (role: string, ...content: JsonObject[]): JsonObject => ({
  type: "message",
  role,
  content,
});
const inputText = (text: string): JsonObject => ({ type: "input_text", text });
const outputText = (text: string): JsonObject => ({ type: "output_text", text, annotations: [] });

describe("the conversation for a Responses provider", () => {
  it("keeps instructions in their place and voice; the client's own field is `instructions`", () => {
    const messages: ModelRequest["messages"] = [
      { ...instruction("top", "more"), top: true },
      instruction("first"),
      user("hi"),
      { role: "instruction", voice: "developer", blocks: [{ kind: "text", text: "late" }] },
      user("go"),
    ];
    expect(body({ messages })).toMatchObject({
      instructions: "top\n\nmore",
      input: [
        message("system", inputText("first")),
        message("user", inputText("hi")),
        message("developer", inputText("late")),
        message("user", inputText("go")),
      ],
    });
  });

  it("instructions alone are the input", () => {
    expect(body({ messages: [{ ...instruction("only"), top: true }] })).toMatchObject({
      input: [message("user", inputText("only"))],
    });
  });

  it("says text, calls and results as items in order, without item ids", () => {
    expect(
      input(user("hi"), assistant("I look", call("a", "f", { x: 1 }), call("b", "g")), {
        role: "user",
        blocks: [result("a", "one", "two"), result("b"), { kind: "text", text: "and?" }],
      }),
    ).toEqual([
      message("user", inputText("hi")),
      message("assistant", outputText("I look")),
      { type: "function_call", call_id: "a", name: "f", arguments: '{"x":1}' },
      { type: "function_call", call_id: "b", name: "g", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "one\ntwo" },
      { type: "function_call_output", call_id: "b", output: "" },
      message("user", inputText("and?")),
    ]);
  });

  it("a result with pictures is an array of parts, a failed one says that it failed", () => {
    const png = media("image", { type: "bytes", mime: "image/png", data: "AAAA" });
    const failed: Block = { ...result("b", "disk is full"), isError: true };
    const said: Block = { ...result("c", "Error: no"), isError: true };
    const written = write({
      messages: [
        assistant(call("a", "f"), call("b", "f"), call("c", "f")),
        user(result("a", "see", png), failed, said),
      ],
    });
    expect(asArray(written.body["input"]).slice(3)).toEqual([
      {
        type: "function_call_output",
        call_id: "a",
        output: [
          inputText("see"),
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
        ],
      },
      { type: "function_call_output", call_id: "b", output: "Error: disk is full" },
      { type: "function_call_output", call_id: "c", output: "Error: no" },
    ]);
    expect(written.dropped).toEqual([]);
  });

  it("media keep bytes, URL, name and detail", () => {
    expect(
      input(
        user(
          media("image", { type: "url", url: "https://x/y" }, { detail: "low" }),
          media(
            "document",
            { type: "bytes", mime: "application/pdf", data: "BB==" },
            { name: "a.pdf" },
          ),
          media("document", { type: "url", url: "https://x/a.pdf" }),
          media("document", { type: "text", text: "words" }, { name: "T" }),
          media("audio", { type: "bytes", mime: "audio/wav", data: "CC==" }),
        ),
      ),
    ).toEqual([
      message(
        "user",
        { type: "input_image", image_url: "https://x/y", detail: "low" },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BB==" },
        { type: "input_file", file_url: "https://x/a.pdf" },
        inputText("T\nwords"),
        { type: "input_audio", input_audio: { data: "CC==", format: "wav" } },
      ),
    ]);
  });

  it.each<[string, Block]>([
    ["a file id of another provider", media("image", { type: "file", id: "file-1" })],
    ["video", media("video", { type: "bytes", mime: "video/mp4", data: "" })],
    ["audio that it cannot name", media("audio", { type: "bytes", mime: "audio/flac", data: "" })],
    [
      "what only another dialect could continue",
      {
        kind: "opaque",
        format: "messages",
        type: "container_upload",
        raw: {},
        weight: "essential",
        path,
      },
    ],
  ])("%s is refused by its place", (_, block) => {
    expect(refusal({ messages: [user(block)] }).startsWith(`${path}:`)).toBe(true);
  });

  it("its own reasoning state goes back, everybody else's is left out and listed", () => {
    const written = write({
      messages: [
        user("hi"),
        assistant(
          { kind: "thinking", text: "hm", state: state("s1"), path },
          { kind: "thinking", text: "no", state: state("s2", "elsewhere"), path },
          { kind: "thinking", text: "no", state: { ...state("s3"), format: "gemini" }, path },
          "x",
        ),
      ],
    });
    expect(asArray(written.body["input"]).slice(1)).toEqual([
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "s1",
      },
      message("assistant", outputText("x")),
    ]);
    expect(written.dropped).toEqual([path]);
    expect(written.body["include"]).toEqual(["reasoning.encrypted_content"]);
  });

  it("traces of another service's tools are left out and listed, unless they say something in words", () => {
    const opaque = (more: Partial<Block & { kind: "opaque" }>): Block => ({
      kind: "opaque",
      format: "messages",
      type: "t",
      raw: {},
      weight: "auxiliary",
      path: "p",
      ...more,
    });
    const written = write({
      messages: [
        user("hi"),
        assistant(opaque({}), opaque({ weight: "essential", text: "words", path: "q" })),
      ],
    });
    expect(asArray(written.body["input"])[1]).toEqual(message("assistant", outputText("words")));
    expect(written.dropped).toEqual(["p", "q"]);
  });

  it("call ids are shortened to what the service takes, on both sides alike", () => {
    const id = "x".repeat(90);
    const [, made, answered] = input(user("hi"), assistant(call(id, "f")), user(result(id, "ok")));
    const ids = [made, answered].map((item) => (item as JsonObject)["call_id"]);
    expect(ids[0]).toBe(ids[1]);
    expect(String(ids[0]).length).toBeLessThanOrEqual(64);
  });
});

describe("tools for a Responses provider", () => {
  it("are not strict unless the client said so, and object schemas are complete", () => {
    expect(
      body({
        tools: [
          tool("f"),
          tool("g", { strict: true }),
          { kind: "function", name: "h", path: "tools[]" },
        ],
      })["tools"],
    ).toEqual([
      { type: "function", name: "f", parameters: schema, strict: false },
      { type: "function", name: "g", parameters: schema, strict: true },
      {
        type: "function",
        name: "h",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
    ]);
  });

  const custom: Tool = {
    kind: "custom",
    name: "patch",
    grammar: { type: "grammar", syntax: "lark", definition: "x" },
    path: "tools[]",
  };
  const patched: ModelRequest["messages"] = [
    user("hi"),
    assistant({ kind: "call", id: "a", name: "patch", call: "custom", input: 'say "x"' }),
    user({ ...result("a", "done"), call: "custom" }),
  ];

  it("freeform tools stay what they are where they are known, else they are functions of one text", () => {
    const native = body({
      tools: [custom],
      messages: patched,
      choice: { type: "tool", name: "patch", custom: true },
    });
    expect(native).toMatchObject({
      tools: [{ type: "custom", name: "patch", format: custom.grammar }],
      tool_choice: { type: "custom", name: "patch" },
      input: [
        {},
        { type: "custom_tool_call", call_id: "a", name: "patch", input: 'say "x"' },
        { type: "custom_tool_call_output", call_id: "a", output: "done" },
      ],
    });
    const plain = write({ tools: [custom], messages: patched }, { customTools: false });
    expect(plain.body).toMatchObject({
      tools: [{ type: "function", name: "patch", parameters: { required: ["input"] } }],
      input: [
        {},
        { type: "function_call", arguments: '{"input":"say \\"x\\""}' },
        { type: "function_call_output", output: "done" },
      ],
    });
    expect(plain.names.fromWire("patch")).toEqual({ name: "patch", call: "custom" });
  });

  it("namespaces stay, or are flattened and restored", () => {
    const tools = [
      tool("spawn", { namespace: "agents" }),
      tool("wait", { namespace: "agents" }),
      tool("wait"),
    ];
    expect(body({ tools })["tools"]).toMatchObject([
      { type: "namespace", name: "agents", tools: [{ name: "spawn" }, {}] },
      { type: "function", name: "wait" },
    ]);
    const flat = write({ tools }, { namespaces: false });
    expect(flat.body["tools"]).toMatchObject([
      { name: "agents__spawn" },
      { name: "agents__wait" },
      { name: "wait" },
    ]);
    expect(flat.names.fromWire("agents__wait")).toEqual({
      name: "wait",
      namespace: "agents",
      call: "function",
    });
  });

  it("a deferred tool is offered once it was loaded", () => {
    const tools = [tool("a", { deferred: true }), tool("b", { deferred: true }), tool("c")];
    const loaded = assistant(call("s", "search"));
    const written = write({
      tools,
      messages: [user("hi"), loaded, user(result("s", { kind: "reference", tool: "b" }))],
    });
    expect(asArray(written.body["tools"]).map((entry) => (entry as JsonObject)["name"])).toEqual([
      "b",
      "c",
    ]);
    expect(asArray(written.body["input"]).at(-1)).toMatchObject({ output: "Loaded tools: b" });
    expect(written.dropped).toEqual(["tools[].defer_loading"]);
    const search: Tool = {
      kind: "hosted",
      format: "messages",
      type: "tool_search_tool_regex",
      raw: {},
      path: "tools[]",
    };
    expect(asArray(body({ tools: [...tools, search] })["tools"])).toHaveLength(3);
  });

  const search = (raw: JsonObject): Tool => ({
    kind: "hosted",
    format: "messages",
    type: "web_search_20250305",
    means: "web_search",
    raw,
    path: "tools[]",
  });

  it("a search tool of another dialect is the service's own, with what both can say", () => {
    const raw = {
      type: "web_search_20250305",
      name: "web_search",
      max_uses: 3,
      allowed_domains: ["x.org"],
      user_location: { type: "approximate", city: "Bern" },
    };
    const written = write({
      tools: [search(raw)],
      choice: { type: "hosted", raw: { type: "tool", name: "web_search" } },
    });
    expect(written.body).toMatchObject({
      tools: [
        {
          type: "web_search",
          filters: { allowed_domains: ["x.org"] },
          user_location: { type: "approximate", city: "Bern" },
        },
      ],
      tool_choice: { type: "web_search" },
    });
    expect(written.dropped).toEqual(["tools[].max_uses"]);
  });

  it("other hosted tools are left out by name; being forced to use one is refused", () => {
    const hosted: Tool = {
      kind: "hosted",
      format: "messages",
      type: "bash_20250124",
      raw: {},
      path: "tools[]",
    };
    const written = write({ tools: [hosted] });
    expect(written.body).not.toHaveProperty("tools");
    expect(written.dropped).toEqual(["tools[]"]);
    const choice = { type: "hosted", raw: { type: "tool", name: "bash" } } as const;
    expect(
      refusal({ tools: [hosted, tool("f")], choice, paths: { choice: "tool_choice" } }),
    ).toMatch(/^tool_choice:/);
  });

  it("without tools there is no choice and nothing to run in parallel", () => {
    const written = body({ choice: { type: "auto" }, parallelTools: false });
    expect(written).not.toHaveProperty("tool_choice");
    expect(written).not.toHaveProperty("parallel_tool_calls");
  });

  it.each<[ModelRequest["choice"], JsonValue]>([
    [{ type: "required" }, "required"],
    [
      { type: "tool", name: "f" },
      { type: "function", name: "f" },
    ],
    [
      { type: "allowed", mode: "auto", names: ["f"] },
      { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
    ],
  ])("the choice %j keeps its meaning", (choice, wire) => {
    expect(
      body({ tools: [tool("f")], parallelTools: false, ...(choice && { choice }) }),
    ).toMatchObject({ tool_choice: wire, parallel_tool_calls: false });
  });
});

describe("fields for a Responses provider", () => {
  it("nothing is stored unless asked for, and the least limit is the service's", () => {
    expect(body({ maxOutput: 1 })).toMatchObject({
      store: false,
      max_output_tokens: 16,
      stream: true,
      model: "m",
    });
    expect(body({ store: true, maxOutput: 99 })).toMatchObject({
      store: true,
      max_output_tokens: 99,
    });
  });

  it("what it has no words for is listed under the client's names, and several answers are refused", () => {
    const paths = {
      stop: "stop",
      seed: "seed",
      topK: "top_k",
      frequencyPenalty: "frequency_penalty",
      n: "n",
    };
    const written = write({
      stop: ["x"],
      sampling: { seed: 1, topK: 2, frequencyPenalty: 0, n: 1, temperature: 0 },
      paths,
      unsupported: ["logit_thing"],
    });
    expect(written.dropped.toSorted()).toEqual([
      "frequency_penalty",
      "logit_thing",
      "seed",
      "stop",
      "top_k",
    ]);
    expect(written.body["temperature"]).toBe(0);
    expect(refusal({ sampling: { n: 2 }, paths })).toMatch(/^n:/);
  });

  it("a model without sampling gets none", () => {
    const written = write(
      {
        sampling: { temperature: 1, topP: 1 },
        paths: { temperature: "temperature", topP: "top_p" },
      },
      { sampling: "none" },
    );
    expect(written.body).not.toHaveProperty("temperature");
    expect(written.dropped.toSorted()).toEqual(["temperature", "top_p"]);
  });

  it.each<[ModelRequest["reasoning"], JsonValue | undefined]>([
    [{ effort: "xhigh" }, { effort: "high" }],
    [
      { budget: 20_000, mode: "budget" },
      { effort: "high", summary: "auto" },
    ],
    [{ mode: "adaptive", summary: "omitted" }, { effort: "high" }],
    [{ mode: "off" }, { effort: "low" }],
    [
      { effort: "low", summary: "detailed" },
      { effort: "low", summary: "detailed" },
    ],
  ])("reasoning %j is %j for a model that knows low to high", (reasoning, wire) => {
    expect(
      body({ ...(reasoning && { reasoning }) }, { efforts: ["low", "medium", "high"] })[
        "reasoning"
      ],
    ).toEqual(wire);
  });

  it("chat's effort is translated, or left out without a trace in the header", () => {
    const asked: Partial<ModelRequest> = {
      reasoning: { effort: "low" },
      paths: { reasoning: "reasoning_effort" },
      openaiOnly: { reasoning_effort: "low", prediction: {} },
    };
    expect(write(asked)).toMatchObject({
      body: { reasoning: { effort: "low" } },
      dropped: [],
      quiet: ["prediction"],
    });
    expect(write(asked, { reasoning: "none" })).toMatchObject({
      dropped: [],
      quiet: ["reasoning_effort", "prediction"],
    });
  });

  it("structured output is flat and has a name", () => {
    expect(body({ output: { type: "schema", schema }, format: "messages" })["text"]).toEqual({
      format: { type: "json_schema", name: "response", schema, strict: true },
    });
    expect(
      body({ output: { type: "schema", name: "a b", schema, strict: false }, verbosity: "low" })[
        "text"
      ],
    ).toEqual({
      format: { type: "json_schema", name: "a_b", schema, strict: false },
      verbosity: "low",
    });
    expect(body({ output: { type: "json" } })["text"]).toEqual({ format: { type: "json_object" } });
  });

  it("cache breakpoints and too long user names are listed", () => {
    const cached: Block = {
      kind: "text",
      text: "x",
      cache: { path: "messages[].content[].cache_control" },
    };
    const written = write({
      messages: [user(cached)],
      user: "u".repeat(65),
      paths: { user: "metadata.user_id" },
      cacheKey: "k",
    });
    expect(written.dropped.toSorted()).toEqual([
      "messages[].content[].cache_control",
      "metadata.user_id",
    ]);
    expect(written.body["prompt_cache_key"]).toBe("k");
  });
});

describe("a Responses request that is read and written again", () => {
  it("says the same", () => {
    const request: JsonObject = {
      model: "m",
      stream: true,
      store: false,
      instructions: "be brief",
      input: [
        message("user", inputText("hi"), {
          type: "input_image",
          image_url: "https://x/y",
          detail: "high",
        }),
        { ...message("assistant", outputText("I look")), phase: "commentary" },
        {
          type: "function_call",
          call_id: "a",
          name: "spawn",
          namespace: "agents",
          arguments: "{}",
        },
        { type: "custom_tool_call", call_id: "b", name: "patch", input: "x" },
        { type: "function_call_output", call_id: "a", output: "1" },
        { type: "custom_tool_call_output", call_id: "b", output: "2" },
        message("developer", inputText("now")),
      ],
      tools: [
        {
          type: "namespace",
          name: "agents",
          description: "agents",
          tools: [{ type: "function", name: "spawn", parameters: schema, strict: false }],
        },
        { type: "custom", name: "patch", description: "p", format: { type: "text" } },
        { type: "function", name: "f", description: "d", parameters: schema, strict: true },
      ],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: "low", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      text: { format: { type: "json_schema", name: "n", schema, strict: true }, verbosity: "low" },
      metadata: { a: "b" },
      user: "u",
      service_tier: "flex",
      prompt_cache_key: "k",
      previous_response_id: "resp_1",
    };
    expect(
      responses.provider.writeRequest(responses.client.readRequest(request), target("responses"))
        .body,
    ).toEqual(request);
  });
});
