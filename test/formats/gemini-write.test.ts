import { describe, expect, it } from "vitest";
import type { Traits } from "../../src/core/model.ts";
import { Problem } from "../../src/core/problem.ts";
import type { MediaBlock, OpaqueState, ThinkingBlock, Turn } from "../../src/core/turn.ts";
import { gemini } from "../../src/formats/gemini/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { assistant, call, instruction, result, target, turn, user } from "../kit/neutral.ts";

const write = (members: Partial<Turn>, traits: Partial<Traits> = {}) =>
  gemini.writeTurn(turn(members), target("gemini", traits));
const body = (members: Partial<Turn>, traits: Partial<Traits> = {}): JsonObject =>
  write(members, traits).body;

function refusal(members: Partial<Turn>, traits: Partial<Traits> = {}): string {
  try {
    write(members, traits);
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

const schema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const tool = (name: string) => ({ kind: "function" as const, name, schema, path: "tools[]" });
const state = (data: string, type = "thought_signature", origin = "lab"): OpaqueState => ({
  format: "gemini",
  origin,
  type,
  data,
});
const thinking = (text: string, kept?: OpaqueState): ThinkingBlock => ({
  kind: "thinking",
  text,
  path: "messages[].content[]",
  ...(kept && { state: kept }),
});
const image = (source: MediaBlock["source"]): MediaBlock => ({
  kind: "media",
  media: "image",
  source,
  path: "messages[].content[]",
});
const png = image({ type: "bytes", mime: "image/png", data: "AAAA" });
const unchecked = "skip_thought_signature_validator";

describe("instructions for Gemini", () => {
  it("puts those at the head into systemInstruction and keeps later ones in their place", () => {
    expect(
      body({
        messages: [
          instruction("one"),
          instruction("two"),
          user("hi"),
          instruction("late"),
          user("go"),
        ],
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: "one" }, { text: "two" }] },
      contents: [{ role: "user", parts: [{ text: "hi" }, { text: "late" }, { text: "go" }] }],
    });
  });

  it("turns the last instruction into the user's turn when there is no other", () => {
    expect(body({ messages: [instruction("one"), instruction("two")] })).toEqual({
      systemInstruction: { parts: [{ text: "one" }] },
      contents: [{ role: "user", parts: [{ text: "two" }] }],
    });
    expect(body({ messages: [instruction("only")] })).toEqual({
      contents: [{ role: "user", parts: [{ text: "only" }] }],
    });
  });
});

describe("a conversation for Gemini", () => {
  it("groups parallel calls and their results with names and ids, whatever the order they came back in", () => {
    const messages = [
      user("go"),
      assistant("on it", call("c1", "f", { a: "1" }), call("c2", "g")),
      user(result("c2", "two")),
      user(result("c1", '{"one":1}')),
      user("and then"),
    ];
    expect(body({ messages }, { thoughtSignatures: false })["contents"]).toEqual([
      { role: "user", parts: [{ text: "go" }] },
      {
        role: "model",
        parts: [
          { text: "on it" },
          { functionCall: { id: "c1", name: "f", args: { a: "1" } } },
          { functionCall: { id: "c2", name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { one: 1 } } },
          { functionResponse: { id: "c2", name: "g", response: { result: "two" } } },
        ],
      },
      { role: "user", parts: [{ text: "and then" }] },
    ]);
  });

  it("says failed results as errors and keeps lists and long numbers as they were written", () => {
    const failed = { ...result("c1", "no such file"), isError: true };
    const messages = [
      user("go"),
      assistant(call("c1", "f"), call("c2", "f"), call("c3", "f")),
      user(failed, result("c2", "[1, 2]"), result("c3", '{"id": 12345678901234567890}')),
    ];
    const contents = JSON.stringify(body({ messages })["contents"]);
    expect(contents).toContain('"response":{"error":"no such file"}');
    expect(contents).toContain('"response":{"result":"[1, 2]"}');
    expect(contents).toContain(String.raw`"response":{"result":"{\"id\": 12345678901234567890}"}`);
  });

  it("puts pictures inside the result where the model takes them, else behind all results", () => {
    const messages = [
      user("go"),
      assistant(call("c1", "f"), call("c2", "g")),
      user(result("c1", "see", png), result("c2", "x")),
    ];
    const part = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const response = { id: "c1", name: "f", response: { result: "see" } };
    const other = { functionResponse: { id: "c2", name: "g", response: { result: "x" } } };
    const inside = body({ messages })["contents"];
    expect(inside).toMatchObject([
      {},
      {},
      { role: "user", parts: [{ functionResponse: { ...response, parts: [part] } }, other] },
    ]);
    const behind = body({ messages }, { mediaInResults: false })["contents"];
    expect(behind).toEqual([
      expect.anything(),
      expect.anything(),
      { role: "user", parts: [{ functionResponse: response }, other] },
      { role: "user", parts: [{ text: "Attached to the result of f:" }, part] },
    ]);
  });

  it("wraps arguments that are no JSON object", () => {
    const broken = { ...call("c1", "f"), input: '{"a": ' };
    const list = { ...call("c2", "f"), input: "[1]" };
    const empty = { ...call("c3", "f"), input: "" };
    const custom = { ...call("c4", "apply_patch"), call: "custom" as const, input: "*** Begin" };
    const parts = JSON.stringify(
      body({ messages: [user("x"), assistant(broken, list, empty, custom)] })["contents"],
    );
    expect(parts).toContain(String.raw`"args":{"_raw":"{\"a\": "}`);
    expect(parts).toContain('"args":{"value":[1]}');
    expect(parts).toContain('"args":{}');
    expect(parts).toContain('"args":{"input":"*** Begin"}');
  });

  it("begins with the user", () => {
    const contents = body({ messages: [assistant("hello"), user("hi")] })["contents"];
    expect(contents).toMatchObject([
      { role: "user" },
      { role: "model", parts: [{ text: "hello" }] },
      { role: "user" },
    ]);
  });

  it("ends with the user where the model goes on from no words of its own", () => {
    const messages = [user("hi"), assistant("I would say")];
    expect(body({ messages })["contents"]).toMatchObject([{}, { role: "model" }, { role: "user" }]);
    expect(body({ messages }, { mixedTools: false })["contents"]).toMatchObject([
      { role: "user" },
      { role: "model", parts: [{ text: "I would say" }] },
    ]);
  });

  it("sends pictures as bytes or by URL, with the type that the URL tells", () => {
    const url = image({ type: "url", url: "https://a.example/b.jpg?size=1" });
    expect(body({ messages: [user(png, url)] })["contents"]).toEqual([
      {
        role: "user",
        parts: [
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { fileData: { mimeType: "image/jpeg", fileUri: "https://a.example/b.jpg?size=1" } },
        ],
      },
    ]);
  });

  it("refuses what would be lost: file ids, URLs and sound that the model cannot reach", () => {
    const file = image({ type: "file", id: "file-1" });
    const url = image({ type: "url", url: "https://a.example/b.jpg" });
    const sound: MediaBlock = {
      ...png,
      media: "audio",
      source: { type: "bytes", mime: "audio/wav", data: "A" },
    };
    expect(refusal({ messages: [user(file)] })).toContain("messages[].content[]");
    expect(refusal({ messages: [user(url)] }, { imageUrls: false })).toContain(
      "messages[].content[]",
    );
    expect(refusal({ messages: [user(sound)] }, { audio: false })).toContain(
      "messages[].content[]",
    );
  });
});

describe("thought signatures", () => {
  it("go back to the part that they came with when this connection made them", () => {
    const messages = [
      user("q"),
      assistant(
        thinking("why", state("s0", "thought_signature.text")),
        "because",
        { ...call("c1", "f"), state: state("s1") },
        thinking("", state("s2", "thought_signature.empty")),
      ),
      user(result("c1", "r")),
    ];
    expect(body({ messages })["contents"]).toMatchObject([
      {},
      {
        role: "model",
        parts: [
          { text: "why", thought: true },
          { text: "because", thoughtSignature: "s0" },
          { functionCall: { name: "f" }, thoughtSignature: "s1" },
          { text: "", thoughtSignature: "s2" },
        ],
      },
      {},
    ]);
  });

  it("of a call may come back in an empty thinking block before it", () => {
    const messages = [
      user("q"),
      assistant(thinking("", state("s1")), call("c1", "f"), call("c2", "f")),
      user(result("c1", "r"), result("c2", "r")),
    ];
    const { contents } = body({ messages });
    expect(contents).toMatchObject([
      {},
      { parts: [{ thoughtSignature: "s1" }, { functionCall: { id: "c2" } }] },
      {},
    ]);
    expect(JSON.stringify(contents)).not.toContain(unchecked);
  });

  it("of another connection, another dialect or the client's own never leave; the first call of each step says so", () => {
    const native: OpaqueState = { format: "messages", type: "signature", data: "native-secret" };
    const messages = [
      user("q"),
      assistant(
        thinking("hm", native),
        thinking("", state("foreign-secret", "thought_signature", "other")),
        call("c1", "f"),
        call("c2", "f"),
      ),
      user(result("c1", "r"), result("c2", "r")),
      assistant({ ...call("c3", "f"), state: state("x", "encrypted_content", "lab-2") }),
      user(result("c3", "r")),
    ];
    const written = write({ format: "messages", messages });
    const text = JSON.stringify(written.body);
    expect(text).not.toContain("secret");
    expect(text.split(unchecked)).toHaveLength(3);
    expect(written.body["contents"]).toMatchObject([
      {},
      {
        parts: [
          { text: "hm", thought: true },
          { functionCall: { id: "c1" }, thoughtSignature: unchecked },
          { functionCall: { id: "c2" } },
        ],
      },
      {},
      { parts: [{ functionCall: { id: "c3" }, thoughtSignature: unchecked }] },
      {},
    ]);
    expect(written.dropped).toContain("messages[].content[].signature");
  });

  it("are not made up for models that check none", () => {
    const messages = [user("q"), assistant(call("c1", "f")), user(result("c1", "r"))];
    expect(JSON.stringify(body({ messages }, { thoughtSignatures: false }))).not.toContain(
      "thoughtSignature",
    );
  });
});

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
  const config = (members: Partial<Turn>, traits: Partial<Traits> = {}) =>
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
    const budget = (reasoning: Turn["reasoning"], more: Partial<Turn> = {}) =>
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
      unsaid: ["vendor_field"],
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
    const members: Partial<Turn> = {
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

describe("scrub", () => {
  it("takes tagged signatures out of a Gemini body and leaves Gemini's own", () => {
    const own = { text: "a", thoughtSignature: "CiQ=" };
    const request = { contents: [{ parts: [{ text: "b", thoughtSignature: "gw1.eyJ9" }, own] }] };
    expect(gemini.scrub(request, "lab")).toEqual(["contents[].parts[].thoughtSignature"]);
    expect(request.contents[0]?.parts).toEqual([{ text: "b" }, own]);
  });
});
