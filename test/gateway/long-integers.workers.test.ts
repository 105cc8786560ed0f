import { describe, expect, it } from "vitest";
import { wrapState } from "../../src/translation/opaque-state.ts";
import {
  asks,
  at,
  clients,
  events,
  openLane,
  provider,
  request,
  replyScript,
  type Client,
  type Json,
  type Lane,
  type Script,
  type WireFormat,
} from "../kit/asking.ts";
import { stream as streamOf } from "../kit/script.ts";
import { asked, rowOf, world, type World } from "./kit.ts";

const id = "12345678901234567890";
const key = "-9007199254740993";
/** As JSON text, and as this runtime's numbers print it. */
const input = `{"id":${id},"deep":[{"key":${key}}],"n":1.5}`;
const rounded = JSON.stringify(JSON.parse(input));
/** The same text with the digits that JSON.parse took from it. */
const exact = (text: string): string =>
  text.replaceAll(String(Number(id)), id).replaceAll(String(Number(key)), key);
/** Without the escapes of a text inside a text. */
const bare = (text: string): string => text.replaceAll("\\", "");

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];
const pairs = clients.flatMap((client) => formats.map((format) => ({ client, format })));

interface Scene {
  where: World;
  lane: Lane;
}

async function scene(format: WireFormat, script: Script, harness: Json = {}): Promise<Scene> {
  const lane = openLane();
  await lane.answer(script);
  const providers = [provider({ id: "lab", format, lane })];
  return {
    where: await world({ providers, harnesses: [{ id: "h", name: "H", ...harness }] }),
    lane,
  };
}

const fine = (format: WireFormat): Script =>
  replyScript(format, { text: "GOOD" }, { stream: false });

/** What the provider got of a request, as text. */
async function sent(format: WireFormat, client: Client, body: string): Promise<string> {
  const { where, lane } = await scene(format, fine(format));
  const answer = await asked(where, { client, body });
  expect(answer.status, answer.text).toBe(200);
  return (await lane.received()).at(-1)?.text ?? "";
}

/** A conversation in which a call with that input was made and answered. */
function history(client: Client, more: Json = {}): string {
  const value: unknown = JSON.parse(input);
  const bodies: Record<Client, Json> = {
    chat: {
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "t", arguments: input } }],
        },
        { role: "tool", tool_call_id: "c1", content: "done" },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "hi" },
        { type: "function_call", call_id: "c1", name: "t", arguments: input },
        { type: "function_call_output", call_id: "c1", output: "done" },
      ],
    },
    messages: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "t", input: value }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "done" }] },
      ],
    },
  };
  return exact(JSON.stringify(request(client, { model: "lab/m", ...bodies[client], ...more })));
}

describe("a call in the history", () => {
  it.each(pairs)("of $client reaches $format digit for digit", async ({ client, format }) => {
    expect(bare(await sent(format, client, history(client)))).toContain(input);
  });

  it.each(formats)(
    "of client-run tools and of clients that write objects reaches %s digit for digit",
    async (format) => {
      const value: unknown = JSON.parse(input);
      const search = { type: "tool_search_call", call_id: "s1", execution: "client" };
      const items = [
        { type: "function_call", call_id: "c1", name: "t", arguments: value },
        { type: "function_call_output", call_id: "c1", output: value },
        { ...search, arguments: value },
        { type: "tool_search_output", call_id: "s1", execution: "client", tools: [] },
      ];
      const body = request("responses", { model: "lab/m", input: items });
      const got = bare(await sent(format, "responses", exact(JSON.stringify(body))));
      expect(got.split(input).length).toBe(4);
    },
  );

  it("with bare input stays what it is for a provider that wants objects", async () => {
    const call = { id: "c1", type: "function", function: { name: "t", arguments: id } };
    const messages = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "done" },
    ];
    const body = JSON.stringify(request("chat", { model: "lab/m", messages }));
    expect(await sent("messages", "chat", body)).toContain(`"input":{"value":${id}}`);
  });

  it("is logged digit for digit", async () => {
    const { where } = await scene("chat", fine("chat"), { log_text: true });
    const answer = await asked(where, { client: "messages", body: history("messages") });
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(at(row, "text", "request")).toContain(input);
  });

  it("leaves the limits of schemas numbers", async () => {
    const schema = {
      type: "object",
      properties: {
        input: { type: "integer", maximum: 0 },
        functionCall: { type: "integer", maximum: 0 },
        arguments: { type: "integer", maximum: 0 },
      },
    };
    const body = history("messages", { tools: [{ name: "t", input_schema: schema }] });
    const text = body.replaceAll('"maximum":0', '"maximum":9223372036854775807');
    for (const format of formats.filter((name) => name !== "messages")) {
      const got = await sent(format, "messages", text);
      expect(got).toContain('"maximum":9223372036854');
      expect(got).not.toContain("rawJSON");
      expect(bare(got)).toContain(input);
    }
  });
});

/** Providers' answers that call a tool with the input; Gemini and Messages write objects. */
function calling(format: WireFormat, stream: boolean): Script {
  const said = { text: "ok", calls: [{ id: "c1", name: "t", input }] };
  if (format === "messages" && stream) return messagesStream();
  const script = replyScript(format, said, { stream });
  const text = ([] as string[]).concat(script.body ?? []).map(exact);
  return { ...script, body: stream ? text : text.join("") };
}

/** Some servers send the input whole with the start of the block. */
function messagesStream(): Script {
  const head = { id: "m1", type: "message", role: "assistant", model: "m", content: [] };
  const use = { type: "tool_use", id: "c1", name: "t", input: JSON.parse(input) as Json };
  const list = [
    { type: "message_start", message: { ...head, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: use },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  return streamOf(
    list.map((event) => `event: ${event.type}\ndata: ${exact(JSON.stringify(event))}\n\n`),
  );
}

/** The input of the answer's call, as the client reads it. */
function calledWith(client: Client, text: string, stream: boolean): string {
  if (!stream) return bare(text);
  return events(text)
    .map(({ json, data }) => {
      if (client === "chat")
        return at(json, "choices", 0, "delta", "tool_calls", 0, "function", "arguments");
      if (client === "messages") return at(json, "delta", "partial_json") ?? bare(data);
      return json["type"] === "response.function_call_arguments.delta" ? json["delta"] : "";
    })
    .join("");
}

describe("a call in an answer", () => {
  const rows = asks.flatMap((ask) => formats.map((format) => ({ ...ask, format })));

  it.each(rows)(
    "of $format reaches $client digit for digit, stream $stream",
    async ({ client, format, stream }) => {
      const { where } = await scene(format, calling(format, stream));
      const body = request(client, { model: "lab/m", stream });
      const answer = await asked(where, { client, body });
      expect(answer.status, answer.text).toBe(200);
      expect(calledWith(client, answer.text, stream)).toContain(input);
      expect(calledWith(client, answer.text, stream)).not.toContain(rounded);
    },
  );

  it("of Gemini in pieces reaches the client digit for digit", async () => {
    const part = {
      functionCall: {
        name: "t",
        partialArgs: [
          { jsonPath: "$.id", numberValue: Number(id) },
          { jsonPath: "$.deep[0].key", numberValue: Number(key) },
          { jsonPath: "$.n", numberValue: 1.5 },
        ],
      },
    };
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP" };
    const chunk = exact(JSON.stringify({ candidates: [candidate] }));
    for (const body of [`data: ${chunk}\r\n\r\n`, `[${chunk}]`]) {
      const { where } = await scene("gemini", streamOf([body]));
      const ask = {
        client: "chat",
        body: request("chat", { model: "lab/m", stream: true }),
      } as const;
      const answer = await asked(where, ask);
      expect(calledWith("chat", answer.text, true)).toBe(input);
    }
  });
});

describe("a relayed request", () => {
  const odd = `["\\\\",${key},"\\"${id}",{"__proto__":${id}},1.${"3".repeat(16)},18446744073709551616,${id}]`;
  const seed = `{"seed":9223372036854775807,"x":${odd}`;

  it.each(clients)("of %s keeps long integers wherever they are", async (client) => {
    const body = history(client).replace(/^\{/, `${seed},`);
    expect(await sent(client, client, body)).toBe(body.replace('"lab/m"', '"m"'));
  });

  it("keeps them when foreign state is taken out of it", async () => {
    const state = { format: "gemini", origin: "other", type: "text", data: "s" } as const;
    const signature = wrapState(state);
    const thinking = `{"type":"thinking","thinking":"","signature":"${signature}"},`;
    const clean = history("messages").replace(/^\{/, `${seed},`);
    const body = clean.replace('{"type":"tool_use"', `${thinking}{"type":"tool_use"`);
    expect(body).not.toBe(clean);
    expect(await sent("messages", "messages", body)).toBe(clean.replace('"lab/m"', '"m"'));
  });

  it.each([
    ["many values", `[${"1,".repeat(500_000)}${id}]`],
    ["deep ones", `[${id},${"[".repeat(490)}${"]".repeat(490)}]`],
  ])("keeps them beside %s", async (_, value) => {
    const body = history("chat").replace(/^\{/, `{"x":${value},`);
    expect(await sent("chat", "chat", body)).toBe(body.replace('"lab/m"', '"m"'));
  });

  it("is refused where it has more of them than can be kept, which is told", async () => {
    const { where } = await scene("chat", fine("chat"));
    const ids = Array(50_001).fill(id).join(",");
    const body = history("chat").replace(/^\{/, `{"x":[${ids}],`);
    const answer = await asked(where, { client: "chat", body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("body: more than 50,000 integers beyond 2^53");
  });
});
