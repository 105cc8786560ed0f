/** What becomes of each field of a Gemini client's request at a provider of every format. */
import { describe, expect, it } from "vitest";
import type { FormatName } from "../../src/core/format-name.ts";
import type { Traits } from "../../src/core/model.ts";
import { gemini } from "../../src/formats/gemini/index.ts";
import { writeSignature } from "../../src/formats/gemini/shared/carried-states.ts";
import { providerFormats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { target } from "../kit/neutral.ts";

const address = { model: "lab/m", answer: "events" } as const;
const hi = { role: "user", parts: [{ text: "hi" }] };
const others = ["chat", "responses", "messages"] as const;

function read(body: JsonObject) {
  return gemini.client.readRequest({ contents: [hi], ...body }, address);
}

function written(body: JsonObject, to: FormatName, traits: Partial<Traits> = {}) {
  return providerFormats[to].writeRequest(read(body), target(to, traits));
}

function config(settings: JsonObject): JsonObject {
  return { generationConfig: settings };
}

const find = { name: "find", description: "Finds.", parameters: { type: "OBJECT" } };
const tools = [{ functionDeclarations: [find] }];

describe("the address", () => {
  it("names the model and the form of the answer", () => {
    expect(read({})).toMatchObject({ model: "lab/m", stream: true, format: "gemini" });
    expect(
      gemini.client.readRequest({ contents: [hi] }, { model: "m", answer: "whole" }).stream,
    ).toBe(false);
  });
});

describe("what is demanded", () => {
  it.each<[string, JsonObject]>([
    ["contents", { contents: [] }],
    ["contents", { contents: "hi" }],
    ["contents[1]", { contents: [hi, 1] }],
    ["contents[0].role", { contents: [{ role: "assistant", parts: [] }] }],
    ["contents[0].parts", { contents: [{ parts: "hi" }] }],
    ["contents[0].parts[0]", { contents: [{ parts: ["hi"] }] }],
    ["systemInstruction", { systemInstruction: 1 }],
    ["system_instruction", { system_instruction: 1 }],
    ["tools", { tools: 1 }],
    ["tools[0]", { tools: [1] }],
    ["generationConfig", { generationConfig: [] }],
    ["tool_config", { tool_config: 1 }],
  ])("names %s", (path, body) => {
    const check = (): void => gemini.client.checkRequest({ contents: [hi], ...body }, address);
    expect(check).toThrow(`${path}: `);
  });

  it.each(["", "m".repeat(513), "a\nb"])("is a model's name: %j", (model) => {
    const check = (): void =>
      gemini.client.checkRequest({ contents: [hi] }, { model, answer: "whole" });
    expect(check).toThrow("model: ");
  });

  it.each<JsonObject>([
    { contents: { parts: { text: "hi" } } },
    { contents: [{ parts: [{ text: "hi" }] }, { role: "model" }] },
    { systemInstruction: "Be brief." },
    { tools: { functionDeclarations: [find] } },
  ])("is no more than the service demands: %j", (body) => {
    gemini.client.checkRequest({ contents: [hi], ...body }, address);
  });
});

describe("instructions", () => {
  it.each<JsonObject>([
    { systemInstruction: "Be brief." },
    { systemInstruction: { parts: [{ text: "Be brief." }] } },
    { systemInstruction: { role: "user", parts: { text: "Be brief." } } },
    { systemInstruction: [{ text: "Be brief." }] },
    { systemInstruction: { text: "Be brief." } },
    { system_instruction: { parts: [{ text: "Be brief." }] } },
  ])("in the form %j reach every provider", (body) => {
    expect(written(body, "chat").body["messages"]).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ]);
    expect(JSON.stringify(written(body, "messages").body["system"])).toContain("Be brief.");
    expect(JSON.stringify(written(body, "responses").body)).toContain("Be brief.");
  });
});

describe("turns", () => {
  it("of one role are one, and what came in pieces is one text again", () => {
    const contents = [
      { parts: [{ text: "hi" }] },
      { role: "model", parts: [{ text: "Hel" }] },
      { role: "model", parts: [{ text: "lo." }] },
      { role: "function", parts: [{ text: "and?" }] },
    ];
    expect(written({ contents }, "chat").body["messages"]).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "and?" },
    ]);
  });
});

describe("calls and results", () => {
  const talk = (calls: JsonObject[], results: JsonObject[]): JsonObject => ({
    contents: [
      hi,
      { role: "model", parts: calls.map((functionCall) => ({ functionCall })) },
      { role: "user", parts: results.map((functionResponse) => ({ functionResponse })) },
    ],
    tools,
  });

  it("keep their ids", () => {
    const body = talk(
      [{ id: "fc-1", name: "find", args: { q: 1 } }],
      [{ id: "fc-1", name: "find", response: { output: "found" } }],
    );
    expect(written(body, "chat").body["messages"]).toMatchObject([
      {},
      { tool_calls: [{ id: "fc-1", function: { name: "find", arguments: '{"q":1}' } }] },
      { role: "tool", tool_call_id: "fc-1", content: "found" },
    ]);
  });

  it("without ids belong together by name, in their order", () => {
    const body = talk(
      [{ name: "find", args: { n: 1 } }, { name: "look", args: {} }, { name: "find" }],
      [
        { name: "look", response: { result: "l" } },
        { name: "find", response: { result: "first" } },
        { name: "find", response: { result: "second" } },
      ],
    );
    const messages = written(body, "chat").body["messages"];
    expect(messages).toMatchObject([
      {},
      { tool_calls: [{ id: "call_0" }, { id: "call_1" }, { id: "call_2" }] },
      { tool_call_id: "call_0", content: "first" },
      { tool_call_id: "call_1", content: "l" },
      { tool_call_id: "call_2", content: "second" },
    ]);
  });

  it("get no made id that the client uses itself", () => {
    const body = talk([{ name: "find" }, { id: "call_0", name: "find" }], []);
    expect(JSON.stringify(written(body, "chat").body)).toContain('"id":"call_1"');
  });

  it("with an id on the result alone still meet", () => {
    const body = talk([{ name: "find" }], [{ id: "made-up", name: "find", response: { a: 1 } }]);
    expect(written(body, "chat").body["messages"]).toMatchObject([
      {},
      { tool_calls: [{ id: "call_0" }] },
      { tool_call_id: "call_0", content: '{"a":1}' },
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ output: "text" }, "text"],
    [{ result: "text" }, "text"],
    [{ content: "text" }, "text"],
    [{ name: "find", content: "text" }, "text"],
    [{ name: "find", content: { a: [1] } }, '{"a":[1]}'],
    [{ output: { a: 1 } }, '{"output":{"a":1}}'],
    [{ a: 1, b: 2 }, '{"a":1,"b":2}'],
    [{}, "{}"],
  ])("say %j as %s", (response, text) => {
    const body = talk([{ name: "find" }], [{ name: "find", response }]);
    expect(written(body, "messages").body["messages"]).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result", content: text }] },
    ]);
  });

  it("are errors where the response says so", () => {
    const body = talk([{ name: "find" }], [{ name: "find", response: { error: "no" } }]);
    expect(written(body, "messages").body["messages"]).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result", content: "no", is_error: true }] },
    ]);
  });

  it("bring media in their parts and beside them", () => {
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const inside = talk([{ name: "find" }], [{ name: "find", response: {}, parts: [image] }]);
    expect(JSON.stringify(written(inside, "messages").body)).toContain('"data":"AAAA"');
    expect(JSON.stringify(written(inside, "chat").body)).toContain("data:image/png;base64,AAAA");
  });

  it("report what only Gemini does with them", () => {
    const body = talk(
      [{ name: "find" }],
      [{ name: "find", response: {}, scheduling: "SILENT", willContinue: true }],
    );
    expect(written(body, "chat").dropped).toEqual(
      expect.arrayContaining([
        "contents[].parts[].functionResponse.scheduling",
        "contents[].parts[].functionResponse.willContinue",
      ]),
    );
  });
});

describe("thoughts and signatures", () => {
  const model = (...parts: JsonObject[]): JsonObject => ({
    contents: [hi, { role: "model", parts }, hi],
  });
  const signed = { format: "messages", origin: "lab", type: "signature", data: "sealed" } as const;
  const carried = writeSignature([{ state: signed, owner: "thinking" }]);
  const call = { functionCall: { id: "c", name: "find", args: {} } };

  it.each(["skip_thought_signature_validator", btoa("skip_thought_signature_validator")])(
    "%s is no state",
    (thoughtSignature) => {
      const request = read(model({ ...call, thoughtSignature }));
      expect(JSON.stringify(request.messages)).not.toContain(thoughtSignature);
      expect(
        providerFormats.chat.writeRequest(request, target("chat")).dropped.join(),
      ).not.toContain("thoughtSignature");
    },
  );

  it.each(others)("Gemini's own signatures do not reach %s, and are reported", (to) => {
    const { body, dropped } = written(
      model({ text: "a", thoughtSignature: "bmF0aXZl" }, { ...call, thoughtSignature: "bmF0aXZl" }),
      to,
    );
    expect(JSON.stringify(body)).not.toContain("bmF0aXZl");
    expect(dropped.join()).toContain("contents[].parts[]");
  });

  it("ours on a call is the thinking before it again, with the text that the client kept", () => {
    const kept = model({ text: "Hm.", thought: true }, { ...call, thoughtSignature: carried });
    const lost = model({ ...call, thought_signature: carried });
    const [withText, without] = [kept, lost].map(
      (body) => (written(body, "messages").body["messages"] as JsonObject[])[1],
    );
    expect(withText?.["content"]).toMatchObject([
      { type: "thinking", thinking: "Hm.", signature: "sealed" },
      { type: "tool_use" },
    ]);
    expect(without?.["content"]).toMatchObject([
      { type: "thinking", thinking: "", signature: "sealed" },
      { type: "tool_use" },
    ]);
  });

  it("ours in the alphabet of URLs, as typed clients write it, is read too", () => {
    const odd = { ...signed, data: "?>~?>~\u00ff" };
    const urlSafe = writeSignature([{ state: odd, owner: "thinking" }])
      .replaceAll("+", "-")
      .replaceAll("/", "_");
    const { body } = written(model({ ...call, thoughtSignature: urlSafe }), "messages");
    expect(JSON.stringify(body)).toContain("?>~?>~\u00ff");
  });

  it("damaged ones of ours are nothing", () => {
    const { body } = written(
      model({ ...call, thoughtSignature: carried.slice(0, 20) }),
      "messages",
    );
    expect(JSON.stringify(body)).not.toContain("Z3cxL");
  });

  it.each(["messages", "responses"] as const)("without state are not sent to %s", (to) => {
    const { body, dropped } = written(model({ text: "Hm.", thought: true }, { text: "a" }), to);
    expect(JSON.stringify(body)).not.toContain("Hm.");
    expect(dropped).toContain("contents[].parts[]");
  });
});

describe("media", () => {
  const user = (...parts: JsonObject[]): JsonObject => ({ contents: [{ role: "user", parts }] });
  const bytes = (mimeType: string): JsonObject => ({ inlineData: { mimeType, data: "AAAA" } });
  const file = (fileUri: string, mimeType: string): JsonObject => ({
    fileData: { fileUri, mimeType },
  });

  it("of every kind goes where it is taken", () => {
    expect(JSON.stringify(written(user(bytes("image/png")), "chat").body)).toContain("image_url");
    expect(JSON.stringify(written(user(bytes("application/pdf")), "messages").body)).toContain(
      '"media_type":"application/pdf"',
    );
    expect(JSON.stringify(written(user(bytes("audio/wav")), "chat").body)).toContain("input_audio");
    const url = user(file("https://example.test/a.png", "image/png"));
    expect(JSON.stringify(written(url, "messages").body)).toContain('"type":"url"');
  });

  it.each<[FormatName, JsonObject]>([
    ...others.map((to): [FormatName, JsonObject] => [to, bytes("video/mp4")]),
    ["messages", bytes("audio/wav")],
    ...others.flatMap((to): [FormatName, JsonObject][] => [
      [to, file("files/abc", "image/png")],
      [to, file("https://generativelanguage.googleapis.com/v1beta/files/abc", "image/png")],
      [to, file("gs://bucket/a.pdf", "application/pdf")],
      [to, file("https://www.youtube.com/watch?v=x", "video/*")],
    ]),
  ])("is refused by %s where it would be lost: %j", (to, part) => {
    expect(() => written(user(part), to)).toThrow("contents[].parts[]: ");
  });

  it("looks as closely as it is told", () => {
    const part = {
      ...bytes("image/png"),
      mediaResolution: { level: "MEDIA_RESOLUTION_LOW" },
    };
    expect(JSON.stringify(written(user(part), "chat").body)).toContain('"detail":"low"');
    const all = {
      ...user(bytes("image/png")),
      ...config({ mediaResolution: "MEDIA_RESOLUTION_HIGH" }),
    };
    expect(JSON.stringify(written(all, "responses").body)).toContain('"detail":"high"');
    expect(written(all, "messages").dropped).toContain("generationConfig.mediaResolution");
  });

  it("reports what belongs to films and voices", () => {
    const part = { ...bytes("image/png"), videoMetadata: { fps: 1 }, partMetadata: { a: 1 } };
    expect(written(user(part), "chat").dropped).toEqual(
      expect.arrayContaining([
        "contents[].parts[].videoMetadata",
        "contents[].parts[].partMetadata",
      ]),
    );
  });

  it("refuses what the user shows and nobody knows", () => {
    expect(() => written(user({ hologram: { a: 1 } }), "chat")).toThrow("contents[].parts[]: ");
  });
});

describe("the provider's own parts", () => {
  it("say in words what ran and what came of it", () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { toolCall: { toolType: "GOOGLE_SEARCH_WEB", args: {} } },
    ];
    const { body, dropped } = written({ contents: [hi, { role: "model", parts }, hi] }, "chat");
    expect(JSON.stringify(body)).toContain("print(1)");
    expect(JSON.stringify(body)).not.toContain("GOOGLE_SEARCH_WEB");
    expect(dropped).toContain("contents[].parts[]");
  });
});

describe("tools", () => {
  it("of several entries are one list, with schemas that every provider knows", () => {
    const parameters = {
      type: "OBJECT",
      properties: {
        b: { type: "STRING", nullable: true, format: "enum", enum: ["x"] },
        a: { type: "ARRAY", items: { type: "INTEGER" }, minItems: "1", max_items: "3" },
        type: { type: "BOOLEAN" },
        c: { any_of: [{ type: "NUMBER" }], nullable: true },
      },
      propertyOrdering: ["a", "b"],
      required: ["a"],
    };
    const { body } = written(
      {
        tools: [
          { functionDeclarations: [{ name: "one", parameters }] },
          { function_declarations: [{ name: "two", parametersJsonSchema: { type: "OBJECT" } }] },
        ],
      },
      "chat",
    );
    const [one, two] = body["tools"] as { function: JsonObject }[];
    expect(one?.function["parameters"]).toEqual({
      type: "object",
      properties: {
        a: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3 },
        b: { type: ["string", "null"], enum: ["x", null] },
        type: { type: "boolean" },
        c: { anyOf: [{ type: "number" }, { type: "null" }] },
      },
      required: ["a"],
    });
    const properties = one?.function["parameters"] as { properties: JsonObject };
    expect(Object.keys(properties.properties)).toEqual(["a", "b", "type", "c"]);
    expect(two?.function["parameters"]).toMatchObject({ type: "object" });
  });

  it.each(others)("have names that %s takes", (to) => {
    const declared = { tools: [{ functionDeclarations: [{ name: "a.b:c" }] }] };
    const { body, names } = written(declared, to);
    expect(JSON.stringify(body["tools"])).toContain('"a_b_c"');
    expect(names.fromWire("a_b_c").name).toBe("a.b:c");
  });

  it("of the provider become those that mean the same, or are reported", () => {
    const hosted = { tools: [{ googleSearch: {} }, { codeExecution: {} }, { urlContext: {} }] };
    const toResponses = written(hosted, "responses", { webSearch: true });
    expect(toResponses.body["tools"]).toMatchObject([
      { type: "web_search" },
      { type: "code_interpreter" },
    ]);
    expect(toResponses.dropped).toEqual(["tools[].urlContext"]);
    const toMessages = JSON.stringify(written(hosted, "messages").body["tools"]);
    expect(toMessages).toContain("web_search_");
    expect(written(hosted, "chat", { webSearch: true }).body["web_search_options"]).toBeDefined();
    const searches = { tools: [{ google_search_retrieval: { dynamicRetrievalConfig: { a: 1 } } }] };
    expect(written(searches, "responses").dropped).toContain(
      "tools[].google_search_retrieval.dynamicRetrievalConfig",
    );
  });

  it("report what describes their results", () => {
    const declared = [{ ...find, response: { type: "OBJECT" }, behavior: "NON_BLOCKING" }];
    expect(written({ tools: [{ functionDeclarations: declared }] }, "chat").dropped).toEqual([
      "tools[].functionDeclarations[].response",
      "tools[].functionDeclarations[].behavior",
    ]);
  });
});

describe("the choice among tools", () => {
  const choosing = (functionCallingConfig: JsonObject): JsonObject => ({
    tools: [{ functionDeclarations: [find, { name: "look" }, { name: "go" }] }],
    toolConfig: { functionCallingConfig },
  });

  it.each<[JsonObject, unknown]>([
    [{ mode: "AUTO" }, "auto"],
    [{ mode: "VALIDATED" }, "auto"],
    [{ mode: "ANY" }, "required"],
    [{ mode: "any" }, "required"],
    [{ mode: "NONE" }, "none"],
    [{ mode: "MODE_UNSPECIFIED" }, undefined],
    [
      { mode: "ANY", allowedFunctionNames: ["look"] },
      { type: "function", function: { name: "look" } },
    ],
  ])("%j is %j in chat", (calling, choice) => {
    expect(written(choosing(calling), "chat").body["tool_choice"]).toEqual(choice);
  });

  it("may be among several", () => {
    const several = choosing({ mode: "ANY", allowedFunctionNames: ["find", "look"] });
    expect(written(several, "responses").body["tool_choice"]).toMatchObject({
      type: "allowed_tools",
      mode: "required",
    });
    const { body } = written(several, "messages");
    expect(body["tools"]).toMatchObject([{ name: "find" }, { name: "look" }]);
    expect(body["tool_choice"]).toMatchObject({ type: "any" });
  });

  it("reports what else the configuration asks for", () => {
    const more = { toolConfig: { retrievalConfig: { languageCode: "de" } } };
    expect(written(more, "chat").dropped).toEqual(["toolConfig.retrievalConfig"]);
  });
});

describe("settings", () => {
  it("have the names of each format", () => {
    const settings = config({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: "900",
      stopSequences: ["END"],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    });
    expect(written(settings, "chat").body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      max_tokens: 900,
      stop: ["END"],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
    });
    expect(written(settings, "messages").body).toMatchObject({
      temperature: 0.5,
      top_k: 40,
      max_tokens: 900,
      stop_sequences: ["END"],
    });
    expect(written(settings, "responses").body).toMatchObject({ max_output_tokens: 900 });
  });

  it("that Gemini CLI always sends do not reach models that refuse them", () => {
    const usual = config({ temperature: 1, topP: 0.95, topK: 64 });
    for (const to of others) {
      const { body } = written(usual, to, { sampling: "none", extraSampling: [] });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["top_p"]));
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["top_k"]));
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["temperature"]));
    }
    const both = written(usual, "messages");
    expect(both.body).toMatchObject({ temperature: 1, top_k: 64 });
    expect(both.body["top_p"]).toBeUndefined();
    expect(both.dropped).toContain("generationConfig.topP");
  });

  it("that say nothing are absent", () => {
    const empty = { ...config({ stopSequences: [], candidateCount: 1 }), safetySettings: [] };
    for (const to of others) expect(written(empty, to).dropped).toEqual([]);
    expect(written(empty, "chat").body["stop"]).toBeUndefined();
  });

  it.each(others)("for several answers are refused by %s", (to) => {
    expect(() => written(config({ candidateCount: 2 }), to)).toThrow(
      "generationConfig.candidateCount: ",
    );
  });

  it.each([
    ["standard", "default"],
    ["FLEX", "flex"],
    ["priority", "priority"],
  ])("of the tier %s are %s", (serviceTier, tier) => {
    expect(written({ serviceTier }, "responses").body["service_tier"]).toBe(tier);
  });

  it("without counterpart are reported in the client's spelling", () => {
    const body = {
      safetySettings: [{ category: "C" }],
      labels: { a: "b" },
      store: true,
      generation_config: { speech_config: { a: 1 }, enableEnhancedCivicAnswers: true },
    };
    expect(written(body, "chat").dropped.toSorted()).toEqual([
      "generation_config.enableEnhancedCivicAnswers",
      "generation_config.speech_config",
      "labels",
      "safetySettings",
      "store",
    ]);
  });

  it.each(others)("that need what lies at Google are refused by %s", (to) => {
    expect(() => written({ cachedContent: "cachedContents/x" }, to)).toThrow("cachedContent: ");
    expect(() => written({ cached_content: "cachedContents/x" }, to)).toThrow("cached_content: ");
    expect(() => written(config({ responseModalities: ["IMAGE"] }), to)).toThrow(
      "generationConfig.responseModalities: ",
    );
    const mixed = config({ responseModalities: ["TEXT", "IMAGE"] });
    expect(written(mixed, to).dropped).toContain("generationConfig.responseModalities");
    expect(written(config({ responseModalities: ["TEXT"] }), to).dropped).toEqual([]);
  });
});

describe("the shape of the output", () => {
  const shape = { type: "OBJECT", properties: { a: { type: "STRING" } } };
  const plain = { type: "object", properties: { a: { type: "string" } } };

  it.each(["responseSchema", "responseJsonSchema", "_responseJsonSchema", "response_json_schema"])(
    "stands in %s",
    (name) => {
      const asked = config({ responseMimeType: "application/json", [name]: shape });
      expect(written(asked, "chat").body["response_format"]).toMatchObject({
        type: "json_schema",
        json_schema: { name: "output", schema: plain },
      });
      expect(written(asked, "responses").body["text"]).toMatchObject({
        format: { type: "json_schema", schema: plain },
      });
      expect(written(asked, "messages").body["output_config"]).toMatchObject({
        format: { type: "json_schema", schema: plain },
      });
    },
  );

  it("may be any JSON, or one of some words", () => {
    const json = config({ responseMimeType: "application/json" });
    expect(written(json, "chat").body["response_format"]).toEqual({ type: "json_object" });
    const words = config({
      responseMimeType: "text/x.enum",
      responseSchema: { type: "STRING", format: "enum", enum: ["a", "b"] },
    });
    expect(written(words, "chat").body["response_format"]).toMatchObject({
      json_schema: { schema: { type: "string", enum: ["a", "b"] } },
    });
    expect(written(config({ responseMimeType: "text/plain" }), "chat").dropped).toEqual([]);
    expect(written(config({ responseMimeType: "text/css" }), "chat").dropped).toEqual([
      "generationConfig.responseMimeType",
    ]);
  });
});

describe("thinking", () => {
  const thinking = (thinkingConfig: JsonObject): JsonObject => config({ thinkingConfig });

  it.each<[JsonObject, string]>([
    [{ thinkingLevel: "HIGH" }, "high"],
    [{ thinking_level: "low" }, "low"],
    [{ thinkingLevel: "MINIMAL" }, "minimal"],
    [{ thinkingBudget: 0 }, "none"],
    [{ thinkingBudget: -1 }, "high"],
    [{ thinkingBudget: 8192 }, "high"],
  ])("%j is an effort of %s", (asked, effort) => {
    expect(written(thinking(asked), "responses").body["reasoning"]).toMatchObject({ effort });
    expect(written(thinking(asked), "chat").body["reasoning_effort"]).toBe(effort);
  });

  it("is a budget, off or free for Messages", () => {
    const limit = { maxOutputTokens: 20_000 };
    const asked = (thinkingConfig: JsonObject) =>
      written(config({ ...limit, thinkingConfig }), "messages").body["thinking"];
    expect(asked({ thinkingBudget: 8192 })).toEqual({ type: "enabled", budget_tokens: 8192 });
    expect(asked({ thinkingBudget: 0 })).toEqual({ type: "disabled" });
    expect(asked({ includeThoughts: true })).toBeUndefined();
  });

  it("is shown where the client wants to see it", () => {
    const shown = thinking({ thinkingLevel: "HIGH", includeThoughts: true });
    expect(written(shown, "responses").body["reasoning"]).toMatchObject({ summary: "auto" });
    for (const hidden of [
      { thinkingBudget: 8192 },
      { thinkingLevel: "HIGH", includeThoughts: false },
    ])
      expect(written(thinking(hidden), "responses").body["reasoning"]).not.toHaveProperty(
        "summary",
      );
  });
});
