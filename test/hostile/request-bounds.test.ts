/** What a request may hold at most: the field that holds too much is named with its bound, and nothing real comes near. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName } from "../../src/core/format-name.ts";
import { Problem } from "../../src/core/problem.ts";
import { clientFormats } from "../../src/formats/index.ts";
import { parseBody } from "../../src/gateway/request/body.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";

function refusal(work: () => unknown): Pick<Problem, "status" | "message"> | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.marker).toBe("M300");
    return { status: error.status, message: error.message };
  }
}

const many = <T extends JsonValue>(count: number, value: T): T[] => Array<T>(count).fill(value);

interface Bound {
  readonly format: ClientFormatName;
  readonly field: string;
  readonly most: number;
  readonly body: (count: number) => JsonObject;
}

const user = (content: JsonValue): JsonObject => ({ role: "user", content });
const text = { type: "text", text: "hi" };
const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
const chat = (messages: JsonValue, more: JsonObject = {}): JsonObject => ({
  model: "m",
  messages,
  ...more,
});
const messages = (list: JsonValue, more: JsonObject = {}): JsonObject => ({
  ...chat(list, more),
  max_tokens: 1,
});
const responses = (input: JsonValue, more: JsonObject = {}): JsonObject => ({
  model: "m",
  input,
  ...more,
});
const gemini = (contents: JsonValue, more: JsonObject = {}): JsonObject => ({
  model: "m",
  contents,
  ...more,
});
const item = { type: "message", role: "user", content: "hi" };
const content = { role: "user", parts: [] };

const bounds: readonly Bound[] = [
  { format: "chat", field: "messages", most: 10_000, body: (n) => chat(many(n, user("hi"))) },
  {
    format: "chat",
    field: "messages[1].content",
    most: 20_000,
    body: (n) => chat([user([text]), user(many(n - 1, text))]),
  },
  {
    format: "chat",
    field: "messages[0].tool_calls",
    most: 20_000,
    body: (n) => chat([{ role: "assistant", tool_calls: many(n, call) }]),
  },
  {
    format: "chat",
    field: "tools",
    most: 10_000,
    body: (n) =>
      chat([user("hi")], { tools: many(n, { type: "function", function: { name: "t" } }) }),
  },
  {
    format: "messages",
    field: "messages",
    most: 10_000,
    body: (n) => messages(many(n, user("hi"))),
  },
  {
    format: "messages",
    field: "messages[0].content",
    most: 20_000,
    body: (n) =>
      messages([
        user([{ type: "tool_result", tool_use_id: "c", content: many(n - 2, text) }, text]),
      ]),
  },
  {
    format: "messages",
    field: "tools",
    most: 10_000,
    body: (n) => messages([user("hi")], { tools: many(n, { name: "t" }) }),
  },
  { format: "responses", field: "input", most: 20_000, body: (n) => responses(many(n, item)) },
  {
    format: "responses",
    field: "input[1].content",
    most: 20_000,
    body: (n) => responses([item, { ...item, content: many(n, text) }]),
  },
  {
    format: "responses",
    field: "tools",
    most: 10_000,
    body: (n) => responses("hi", { tools: many(n, { type: "function", name: "t" }) }),
  },
  { format: "gemini", field: "contents", most: 10_000, body: (n) => gemini(many(n, content)) },
  {
    format: "gemini",
    field: "contents[0].parts",
    most: 20_000,
    body: (n) => gemini([{ role: "user", parts: many(n, { text: "hi" }) }]),
  },
  {
    format: "gemini",
    field: "tools",
    most: 10_000,
    body: (n) =>
      gemini([content], {
        tools: [
          { functionDeclarations: [{ name: "a" }] },
          { functionDeclarations: many(n - 1, { name: "t" }) },
        ],
      }),
  },
];

describe("a request", () => {
  it.each(bounds)("in $format may have $most of $field", ({ format, field, most, body }) => {
    const check = (count: number) => () => clientFormats[format].checkRequest(body(count));
    expect(refusal(check(most))).toBeUndefined();
    const refused = refusal(check(most + 1));
    expect(refused?.status).toBe(400);
    expect(refused?.message).toContain(`${field}: `);
    expect(refused?.message).toContain(most.toLocaleString("en-US"));
  });

  it("may hold a session of five thousand calls with hundreds of tools", () => {
    const properties = Object.fromEntries(
      ["path", "content", "limit", "offset"].map((name) => [
        name,
        { type: "string", description: name },
      ]),
    );
    const tools = many(500, {
      type: "function",
      function: { name: "t", parameters: { type: "object", properties, required: ["path"] } },
    });
    const steps = Array.from({ length: 4990 }, (_, at) => [
      { role: "assistant", content: [text], tool_calls: [{ ...call, id: `c${at}` }] },
      { role: "tool", tool_call_id: `c${at}`, content: [text] },
    ]).flat();
    const body = JSON.stringify(chat([user("hi"), ...steps], { tools }));
    const read = parseBody(body, () => undefined);
    clientFormats.chat.checkRequest(read);
    expect(
      clientRequest(clientFormats.chat, { body: read, text: body }).inHub().messages,
    ).toHaveLength(9981);
  });
});

describe("a body", () => {
  const parse = (member: string) => () => parseBody(`{"model":"m","x":${member}}`, () => undefined);
  const object = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"member-${at}":1`).join(",")}}`;

  it("may hold a million values, and says so with 413", () => {
    expect(refusal(parse(`[${many(999_990, 1).join(",")}]`))).toBeUndefined();
    expect(refusal(parse(`[${many(1_000_000, 1).join(",")}]`))).toEqual({
      status: 413,
      message: "body: holds more than 1,000,000 JSON values",
    });
  });

  it("may hold 200,000 objects and members", () => {
    expect(refusal(parse(`[${many(99_990, "{}").join(",")}]`))).toBeUndefined();
    expect(refusal(parse(`[${many(100_000, "{}").join(",")}]`))).toEqual({
      status: 400,
      message: "x: more than 200,000 JSON objects and members",
    });
  });

  it("may hold objects of ten thousand members", () => {
    expect(refusal(parse(object(10_000)))).toBeUndefined();
    expect(refusal(parse(object(10_001)))).toEqual({
      status: 400,
      message: "x: an object of more than 10,000 members",
    });
  });
});

describe("the arguments of all calls", () => {
  const read = (inputs: string[]) => () => {
    const calls = inputs.map((input, at) => ({
      id: `c${at}`,
      type: "function",
      function: { name: "look", arguments: input },
    }));
    const body = chat([user("hi"), { role: "assistant", tool_calls: calls }]);
    return clientRequest(clientFormats.chat, { body, text: JSON.stringify(body) }).inHub();
  };

  it("may hold 200,000 values, together", () => {
    const input = `[${many(50_000, 1).join(",")}]`;
    expect(refusal(read(many(3, input)))).toBeUndefined();
    expect(refusal(read(many(4, input)))).toEqual({
      status: 400,
      message: "messages: the arguments of all calls hold more than 200,000 JSON values",
    });
  });

  it("may be long texts, and nested too deep to be read as more than that", () => {
    expect(refusal(read([JSON.stringify({ content: "a, b\n".repeat(100_000) })]))).toBeUndefined();
    expect(refusal(read(many(5, "[".repeat(200_000))))).toBeUndefined();
  });
});
