/** Searches that a provider ran by itself, as clients of every format are told of them. */
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect } from "../../src/core/reply.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { asArray, asObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import { events as wireEvents, type Json } from "../kit/asking.ts";
import { candidateOf, strictChunks, textOf } from "../kit/gemini-client.ts";
import { grammars } from "../kit/grammar.ts";
import { context, echo, target } from "../kit/neutral.ts";

const page = { url: "https://example.org/tides", title: "Tides" };
const words = "Look: it is at noon.";

/** The pieces of text, one of them cited, around a search. */
const messages = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [
    { type: "text", text: "Look: " },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", ...page, encrypted_content: "abc" }],
    },
    { type: "text", text: "it is " },
    {
      type: "text",
      text: "at noon",
      citations: [
        { type: "web_search_result_location", ...page, cited_text: "noon", encrypted_index: "e" },
      ],
    },
    { type: "text", text: "." },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 5 },
};
const gemini = {
  candidates: [
    {
      content: { parts: [{ text: words }], role: "model" },
      finishReason: "STOP",
      index: 0,
      groundingMetadata: {
        webSearchQueries: ["tides"],
        groundingChunks: [{ web: { uri: page.url, title: page.title } }],
        groundingSupports: [
          {
            segment: { startIndex: 12, endIndex: 19, text: "at noon" },
            groundingChunkIndices: [0],
          },
        ],
      },
    },
  ],
};
const responses = {
  id: "resp_1",
  object: "response",
  model: "m",
  status: "completed",
  output: [
    {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", queries: ["tides"], sources: [{ type: "url", url: page.url }] },
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: words,
          annotations: [{ type: "url_citation", start_index: 12, end_index: 19, ...page }],
        },
      ],
    },
  ],
};
const answers: Partial<Record<FormatName, JsonValue>> = { messages, gemini, responses };

function read(provider: FormatName): ReplyEvent[] {
  return providerFormats[provider].readReply(answers[provider] ?? null, context());
}

function whole(client: ClientFormatName, provider: FormatName): JsonObject {
  const reply = collect(read(provider));
  if ("failure" in reply) throw new Error(reply.failure.message);
  return clientFormats[client].writeReply(reply, echo());
}

function streamed(client: ClientFormatName, provider: FormatName): string {
  const writer = clientFormats[client].eventWriter(echo());
  return read(provider)
    .map((event) => writer.write([event]))
    .join("");
}

const searchers = ["messages", "gemini", "responses"] as const;

describe.each(searchers)("a search by a provider of %s", (provider) => {
  it("is grounding to a Gemini client: queries, sources and the passage", () => {
    const grounding = {
      webSearchQueries: ["tides"],
      groundingChunks: [{ web: { uri: page.url } }],
      groundingSupports: [
        { segment: { startIndex: 12, endIndex: 19, text: "at noon" }, groundingChunkIndices: [0] },
      ],
    };
    expect(candidateOf(whole("gemini", provider)).groundingMetadata).toMatchObject(grounding);
    const chunks = strictChunks(streamed("gemini", provider));
    expect(textOf(chunks)).toBe(words);
    expect(candidateOf(chunks.at(-1) ?? {}).groundingMetadata).toMatchObject(grounding);
  });

  it("is an annotation of the passage to a chat client, streamed and whole alike", () => {
    const cited = { ...page, start_index: 12, end_index: 19 };
    const expected = [{ type: "url_citation", url_citation: cited }];
    expect(asArray(whole("chat", provider)["choices"])[0]).toMatchObject({
      message: { content: words, annotations: expected },
    });
    const deltas = wireEvents(streamed("chat", provider)).map(
      ({ json }) => ((json["choices"] ?? []) as Json[])[0]?.["delta"] as Json | undefined,
    );
    expect(deltas.find((delta) => delta?.["annotations"] !== undefined)).toMatchObject({
      annotations: expected,
    });
  });

  it("is results before the answer's end to a Messages client", () => {
    const blocks = asArray(whole("messages", provider)["content"]).map((block) => asObject(block));
    expect(blocks.find((block) => block?.["type"] === "server_tool_use")).toMatchObject({
      name: "web_search",
      input: { query: "tides" },
    });
    const results = blocks.find((block) => block?.["type"] === "web_search_tool_result");
    expect(results).toMatchObject({ content: [{ url: page.url }] });
    const text = streamed("messages", provider);
    expect(grammars.messages(text, { wantsUsage: true }).broken).toEqual([]);
    expect(text).toContain('"web_search_tool_result"');
  });

  it("is told to a Responses client step by step, as the official SDK reads it", async () => {
    const text = streamed("responses", provider);
    expect(grammars.responses(text, { wantsUsage: true }).broken).toEqual([]);
    const all = wireEvents(text).map(({ json }) => json);
    const added = all.find(
      ({ type, item }) =>
        type === "response.output_item.added" && (item as Json)["type"] === "web_search_call",
    );
    expect(added).toMatchObject({ item: { status: "in_progress" } });
    const { id } = (added?.["item"] ?? {}) as Json;
    const steps = all.filter((event) => event["item_id"] === id);
    expect(steps.map(({ type, output_index: at }) => [type, at])).toEqual(
      ["in_progress", "searching", "completed"].map((step) => [
        `response.web_search_call.${step}`,
        added?.["output_index"],
      ]),
    );
    const { output } = await assembled(text);
    const item = output.find((one) => one.type === "web_search_call");
    expect(item).toMatchObject({ status: "completed", action: { sources: [{ url: page.url }] } });
    const citing = output.flatMap((one) => (one.type === "message" ? one.content : []));
    const annotations = citing.flatMap((part) =>
      part.type === "output_text" ? part.annotations.map((one) => [part.text, one] as const) : [],
    );
    expect(annotations).toHaveLength(1);
    const [[cited, annotation] = ["", undefined]] = annotations;
    if (annotation?.type !== "url_citation") throw new Error("no citation");
    expect(cited.slice(annotation.start_index, annotation.end_index)).toBe("at noon");
  });
});

async function assembled(text: string) {
  const client = new OpenAI({
    apiKey: "sk-test",
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = client.responses.stream({ model: "m", input: "hi" });
  return await stream.finalResponse();
}

describe("a Responses provider that is to search", () => {
  const search = { type: "web_search_20250305", name: "web_search" };
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
  const sent = (more: JsonObject): JsonObject =>
    providerFormats.responses.writeRequest(
      clientFormats.messages.readRequest({ ...body, ...more }),
      target("responses"),
    ).body;

  it("is asked for what it finds, which other clients are shown", () => {
    expect(sent({ tools: [search] })["include"]).toContain("web_search_call.action.sources");
    expect(sent({})["include"]).toEqual(["reasoning.encrypted_content"]);
  });
});

describe("a Gemini answer that stops with UNEXPECTED_TOOL_CALL", () => {
  const body = (parts: JsonValue[]): JsonObject => ({
    candidates: [{ content: { parts, role: "model" }, finishReason: "UNEXPECTED_TOOL_CALL" }],
  });

  it("is a call like any other where the call came, and broken where none did", () => {
    const call = { functionCall: { name: "look", args: {} } };
    const good = collect(providerFormats.gemini.readReply(body([call]), context()));
    expect(good).toMatchObject({ stop: { reason: "tools" }, blocks: [{ name: "look" }] });
    const bad = collect(providerFormats.gemini.readReply(body([{ text: "a" }]), context()));
    expect(bad).toMatchObject({ failure: { code: "UNEXPECTED_TOOL_CALL" } });
  });
});

describe("a word of an enumeration", () => {
  const request = { generationConfig: { responseMimeType: "text/x.enum" } };
  const said = (content: string): JsonObject => ({
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });

  it.each([
    ['"A \\"b\\""', 'A "b"'],
    ["A", "A"],
    ['{"a":1}', '{"a":1}'],
  ])("comes bare: %s", (content, word) => {
    const heard = providerFormats.chat.readReply(said(content), context());
    const reply = collect(heard);
    if ("failure" in reply) throw new Error(reply.failure.message);
    expect(textOf([clientFormats.gemini.writeReply(reply, echo({ request }))])).toBe(word);
    const writer = clientFormats.gemini.eventWriter(echo({ request }));
    const text = heard.map((event) => writer.write([event])).join("");
    expect(textOf(strictChunks(text))).toBe(word);
    const plain = clientFormats.gemini.writeReply(reply, echo());
    expect(textOf([plain])).toBe(content);
  });
});
