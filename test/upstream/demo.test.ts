import { describe, expect, it } from "vitest";

import type { ClientFormat } from "../../src/core/format.ts";
import { noNames } from "../../src/translation/tool-names.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { providerFormats } from "../../src/formats/index.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { messages } from "../../src/formats/messages/index.ts";
import { responses } from "../../src/formats/responses/index.ts";
import { parseJson, type JsonObject } from "../../src/lib/json.ts";
import { answerDemo } from "../../src/upstream/demo/answer.ts";
import { sampleFor } from "../../src/upstream/demo/arguments.ts";

const schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    unit: { enum: ["celsius", "kelvin"] },
    days: { type: "integer", minimum: 2 },
    extra: { type: "string" },
  },
  required: ["city", "unit", "days"],
};

interface Case {
  format: ClientFormat;
  ask(text: string): JsonObject;
  withTool: JsonObject;
  withResult(id: string): JsonObject;
}

const cases: Case[] = [
  {
    format: chat.client,
    ask: (text) => ({ model: "demo/echo", messages: [{ role: "user", content: text }] }),
    withTool: {
      tools: [{ type: "function", function: { name: "get_weather", parameters: schema } }],
    },
    withResult: (id) => ({
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id, type: "function", function: { name: "get_weather", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: id, content: "Rain and 7 degrees" },
      ],
    }),
  },
  {
    format: responses.client,
    ask: (text) => ({ model: "demo/echo", input: text }),
    withTool: {
      tools: [{ type: "function", name: "get_weather", parameters: schema, strict: false }],
    },
    withResult: (id) => ({
      input: [
        { role: "user", content: "Weather?" },
        { type: "function_call", call_id: id, name: "get_weather", arguments: "{}" },
        { type: "function_call_output", call_id: id, output: "Rain and 7 degrees" },
      ],
    }),
  },
  {
    format: messages.client,
    ask: (text) => ({
      model: "demo/echo",
      max_tokens: 1000,
      messages: [{ role: "user", content: text }],
    }),
    withTool: { tools: [{ name: "get_weather", input_schema: schema }] },
    withResult: (id) => ({
      messages: [
        { role: "user", content: "Weather?" },
        { role: "assistant", content: [{ type: "tool_use", id, name: "get_weather", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: "Rain and 7 degrees" }],
        },
      ],
    }),
  },
];

const live = (): AbortSignal => new AbortController().signal;

/** The reply as a client of that format reads it. */
async function answered(format: ClientFormat, body: JsonObject, model: string): Promise<Reply> {
  const response = answerDemo({ format, body, model, signal: live(), pace: 0 });
  const context = { origin: "demo", names: noNames };
  const text = await response.text();
  if (body["stream"] === true) {
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reader = providerFormats[format.name].eventReader(context);
    const reply = collect([...reader.feed(text), ...reader.end()]);
    if ("failure" in reply) throw new Error(reply.failure.message);
    return reply;
  }
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const reply = collect(providerFormats[format.name].readReply(parseJson(text) ?? null, context));
  if ("failure" in reply) throw new Error(reply.failure.message);
  return reply;
}

const said = (reply: Reply): string =>
  reply.blocks.map((block) => (block.kind === "text" ? block.text : "")).join("");

describe.each(
  cases.flatMap((one) =>
    [false, true].map((stream) => ({ ...one, stream, name: one.format.name })),
  ),
)("the demo in $name, stream $stream", ({ format, ask, withTool, withResult, stream }) => {
  it("says that it is a demo and repeats what it was told", async () => {
    const reply = await answered(format, { ...ask("Grüße 🌍 an alle"), stream }, "echo");
    expect(said(reply)).toContain("demo");
    expect(said(reply)).toContain("Grüße 🌍 an alle");
    expect(reply.stop.reason).toBe("end");
    if (!(format.name === "chat" && stream)) expect(reply.usage.output).toBeGreaterThan(0);
  });

  it("calls an offered tool once, with arguments of its schema", async () => {
    const reply = await answered(format, { ...ask("Weather?"), ...withTool, stream }, "tools");
    const calls = reply.blocks.filter((block) => block.kind === "call");
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ name: "get_weather" });
    expect(parseJson(calls[0]?.input ?? "")).toEqual({ city: "Berlin", unit: "celsius", days: 2 });
    expect(reply.stop.reason).toBe("tools");
  });

  it("sums up a result instead of calling again", async () => {
    const reply = await answered(
      format,
      { ...ask(""), ...withTool, ...withResult("call_1"), stream },
      "tools",
    );
    expect(reply.blocks.some((block) => block.kind === "call")).toBe(false);
    expect(said(reply)).toContain("Rain and 7 degrees");
  });

  it("echo never calls", async () => {
    const reply = await answered(format, { ...ask("Weather?"), ...withTool, stream }, "echo");
    expect(reply.blocks.some((block) => block.kind === "call")).toBe(false);
  });
});

describe("the demo", () => {
  it("stops at the limit of output tokens and says so", async () => {
    const reply = await answered(
      messages.client,
      { model: "m", max_tokens: 3, messages: [{ role: "user", content: "hello" }] },
      "echo",
    );
    expect(said(reply).length).toBeLessThanOrEqual(12);
    expect(reply.stop.reason).toBe("length");
  });

  it("calls the tool that was chosen, and none when none may be called", async () => {
    const tools = ["a", "b"].map((name) => ({
      type: "function",
      function: { name, parameters: { type: "object", properties: {} } },
    }));
    const body = { model: "m", messages: [{ role: "user", content: "x" }], tools };
    const chosen = await answered(
      chat.client,
      { ...body, tool_choice: { type: "function", function: { name: "b" } } },
      "tools",
    );
    expect(chosen.blocks.find((block) => block.kind === "call")).toMatchObject({
      name: "b",
      input: "{}",
    });
    const none = await answered(chat.client, { ...body, tool_choice: "none" }, "tools");
    expect(none.blocks.some((block) => block.kind === "call")).toBe(false);
  });

  it("prefers tools that only look over tools that change things", async () => {
    const tools = ["write_file", "bash", "read_file"].map((name) => ({
      name,
      input_schema: { type: "object" },
    }));
    const reply = await answered(
      messages.client,
      { model: "m", max_tokens: 500, messages: [{ role: "user", content: "x" }], tools },
      "tools",
    );
    expect(reply.blocks.find((block) => block.kind === "call")).toMatchObject({
      name: "read_file",
    });
  });

  it("answers in the asked shape", async () => {
    const format = {
      type: "json_schema",
      json_schema: {
        name: "n",
        schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      },
    };
    const reply = await answered(
      chat.client,
      { model: "m", messages: [{ role: "user", content: "x" }], response_format: format },
      "echo",
    );
    expect(parseJson(said(reply))).toEqual({ title: "Demo" });
  });

  it("a client that leaves ends it", async () => {
    const controller = new AbortController();
    const body = {
      model: "m",
      stream: true,
      messages: [{ role: "user", content: "x ".repeat(400) }],
    };
    const response = answerDemo({
      format: chat.client,
      body,
      model: "echo",
      signal: controller.signal,
      pace: 5,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow();
  });

  it("schemas that refer to themselves or never end are answered", () => {
    type Loop = { type: string; properties: { next?: Loop }; required: string[] };
    const loop: Loop = { type: "object", properties: {}, required: ["next"] };
    loop.properties.next = loop;
    expect(JSON.stringify(sampleFor(loop as unknown as JsonObject)).length).toBeLessThan(200);
    expect(sampleFor({ anyOf: [{ type: "null" }, { type: "string" }] })).toBeNull();
    expect(sampleFor({ type: ["null", "integer"] })).toBe(1);
    expect(sampleFor(true)).toBe("demo");
  });
});
