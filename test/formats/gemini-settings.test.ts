import { describe, expect, it } from "vitest";
import type { Traits } from "../../src/core/model.ts";
import type { ModelRequest } from "../../src/core/request.ts";
import { body, refusal, schema, tool, write } from "../kit/gemini-requests.ts";
import { assistant, call, result, user } from "../kit/neutral.ts";

describe("tools for Gemini", () => {
  it("keep their whole schema where the model takes JSON Schema", () => {
    expect(body({ tools: [tool("f")] })["tools"]).toEqual([
      { functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] },
    ]);
  });

  it("have the narrow schema where it does not, and none at all without parameters", () => {
    const bare = {
      kind: "function" as const,
      name: "g",
      schema: { type: "object", properties: {} },
      path: "tools[]",
    };
    expect(body({ tools: [tool("f"), bare] }, { jsonSchemaTools: false })["tools"]).toEqual([
      {
        functionDeclarations: [
          {
            name: "f",
            parameters: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          },
          { name: "g" },
        ],
      },
    ]);
  });

  it("are offered as functions when freeform, under one flat name when in a namespace", () => {
    const written = write({
      tools: [
        {
          kind: "custom",
          name: "apply_patch",
          description: "patches",
          grammar: { type: "grammar", syntax: "lark", definition: "start: x" },
          path: "tools[]",
        },
        { kind: "function", name: "run", namespace: "mcp.shell", path: "tools[]" },
      ],
    });
    const names = JSON.stringify(written.body["tools"]);
    expect(names).toContain("start: x");
    const [custom, run] = [
      written.names.toWire("apply_patch"),
      written.names.toWire("run", "mcp.shell"),
    ];
    expect(run).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    expect(written.names.fromWire(run)).toMatchObject({
      name: "run",
      namespace: "mcp.shell",
      call: "function",
    });
    expect(written.names.fromWire(custom)).toMatchObject({ name: "apply_patch", call: "custom" });
  });

  it.each([
    [{ type: "auto" as const }, { mode: "AUTO" }],
    [{ type: "none" as const }, { mode: "NONE" }],
    [{ type: "required" as const }, { mode: "ANY" }],
    [
      { type: "tool" as const, name: "g" },
      { mode: "ANY", allowedFunctionNames: ["g"] },
    ],
    [
      { type: "allowed" as const, mode: "required" as const, names: ["f", "g"] },
      { mode: "ANY", allowedFunctionNames: ["f", "g"] },
    ],
    [
      { type: "allowed" as const, mode: "auto" as const, names: ["f"] },
      { mode: "VALIDATED", allowedFunctionNames: ["f"] },
    ],
  ])("are chosen: %j is %j", (choice, mode) => {
    expect(body({ tools: [tool("f"), tool("g")], choice })["toolConfig"]).toEqual({
      functionCallingConfig: mode,
    });
  });

  it("leave nothing behind when there are none", () => {
    expect(Object.keys(body({ choice: { type: "auto" } }))).toEqual(["contents"]);
  });

  it("that the client deferred are offered once the conversation names or calls them", () => {
    const deferred = (name: string) => ({ ...tool(name), deferred: true });
    const messages = [
      user("q"),
      assistant(call("c1", "search")),
      user(result("c1", { kind: "reference", tool: "named" })),
      assistant(call("c2", "called")),
      user(result("c2", "r")),
    ];
    const tools = [tool("search"), deferred("named"), deferred("called"), deferred("other")];
    const text = JSON.stringify(body({ messages, tools })["tools"]);
    expect(
      ["search", "named", "called", "other"].filter((name) => text.includes(`"${name}"`)),
    ).toEqual(["search", "named", "called"]);
  });

  it("search the web by Google, beside functions only where the model takes both", () => {
    const search = {
      kind: "hosted" as const,
      format: "responses" as const,
      type: "web_search",
      means: "web_search" as const,
      raw: {},
      path: "tools[]",
    };
    const code = { ...search, type: "code_interpreter", means: "code_execution" as const };
    expect(body({ tools: [search, code, search] }, { mixedTools: false })["tools"]).toEqual([
      { googleSearch: {} },
      { codeExecution: {} },
    ]);
    expect(body({ tools: [tool("f"), search] })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: "f" }] }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    });
    const apart = write({ tools: [tool("f"), search] }, { mixedTools: false });
    expect(JSON.stringify(apart.body)).not.toContain("googleSearch");
    expect(apart.dropped).toEqual(["tools[]"]);
  });

  it("that only the other provider has are left out and named; forcing one is refused", () => {
    const hosted = {
      kind: "hosted" as const,
      format: "responses" as const,
      type: "computer",
      raw: {},
      path: "tools[]",
    };
    const written = write({ tools: [hosted, tool("f")] });
    expect(written.dropped).toEqual(["tools[]"]);
    expect(
      refusal({
        tools: [hosted, tool("f")],
        choice: { type: "hosted", raw: {} },
        paths: { choice: "tool_choice" },
      }),
    ).toContain("tool_choice");
  });
});

describe("generationConfig", () => {
  const config = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}) =>
    body(members, traits)["generationConfig"];

  it("carries limits and sampling, zeros included", () => {
    expect(
      config({
        maxOutput: 100,
        stop: ["a", "", "b"],
        sampling: {
          temperature: 0,
          topP: 0.5,
          topK: 7,
          frequencyPenalty: 0,
          presencePenalty: 1,
          seed: 0,
          logprobs: true,
          topLogprobs: 3,
        },
      }),
    ).toEqual({
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 7,
      frequencyPenalty: 0,
      presencePenalty: 1,
      seed: 0,
      stopSequences: ["a", "b"],
      responseLogprobs: true,
      logprobs: 3,
    });
  });

  it("sends five stop strings and says that more were asked for", () => {
    const written = write({ stop: ["1", "2", "3", "4", "5", "6"], paths: { stop: "stop" } });
    expect(written.body["generationConfig"]).toEqual({ stopSequences: ["1", "2", "3", "4", "5"] });
    expect(written.dropped).toEqual(["stop"]);
  });

  it("asks for JSON, with its schema", () => {
    expect(config({ output: { type: "json" } })).toEqual({ responseMimeType: "application/json" });
    expect(config({ output: { type: "schema", schema } })).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: schema,
    });
  });

  it("asks for JSON in words where the model takes no functions beside it", () => {
    const written = body(
      { output: { type: "schema", schema }, tools: [tool("f")] },
      { mixedTools: false },
    );
    expect(written["generationConfig"]).toBeUndefined();
    expect(JSON.stringify(written["systemInstruction"])).toContain(
      JSON.stringify(JSON.stringify(schema)).slice(1, -1),
    );
  });

  it.each([
    ["none", "MINIMAL"],
    ["minimal", "MINIMAL"],
    ["low", "LOW"],
    ["medium", "MEDIUM"],
    ["high", "HIGH"],
    ["xhigh", "HIGH"],
    ["max", "HIGH"],
  ])("says effort %s as level %s", (effort, thinkingLevel) => {
    const written = config({ reasoning: { effort } }, { reasoning: "effort" });
    expect(written).toMatchObject({ thinkingConfig: { thinkingLevel } });
  });

  it("takes the nearest level that the model knows", () => {
    const written = config(
      { reasoning: { effort: "minimal" } },
      { reasoning: "effort", efforts: ["low", "high"] },
    );
    expect(written).toMatchObject({ thinkingConfig: { thinkingLevel: "LOW" } });
  });

  it("says budgets as tokens within what all models take", () => {
    const budget = (reasoning: ModelRequest["reasoning"], more: Partial<ModelRequest> = {}) =>
      config({ ...more, ...(reasoning && { reasoning }) }, { reasoning: "budget" });
    expect(budget({ budget: 2000 })).toEqual({
      thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
    });
    expect(budget({ budget: 31_999, mode: "budget" })).toMatchObject({
      thinkingConfig: { thinkingBudget: 24_576 },
    });
    expect(budget({ effort: "none", mode: "off" })).toEqual({
      thinkingConfig: { thinkingBudget: 0 },
    });
    expect(budget({ mode: "adaptive" })).toMatchObject({ thinkingConfig: { thinkingBudget: -1 } });
    expect(budget({ effort: "high" }, { maxOutput: 5000 })).toMatchObject({
      thinkingConfig: { thinkingBudget: 4999 },
    });
  });

  it("asks for thoughts unless the client wants to see none", () => {
    const hidden = { format: "messages", reasoning: { mode: "adaptive" } } as const;
    expect(config(hidden, { reasoning: "effort" })).toEqual({
      thinkingConfig: { thinkingLevel: "HIGH" },
    });
    const seen = { format: "messages", reasoning: { mode: "adaptive", summary: "auto" } } as const;
    expect(config(seen, { reasoning: "effort" })).toEqual({
      thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
    });
  });

  it("leaves thinking alone when nobody spoke of it", () => {
    expect(config({})).toBeUndefined();
  });

  it("refuses several answers, which could not be given back", () => {
    expect(refusal({ sampling: { n: 2 }, paths: { n: "n" } })).toContain("n:");
    expect(config({ sampling: { n: 1 } })).toBeUndefined();
  });
});

describe("what Gemini has no words for", () => {
  it("is named by the client's own paths", () => {
    const written = write({
      messages: [
        user({ kind: "text", text: "x", cache: { path: "messages[].content[].cache_control" } }),
      ],
      tools: [{ ...tool("f"), strict: true }],
      parallelTools: false,
      verbosity: "low",
      metadata: { a: "b" },
      sampling: { logitBias: { "1": 2 } },
      unsupported: ["vendor_field"],
      paths: {
        parallelTools: "parallel_tool_calls",
        verbosity: "verbosity",
        metadata: "metadata",
        logitBias: "logit_bias",
      },
    });
    expect(written.dropped.toSorted()).toEqual([
      "logit_bias",
      "messages[].content[].cache_control",
      "metadata",
      "parallel_tool_calls",
      "tools[].function.strict",
      "vendor_field",
      "verbosity",
    ]);
  });

  it("goes without a trace in the header for the five fields of OpenAI, effort being translated", () => {
    const members: Partial<ModelRequest> = {
      reasoning: { effort: "low" },
      openaiOnly: { reasoning_effort: "low", prediction: {}, stream_options: {} },
      paths: { reasoning: "reasoning_effort" },
    };
    const written = write(members, { reasoning: "effort" });
    expect(written.dropped).toEqual([]);
    expect(written.quiet.toSorted()).toEqual(["prediction", "stream_options"]);
    const silent = write(members, { reasoning: "none" });
    expect(silent.dropped).toEqual([]);
    expect(silent.quiet).toContain("reasoning_effort");
  });

  it("is refused where the meaning hangs on it", () => {
    expect(
      refusal({
        previousResponseId: "resp_1",
        paths: { previousResponseId: "previous_response_id" },
      }),
    ).toContain("previous_response_id");
    expect(refusal({ responsesOnly: ["background"] })).toContain("background");
    const opaque = {
      kind: "opaque" as const,
      format: "messages" as const,
      type: "container_upload",
      raw: {},
      weight: "essential" as const,
      path: "messages[].content[]",
    };
    expect(refusal({ messages: [user(opaque)] })).toContain("messages[].content[]");
  });
});
