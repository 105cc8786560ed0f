import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import type { Traits } from "../../src/core/model.ts";
import type { Block, Reasoning, Tool, ModelRequest } from "../../src/core/request.ts";
import { messages } from "../../src/formats/messages/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { assistant, call, instruction, result, target, turn, user } from "../kit/neutral.ts";

const written = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}) =>
  messages.provider.writeRequest(turn(members), target("messages", traits));

const body = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}): JsonObject =>
  written(members, traits).body;

/** Messages as `role: types of their blocks`. */
function shape(value: JsonValue | undefined): string[] {
  return list(value).map((message) => {
    const types = list(message["content"]).map((part) => String(part["type"]));
    return `${String(message["role"])}: ${types.join(" ")}`;
  });
}

function list(value: JsonValue | undefined): JsonObject[] {
  // Every list that these tests look at holds objects.
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return `${error.marker} ${error.message}`;
    throw error;
  }
  return "accepted";
}

const tool = (name: string, more: Partial<Tool & { kind: "function" }> = {}): Tool => ({
  kind: "function",
  name,
  path: "tools[]",
  ...more,
});

const state = (type: string, data: string, origin = "lab") =>
  ({ format: "messages", origin, type, data }) as const;
const thought = (text: string, type = "signature", origin = "lab"): Block => ({
  kind: "thinking",
  text,
  state: state(type, `sig-${text}`, origin),
  path: "messages[].reasoning",
});

describe("messages for an Anthropic provider", () => {
  it("begin with the instructions as system blocks, in their order", () => {
    const out = body({ messages: [instruction("a", "b"), instruction("c"), user("hello")] });
    expect(out["system"]).toEqual(["a", "b", "c"].map((text) => ({ type: "text", text })));
    expect(shape(out["messages"])).toEqual(["user: text"]);
  });

  it("ask what the last instruction says when there is nothing else", () => {
    const out = body({ messages: [instruction("a"), instruction("b")] });
    expect(out["system"]).toEqual([{ type: "text", text: "a" }]);
    expect(out["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "b" }] }]);
  });

  const later = [user("a"), instruction("new rule"), assistant("b"), user("c")];
  it("keep later instructions in place, as such where the model takes them", () => {
    expect(shape(body({ messages: later }, { systemInTurns: true })["messages"])).toEqual([
      "user: text",
      "system: text",
      "assistant: text",
      "user: text",
    ]);
  });

  it("keep them in place as marked text of the user elsewhere", () => {
    const out = body({ messages: later });
    expect(shape(out["messages"])).toEqual(["user: text text", "assistant: text", "user: text"]);
    expect(list(list(out["messages"])[0]?.["content"])[1]?.["text"]).toBe(
      "<system>\nnew rule\n</system>",
    );
    expect(out["system"]).toBeUndefined();
  });

  it("never say an instruction right after the model's words as such", () => {
    const out = body(
      { messages: [user("a"), assistant("b"), instruction("c")] },
      { systemInTurns: true },
    );
    expect(shape(out["messages"])).toEqual(["user: text", "assistant: text", "user: text"]);
  });

  it("begin with the user, hold no blank text and do not end in blanks", () => {
    const out = body({
      messages: [assistant("hi", "  "), user(" \n"), user("go"), assistant("so ")],
    });
    expect(shape(out["messages"])).toEqual([
      "user: text",
      "assistant: text",
      "user: text",
      "assistant: text",
    ]);
    expect(list(out["messages"]).at(-1)?.["content"]).toEqual([{ type: "text", text: "so" }]);
  });

  it("are never empty", () => {
    expect(shape(body({ messages: [user("  ")] })["messages"])).toEqual(["user: text"]);
  });

  it("put results first, in the order of their calls, and answer every call", () => {
    const out = body({
      messages: [
        user("a"),
        assistant(call("c1", "f"), call("c2", "f"), call("c3", "f")),
        user("and", result("c2", "two"), result("c1", "one")),
      ],
    });
    expect(shape(out["messages"])).toEqual([
      "user: text",
      "assistant: tool_use tool_use tool_use",
      "user: tool_result tool_result tool_result text",
    ]);
    expect(list(list(out["messages"])[2]?.["content"]).map((part) => part["tool_use_id"])).toEqual([
      "c1",
      "c2",
      "c3",
      undefined,
    ]);
  });

  it.each<[string, JsonObject]>([
    ["", {}],
    ['{"a":1}', { a: 1 }],
    ["[1]", { value: [1] }],
    ["7", { value: 7 }],
    ['{"a":', { _raw: '{"a":' }],
  ])("give a call with the arguments %j an object as input", (input, expected) => {
    const use = { ...call("c", "f"), input };
    const out = body({ messages: [user("a"), assistant(use), user(result("c", "r"))] });
    expect(list(list(out["messages"])[1]?.["content"])[0]?.["input"]).toEqual(expected);
  });

  it("let a failed result say something", () => {
    const failed = { ...result("c"), isError: true };
    const out = body({ messages: [user("a"), assistant(call("c", "f")), user(failed)] });
    expect(list(list(out["messages"])[2]?.["content"])[0]).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/\S/),
    });
  });

  it("hold images and documents, inside results too", () => {
    const path = "messages[].content[]";
    const png: Block = {
      kind: "media",
      media: "image",
      source: { type: "bytes", mime: "image/jpg", data: "AA==" },
      path,
    };
    const pdf: Block = {
      kind: "media",
      media: "image",
      source: { type: "bytes", mime: "application/pdf", data: "JVBERi0x" },
      path,
    };
    const csv: Block = {
      kind: "media",
      media: "document",
      source: { type: "bytes", mime: "text/csv", data: btoa("a,b") },
      name: "t.csv",
      path,
    };
    const out = body({
      messages: [user(png, pdf), assistant(call("c", "f")), user(result("c", csv))],
    });
    expect(list(out["messages"])[0]?.["content"]).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AA==" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBERi0x" },
      },
    ]);
    expect(list(list(out["messages"])[2]?.["content"])[0]?.["content"]).toEqual([
      {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "a,b" },
        title: "t.csv",
      },
    ]);
  });

  it("refuse by name what would be lost: sound, foreign files, foreign kinds of documents", () => {
    const path = "messages[].content[]";
    const media = (block: Partial<Block & { kind: "media" }>) => {
      const whole: Block = {
        kind: "media",
        media: "image",
        source: { type: "file", id: "f" },
        path,
        ...block,
      };
      return refusal(() => body({ messages: [user(whole)] }));
    };
    expect(media({})).toContain(`M300 ${path}:`);
    expect(
      media({ media: "audio", source: { type: "bytes", mime: "audio/wav", data: "AA==" } }),
    ).toContain(path);
    expect(
      media({
        media: "document",
        source: { type: "bytes", mime: "application/zip", data: "AA==" },
      }),
    ).toContain(path);
    const upload: Block = {
      kind: "opaque",
      format: "responses",
      type: "computer_call",
      raw: {},
      weight: "essential",
      path: "input[]",
    };
    expect(refusal(() => body({ messages: [user(upload)] }))).toContain("M300 input[]:");
  });

  it("leave out and name what only another dialect knows", () => {
    const trace: Block = {
      kind: "opaque",
      format: "responses",
      type: "web_search_call",
      raw: {},
      weight: "auxiliary",
      path: "input[]",
    };
    const out = written({ messages: [user("a"), assistant(trace, "b")] });
    expect(shape(out.body["messages"])).toEqual(["user: text", "assistant: text"]);
    expect(out.dropped).toContain("input[]");
  });
});

describe("thinking of earlier turns", () => {
  const conversation = (...said: Block[]) => [
    user("a"),
    assistant(...said, call("c", "f")),
    user(result("c", "r")),
  ];

  it("goes back to the connection that signed it, first in its turn", () => {
    const text: Block = { kind: "text", text: "words" };
    const out = body({ messages: conversation(text, thought("hm"), thought("x", "redacted")) });
    expect(list(list(out["messages"])[1]?.["content"]).slice(0, 3)).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig-hm" },
      { type: "redacted_thinking", data: "sig-x" },
      { type: "text", text: "words" },
    ]);
  });

  it("goes to nobody else, unsigned thinking to nobody", () => {
    const bare: Block = { kind: "thinking", text: "bare", path: "messages[].reasoning_content" };
    const native: Block = {
      ...bare,
      state: { format: "messages", type: "signature", data: "native" },
    };
    const out = written({
      messages: conversation(thought("hm", "signature", "other"), bare, native),
    });
    expect(shape(out.body["messages"])[1]).toBe("assistant: tool_use");
    expect(JSON.stringify(out.body)).not.toMatch(/sig-hm|bare|native/);
    expect(out.dropped).toEqual(
      expect.arrayContaining(["messages[].reasoning", "messages[].reasoning_content"]),
    );
  });
});

describe("asking an Anthropic model to think", () => {
  const paths = {
    reasoning: "reasoning.effort",
    temperature: "temperature",
    topK: "top_k",
    topP: "top_p",
  };
  const ask = (
    reasoning: Reasoning,
    traits: Partial<Traits> = {},
    more: Partial<ModelRequest> = {},
  ) => written({ reasoning, paths, maxOutput: 10_000, ...more }, traits);

  it("by a budget that leaves room for the answer", () => {
    const thinking = (reasoning: Reasoning, maxOutput: number) =>
      ask(reasoning, {}, { maxOutput }).body["thinking"];
    expect(thinking({ effort: "low" }, 10_000)).toEqual({ type: "enabled", budget_tokens: 1024 });
    expect(thinking({ effort: "max" }, 10_000)).toEqual({ type: "enabled", budget_tokens: 8000 });
    expect(thinking({ budget: 4000 }, 10_000)).toEqual({ type: "enabled", budget_tokens: 4000 });
    expect(thinking({ budget: 20_000 }, 10_000)).toEqual({ type: "enabled", budget_tokens: 9999 });
    expect(thinking({ budget: 100 }, 10_000)).toEqual({ type: "enabled", budget_tokens: 1024 });
    expect(thinking({ effort: "high" }, 1200)).toBeUndefined();
  });

  it("by a word that the model knows", () => {
    const adaptive = { reasoning: "adaptive", efforts: ["low", "medium", "high"] } as const;
    expect(ask({ effort: "xhigh", summary: "auto" }, adaptive).body).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
    });
    expect(ask({ budget: 3000 }, adaptive).body["output_config"]).toEqual({ effort: "medium" });
    expect(ask({ effort: "minimal" }, adaptive).body["output_config"]).toEqual({ effort: "low" });
  });

  it("not at all, if that is what is asked", () => {
    for (const reasoning of [{ effort: "none" }, { mode: "off" }, { budget: 0 }] as const) {
      expect(ask(reasoning).body["thinking"]).toEqual({ type: "disabled" });
      expect(ask(reasoning, { reasoning: "adaptive" }).body["output_config"]).toBeUndefined();
    }
  });

  it("is named as left out for a model that does not think", () => {
    const out = ask({ effort: "high" }, { reasoning: "none" });
    expect(out.body["thinking"]).toBeUndefined();
    expect(out.dropped).toContain("reasoning.effort");
  });

  it("excludes sampling", () => {
    const sampling = { temperature: 0.5, topK: 3, topP: 0.5 };
    const out = ask({ effort: "low" }, {}, { sampling });
    expect(out.body).not.toHaveProperty("temperature");
    expect(out.body).not.toHaveProperty("top_k");
    expect(out.dropped).toEqual(expect.arrayContaining(["temperature", "top_k", "top_p"]));
    expect(ask({ effort: "none" }, {}, { sampling }).body).toMatchObject({
      temperature: 0.5,
      top_k: 3,
      top_p: 0.5,
    });
  });

  it("gives way to a tool that is forced", () => {
    const forced: Partial<ModelRequest> = { tools: [tool("f")], choice: { type: "required" } };
    expect(ask({ effort: "high" }, {}, forced).body).not.toHaveProperty("thinking");
    const adaptive = ask({ effort: "high" }, { reasoning: "adaptive" }, forced).body;
    expect(adaptive).not.toHaveProperty("thinking");
    expect(adaptive["output_config"]).toEqual({ effort: "high" });
  });

  it("by a budget needs the provider's own signature on the turn that goes on", () => {
    const going = (...said: Block[]) => ({
      messages: [user("a"), assistant(...said, call("c", "f")), user(result("c", "r"))],
    });
    expect(ask({ effort: "high" }, {}, going()).body).not.toHaveProperty("thinking");
    expect(ask({ effort: "high" }, {}, going(thought("hm"))).body).toHaveProperty("thinking");
    expect(ask({ effort: "high" }, { reasoning: "adaptive" }, going()).body).toHaveProperty(
      "thinking",
    );
    const over = { messages: [...going().messages, assistant("done"), user("next")] };
    expect(ask({ effort: "high" }, {}, over).body).toHaveProperty("thinking");
  });

  it("leaves no trace in the header when chat's own field asked in vain", () => {
    const asked = {
      paths: { reasoning: "reasoning_effort" },
      openaiOnly: { reasoning_effort: "high" },
    };
    const vain = ask({ effort: "high" }, { reasoning: "none" }, asked);
    expect(vain.dropped).toEqual([]);
    expect(vain.quiet).toEqual(["reasoning_effort"]);
    expect(ask({ effort: "high" }, {}, asked).quiet).toEqual([]);
  });
});

describe("tools for an Anthropic model", () => {
  const tools = (...offered: Tool[]) => list(body({ tools: offered })["tools"]);

  it("have an object at the root of their schema", () => {
    const schemas = tools(
      tool("none"),
      tool("bare", { schema: { type: "object" } }),
      tool("either", {
        schema: {
          anyOf: [
            { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] },
            { type: "object", properties: { a: {}, c: {} }, required: ["a"] },
          ],
        },
      }),
      tool("pointed", {
        schema: { $ref: "#/$defs/x", $defs: { x: { type: "object", properties: { a: {} } } } },
      }),
    ).map((one) => one["input_schema"]);
    expect(schemas[0]).toEqual({ type: "object", properties: {} });
    expect(schemas[1]).toEqual({ type: "object", properties: {} });
    expect(schemas[2]).toEqual({
      type: "object",
      properties: { a: {}, b: {}, c: {} },
      required: ["a"],
    });
    expect(schemas[3]).toMatchObject({ type: "object", properties: { a: {} } });
  });

  it("are told apart when they take free text or stand in a namespace", () => {
    const out = written({
      tools: [
        { kind: "custom", name: "apply_patch", description: "edits", path: "tools[]" },
        tool("run", { namespace: "shell" }),
      ],
    });
    const [patch, run] = list(out.body["tools"]);
    expect(patch).toMatchObject({ name: "apply_patch", input_schema: { required: ["input"] } });
    expect(out.names.fromWire("apply_patch").call).toBe("custom");
    expect(out.names.fromWire(String(run?.["name"]))).toEqual({
      name: "run",
      namespace: "shell",
      call: "function",
    });
  });

  it("are strict only with a schema that the provider can enforce", () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: false,
    };
    const open = { type: "object", properties: { a: { type: "string", minLength: 2 } } };
    const out = written({
      tools: [
        tool("a", { schema: closed, strict: true }),
        tool("b", { schema: open, strict: true }),
      ],
    });
    expect(list(out.body["tools"]).map((one) => one["strict"])).toEqual([true, undefined]);
    expect(out.dropped).toEqual(["tools[].function.strict"]);
  });

  it.each<[NonNullable<ModelRequest["choice"]>, JsonObject]>([
    [{ type: "auto" }, { type: "auto" }],
    [{ type: "none" }, { type: "none" }],
    [{ type: "required" }, { type: "any" }],
    [
      { type: "tool", name: "a" },
      { type: "tool", name: "a" },
    ],
  ])("are chosen by %j", (choice, expected) => {
    expect(body({ tools: [tool("a")], choice })["tool_choice"]).toEqual(expected);
    const serial =
      expected["type"] === "none" ? expected : { ...expected, disable_parallel_tool_use: true };
    expect(body({ tools: [tool("a")], choice, parallelTools: false })["tool_choice"]).toEqual(
      serial,
    );
  });

  it("run one at a time without any choice", () => {
    expect(body({ tools: [tool("a")], parallelTools: false })["tool_choice"]).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
  });

  it("are fewer when only some are allowed, and take their choice with them when none is left", () => {
    const choice: NonNullable<ModelRequest["choice"]> = {
      type: "allowed",
      mode: "required",
      names: ["b"],
    };
    const out = body({ tools: [tool("a"), tool("b")], choice });
    expect(list(out["tools"]).map((one) => one["name"])).toEqual(["b"]);
    expect(out["tool_choice"]).toEqual({ type: "any" });
    expect(body({ tools: [], choice: { type: "auto" }, parallelTools: false })).not.toHaveProperty(
      "tool_choice",
    );
  });

  const search: Tool = {
    kind: "hosted",
    format: "responses",
    type: "web_search",
    means: "web_search",
    raw: {
      type: "web_search",
      filters: { allowed_domains: ["e.com"] },
      user_location: { type: "approximate", country: "DE" },
    },
    path: "tools[]",
  };

  it("search the web under Anthropic's name, where it is offered", () => {
    expect(tools(search)).toEqual([
      {
        type: "web_search_20250305",
        name: "web_search",
        allowed_domains: ["e.com"],
        user_location: { type: "approximate", country: "DE" },
      },
    ]);
    const without = written({ tools: [search, tool("a")] }, { webSearch: false });
    expect(list(without.body["tools"])).toHaveLength(1);
    expect(without.dropped).toEqual(["tools[]"]);
  });

  it("that are chosen but cannot be offered are refused", () => {
    const choice = { type: "hosted", raw: { type: "file_search" } } as const;
    const paths = { choice: "tool_choice" };
    expect(refusal(() => body({ tools: [tool("a")], choice, paths }))).toContain(
      "M300 tool_choice:",
    );
    const chosen = { type: "hosted", raw: { type: "web_search" } } as const;
    expect(body({ tools: [search], choice: chosen, paths })["tool_choice"]).toEqual({
      type: "tool",
      name: "web_search",
    });
  });
});

describe("settings for an Anthropic model", () => {
  it("always limit the answer", () => {
    const limit = (maxOutput: number | undefined, most?: number) =>
      messages.provider.writeRequest(turn(maxOutput === undefined ? {} : { maxOutput }), {
        ...target("messages"),
        ...(most !== undefined && { maxOutput: most }),
      }).body["max_tokens"];
    expect(limit(500)).toBe(500);
    expect(limit(undefined, 8192)).toBe(8192);
    expect(limit(50_000, 8192)).toBe(8192);
    expect(Number(limit(undefined))).toBeGreaterThan(4096);
  });

  it("hold the temperature that the model takes", () => {
    expect(body({ sampling: { temperature: 1.7 } })["temperature"]).toBe(1);
    expect(body({ sampling: { temperature: 0 } })["temperature"]).toBe(0);
    expect(body({ sampling: { temperature: 0 } }, { sampling: "none" })).not.toHaveProperty(
      "temperature",
    );
  });

  it("ask for a schema with closed objects and bounds in words", () => {
    const schema = {
      $schema: "x",
      type: "object",
      properties: {
        minimum: { type: "integer", minimum: 3 },
        deep: { items: { type: "object", properties: {} } },
      },
    };
    expect(body({ output: { type: "schema", schema, description: "d" } })["output_config"]).toEqual(
      {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            description: "d",
            additionalProperties: false,
            properties: {
              minimum: { type: "integer", description: '{"minimum":3}' },
              deep: { items: { type: "object", properties: {}, additionalProperties: false } },
            },
          },
        },
      },
    );
  });

  it("ask for JSON in words where there is no other way", () => {
    expect(JSON.stringify(body({ output: { type: "json" } })["system"])).toContain("JSON object");
    const schema = { type: "object", properties: { rare_name: {} } };
    const out = body({ output: { type: "schema", schema } }, { schemaOutput: false });
    expect(JSON.stringify(out["system"])).toContain("rare_name");
    expect(out).not.toHaveProperty("output_config");
  });

  it("are stop words with a visible character, the user's id and the tier", () => {
    const out = written({
      stop: ["END", "\n"],
      user: "u",
      serviceTier: "flex",
      paths: { stop: "stop", serviceTier: "service_tier" },
    });
    expect(out.body).toMatchObject({ stop_sequences: ["END"], metadata: { user_id: "u" } });
    expect(out.body).not.toHaveProperty("service_tier");
    expect(out.dropped).toEqual(expect.arrayContaining(["stop", "service_tier"]));
  });

  it("that have no words here are named, the OpenAI-only ones quietly", () => {
    const paths = {
      seed: "seed",
      n: "n",
      logitBias: "logit_bias",
      verbosity: "text.verbosity",
      cacheKey: "prompt_cache_key",
      store: "store",
      metadata: "metadata",
    };
    const out = written({
      unsupported: ["extra"],
      paths,
      sampling: { seed: 1, n: 1, logitBias: {} },
      verbosity: "low",
      cacheKey: "k",
      store: true,
      metadata: {},
      openaiOnly: { stream_options: {}, modalities: ["text"] },
    });
    expect(new Set(out.dropped)).toEqual(new Set(["extra", ...Object.values(paths)]));
    expect(out.quiet).toEqual(["stream_options", "modalities"]);
    const own = ["cache_control", "max_tokens", "messages", "model", "stream"];
    expect(Object.keys(out.body).toSorted()).toEqual(own);
  });

  it("that would change what is answered are refused by name", () => {
    const several = { sampling: { n: 2 }, paths: { n: "n" } };
    expect(refusal(() => body(several))).toContain("M300 n:");
    const linked = {
      previousResponseId: "r",
      paths: { previousResponseId: "previous_response_id" },
    };
    expect(refusal(() => body(linked))).toContain("M300 previous_response_id:");
  });
});

describe("a client that says nothing about caching", () => {
  const ephemeral = { type: "ephemeral" };
  const said = {
    tools: [tool("a")],
    messages: [
      instruction("be brief"),
      user("hello"),
      assistant(thought("hm"), call("c", "a")),
      user(result("c", "r")),
    ],
  };

  it("has its whole prompt cached by Anthropic, as it grows", () => {
    const out = body(said);
    expect(out["cache_control"]).toEqual(ephemeral);
    expect(JSON.stringify(out).match(/cache_control/g)).toHaveLength(1);
  });

  it("has breakpoints where the provider knows only those, never on thinking", () => {
    const out = body(said, { promptCache: "blocks" });
    expect(out).not.toHaveProperty("cache_control");
    expect(list(out["system"]).at(-1)).toMatchObject({ cache_control: ephemeral });
    const [last] = list(list(out["messages"]).at(-1)?.["content"]);
    expect(last).toMatchObject({ type: "tool_result", cache_control: ephemeral });
    expect(JSON.stringify(out).match(/cache_control/g)).toHaveLength(2);
    const thinking = body(
      { messages: [user("q"), assistant(thought("hm"))] },
      { promptCache: "blocks" },
    );
    expect(JSON.stringify(thinking["messages"])).not.toContain("cache_control");
  });

  it("has nothing where the provider knows no marks", () => {
    expect(JSON.stringify(body(said, { promptCache: "none" }))).not.toContain("cache_control");
  });

  it("is left alone once it sets a breakpoint of its own", () => {
    const cache = { path: "messages[].content[].cache_control" };
    const marked = user({ kind: "text", text: "hello", cache });
    const out = body({ messages: [marked] });
    expect(out).not.toHaveProperty("cache_control");
    expect(JSON.stringify(out).match(/cache_control/g)).toHaveLength(1);
  });
});

describe("cache breakpoints for an Anthropic model", () => {
  const mark = (ttl?: string) => ({
    path: "messages[].content[].cache_control",
    ...(ttl !== undefined && { ttl }),
  });
  const text = (said: string, ttl?: string): Block => ({
    kind: "text",
    text: said,
    cache: mark(ttl),
  });
  const controls = (out: JsonObject) =>
    JSON.stringify(out).match(/"cache_control":\{[^}]*\}/g) ?? [];

  it("stand on tools, instructions, words, calls and results", () => {
    const out = body({
      tools: [tool("a", { cache: mark() })],
      messages: [
        instruction(text("i", "1h")),
        user("q"),
        assistant({ ...call("c", "a"), cache: mark() }),
        user({ ...result("c", "r"), cache: mark() }),
      ],
    });
    expect(controls(out)).toHaveLength(4);
    expect(list(out["messages"])[2]).toMatchObject({
      content: [{ type: "tool_result", content: "r", cache_control: { type: "ephemeral" } }],
    });
  });

  it("are the last four", () => {
    const out = written({
      messages: [user(...["a", "b", "c", "d", "e", "f"].map((said) => text(said)))],
    });
    const parts = list(list(out.body["messages"])[0]?.["content"]);
    expect(parts.map((part) => part["cache_control"] !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(out.dropped).toContain(mark().path);
  });

  it("never live longer than one before them", () => {
    const parts = list(
      list(
        body({ messages: [user(text("a", "1h"), text("b"), text("c", "1h"))] })["messages"],
      )[0]?.["content"],
    );
    expect(parts.map((part) => part["cache_control"])).toEqual([
      { type: "ephemeral", ttl: "1h" },
      { type: "ephemeral" },
      { type: "ephemeral" },
    ]);
  });
});
