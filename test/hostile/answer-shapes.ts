/** Answers of any size, in shapes that a provider may send. */
import type { FormatName } from "../../src/core/format-name.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import type { JsonObject } from "../../src/lib/json.ts";

export interface StreamShape {
  readonly name: string;
  readonly format: FormatName;
  /** The text of the stream, in the pieces in which it arrives. */
  readonly pieces: (count: number) => string[];
}

export interface WholeShape {
  readonly name: string;
  readonly format: FormatName;
  readonly body: (count: number) => JsonObject;
}

export interface EventShape {
  readonly name: string;
  readonly events: (count: number) => ReplyEvent[];
}

const list = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const data = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  data({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] });
const fragment = (index: number, more: JsonObject, id?: string): string =>
  chunk({ tool_calls: [{ index, ...(id !== undefined && { id }), function: more }] });
const chatEnd = [chunk({}, "stop"), "data: [DONE]\n\n"];

const chatStreams: Readonly<Record<string, (count: number) => string[]>> = {
  text: (count) => list(count, () => chunk({ content: "word " })),
  "text and thinking in turn": (count) =>
    list(count, () => [chunk({ content: "a" }), chunk({ reasoning_content: "b" })]).flat(),
  "calls one after another": (count) =>
    list(count, (at) => fragment(at, { name: "look", arguments: '{"a":1}' }, `c${at}`)),
  "calls without ids": (count) =>
    list(count, (at) => fragment(at, { name: "look", arguments: '{"a":1}' })),
  "calls with one id": (count) =>
    list(count, (at) => fragment(at, { name: "look", arguments: '{"a":1}' }, "c")),
  "calls open at once": (count) => [
    ...list(count, (at) => fragment(at, { name: "look", arguments: '{"a":' }, `c${at}`)),
    ...list(count, (at) => fragment(at, { arguments: "1" })),
    ...list(count, (at) => fragment(at, { arguments: "}" })),
  ],
  "calls that never end, and text": (count) => [
    ...list(count, (at) => fragment(at, { name: "look", arguments: '{"a":[{}' }, `c${at}`)),
    ...list(count, () => [chunk({ content: "a" }), chunk({ reasoning_content: "b" })]).flat(),
  ],
  "one call that grows beside text": (count) =>
    list(count, (at) => [
      fragment(0, at === 0 ? { name: "look", arguments: '{"a":[{}' } : { arguments: ",{}" }),
      chunk({ content: "a" }),
      chunk({ reasoning_content: "b" }),
    ]).flat(),
  "a name in every fragment": (count) =>
    list(count, () => fragment(0, { name: "look", arguments: '{"a":{}' }, "c")),
  "a name in pieces": (count) => list(count, () => fragment(0, { name: "ab" }, "c")),
  "arguments in pieces": (count) => [
    fragment(0, { name: "look", arguments: '{"a":"' }, "c"),
    ...list(count, () => fragment(0, { arguments: "xy" })),
    fragment(0, { arguments: '"}' }),
  ],
  "reasoning details in pieces": (count) =>
    list(count, (at) =>
      chunk({
        reasoning_details: [{ type: "reasoning.text", index: 0, text: "a", [`m${at}`]: 1 }],
      }),
    ),
  annotations: (count) =>
    list(count, (at) =>
      chunk({
        content: "x",
        annotations: [
          {
            type: "url_citation",
            url_citation: { url: `https://a/${at}`, title: "t", start_index: 0, end_index: 1 },
          },
        ],
      }),
    ),
  "usage in every chunk": (count) =>
    list(count, (at) =>
      data({
        choices: [{ index: 0, delta: { content: "x" } }],
        usage: { prompt_tokens: 1, completion_tokens: at },
      }),
    ),
  "a long event in lines": (count) => [...list(count, () => "data: \n"), "\n"],
};

const named = (value: JsonObject): string => `event: ${String(value["type"])}\n${data(value)}`;
const messageStart = named({
  type: "message_start",
  message: { id: "m", model: "m", role: "assistant", content: [], usage: { input_tokens: 1 } },
});
const messageEnd = [
  named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } }),
  named({ type: "message_stop" }),
];
const start = (index: number, content_block: JsonObject): string =>
  named({ type: "content_block_start", index, content_block });
const piece = (index: number, delta: JsonObject): string =>
  named({ type: "content_block_delta", index, delta });
const stop = (index: number): string => named({ type: "content_block_stop", index });
const use = (at: number): JsonObject => ({
  type: "tool_use",
  id: `t${at}`,
  name: "look",
  input: {},
});

const messagesStreams: Readonly<Record<string, (count: number) => string[]>> = {
  text: (count) => [
    start(0, { type: "text", text: "" }),
    ...list(count, () => piece(0, { type: "text_delta", text: "word " })),
    stop(0),
  ],
  blocks: (count) =>
    list(count, (at) => [
      start(at, { type: "text", text: "" }),
      piece(at, { type: "text_delta", text: "a" }),
      stop(at),
    ]).flat(),
  "calls open at once": (count) => [
    ...list(count, (at) => start(at, use(at))),
    ...list(count, (at) => piece(at, { type: "input_json_delta", partial_json: '{"a":1}' })),
    ...list(count, stop),
  ],
  "texts open at once": (count) => [
    start(count, use(count)),
    ...list(count, (at) => start(at, { type: "text", text: "" })),
    ...list(count, (at) => piece(at, { type: "text_delta", text: "a" })),
    ...list(count, (at) => piece(at, { type: "text_delta", text: "b" })),
    stop(count),
    ...list(count, stop),
  ],
  "input in pieces": (count) => [
    start(0, use(0)),
    ...list(count, () => piece(0, { type: "input_json_delta", partial_json: " " })),
    stop(0),
  ],
  citations: (count) => [
    start(0, { type: "text", text: "" }),
    piece(0, { type: "text_delta", text: "a" }),
    ...list(count, (at) =>
      piece(0, {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          url: `https://a/${at}`,
          title: "t",
          cited_text: "c",
        },
      }),
    ),
    stop(0),
  ],
  "calls with one id": (count) => list(count, (at) => [start(at, use(0)), stop(at)]).flat(),
};

const responseStart = named({ type: "response.created", response: { id: "r", model: "m" } });
const completed = (output: JsonObject[]): string =>
  named({
    type: "response.completed",
    response: { id: "r", model: "m", status: "completed", output, usage: { input_tokens: 1 } },
  });
const functionCall = (at: number, id = `i${at}`): JsonObject => ({
  type: "function_call",
  id,
  call_id: `c${at}`,
  name: "look",
  arguments: '{"a":1}',
});
const said = (at: number): JsonObject => ({
  type: "message",
  id: `i${at}`,
  role: "assistant",
  content: [{ type: "output_text", text: "a", annotations: [] }],
});
const added = (output_index: number, item: JsonObject): string =>
  named({ type: "response.output_item.added", output_index, item });
const finished = (output_index: number, item: JsonObject): string =>
  named({ type: "response.output_item.done", output_index, item });

const responsesStreams: Readonly<Record<string, (count: number) => string[]>> = {
  "items repeated at the end": (count) => [
    ...list(count, (at) => [added(at, said(at)), finished(at, said(at))]).flat(),
    completed(list(count, said)),
  ],
  "calls repeated backwards": (count) => [
    ...list(count, (at) => [added(at, functionCall(at)), finished(at, functionCall(at))]).flat(),
    completed(list(count, (at) => functionCall(count - 1 - at))),
  ],
  "calls repeated under other ids": (count) => [
    ...list(count, (at) => [added(at, functionCall(at)), finished(at, functionCall(at))]).flat(),
    completed(list(count, (at) => functionCall(count - 1 - at, `other${at}`))),
  ],
  "calls open at once": (count) => [
    ...list(count, (at) => added(at, { ...functionCall(at), arguments: "" })),
    ...list(count, (at) =>
      named({
        type: "response.function_call_arguments.delta",
        output_index: at,
        item_id: `i${at}`,
        delta: '{"a":1}',
      }),
    ),
    ...list(count, (at) => finished(at, functionCall(at))),
    completed(list(count, (at) => functionCall(at))),
  ],
  "items that come only at the end": (count) => [completed(list(count, said))],
  "parts of a message": (count) => [
    added(0, { type: "message", id: "i", role: "assistant", content: [] }),
    ...list(count, (content_index) =>
      named({
        type: "response.output_text.delta",
        output_index: 0,
        item_id: "i",
        content_index,
        delta: "a",
      }),
    ),
    completed([]),
  ],
  "text said again and again": (count) => [
    added(0, { type: "message", id: "i", role: "assistant", content: [] }),
    ...list(count, () => [
      named({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "ab" }),
      named({ type: "response.output_text.done", output_index: 0, content_index: 0, text: "" }),
    ]).flat(),
    completed([]),
  ],
  "parts of reasoning": (count) => [
    added(0, { type: "reasoning", id: "i", summary: [] }),
    ...list(count, (summary_index) =>
      named({
        type: "response.reasoning_summary_text.delta",
        output_index: 0,
        item_id: "i",
        summary_index,
        delta: "a",
      }),
    ),
    completed([]),
  ],
  annotations: (count) => [
    added(0, { type: "message", id: "i", role: "assistant", content: [] }),
    named({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "a" }),
    ...list(count, (annotation_index) =>
      named({
        type: "response.output_text.annotation.added",
        output_index: 0,
        content_index: 0,
        annotation_index,
        annotation: { type: "url_citation", url: "https://a", start_index: 0, end_index: 1 },
      }),
    ),
    completed([]),
  ],
};

const geminiChunk = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  responseId: "r",
  candidates: [{ content: { role: "model", parts }, ...more }],
});
const geminiEnd = data(geminiChunk([], { finishReason: "STOP" }));
const support = (at: number, text = "a"): JsonObject => ({
  segment: { startIndex: at, endIndex: at + 1, text },
  groundingChunkIndices: [0],
});
const grounding = (supports: JsonObject[]): JsonObject => ({
  groundingMetadata: {
    groundingChunks: [{ web: { uri: "https://a", title: "t" } }],
    groundingSupports: supports,
  },
});

const geminiStreams: Readonly<Record<string, (count: number) => string[]>> = {
  text: (count) => [...list(count, () => data(geminiChunk([{ text: "word " }]))), geminiEnd],
  calls: (count) => [
    ...list(count, (at) =>
      data(geminiChunk([{ functionCall: { id: `c${at}`, name: "look", args: { a: 1 } } }])),
    ),
    geminiEnd,
  ],
  "arguments in pieces": (count) => [
    data(geminiChunk([{ functionCall: { name: "look", willContinue: true } }])),
    ...list(count, (at) =>
      data(
        geminiChunk([
          {
            functionCall: {
              partialArgs: [
                {
                  jsonPath: at % 2 === 0 ? "$.a" : `$.m${at}`,
                  stringValue: "x",
                  willContinue: true,
                },
              ],
              willContinue: true,
            },
          },
        ]),
      ),
    ),
    geminiEnd,
  ],
  "arguments as growing objects": (count) => [
    data(geminiChunk([{ functionCall: { name: "look", willContinue: true } }])),
    ...list(count, (at) =>
      data(geminiChunk([{ functionCall: { args: { [`m${at}`]: 1 }, willContinue: true } }])),
    ),
    geminiEnd,
  ],
  "a long text with citations": (count) => [
    data(geminiChunk([{ text: "\u00e4b".repeat(count * 4) }])),
    data(geminiChunk([], grounding(list(count, (at) => support(at * 2, "none"))))),
    geminiEnd,
  ],
  "citations in every chunk": (count) => [
    ...list(count, (at) => data(geminiChunk([{ text: "ab" }], grounding([support(at)])))),
    geminiEnd,
  ],
  "a body in small pieces": (count) => [
    ...(JSON.stringify([
      geminiChunk([{ text: "word ".repeat(count) }], { finishReason: "STOP" }),
    ]).match(/[^]{1,5}/g) ?? []),
  ],
  "lines that end with CR": (count) => ["data: {}\r".repeat(count), geminiEnd],
};

const ended = (
  streams: Readonly<Record<string, (count: number) => string[]>>,
  format: FormatName,
  around: (pieces: string[]) => string[],
): StreamShape[] =>
  Object.entries(streams).map(([name, pieces]) => ({
    name: `${format}: ${name}`,
    format,
    pieces: (count) => around(pieces(count)),
  }));

/** By the format of the provider. */
export const streamShapes: readonly StreamShape[] = [
  ...ended(chatStreams, "chat", (pieces) => [...pieces, ...chatEnd]),
  ...ended(messagesStreams, "messages", (pieces) => [messageStart, ...pieces, ...messageEnd]),
  ...ended(responsesStreams, "responses", (pieces) => [responseStart, ...pieces]),
  ...ended(geminiStreams, "gemini", (pieces) => pieces),
];

export const wholeShapes: readonly WholeShape[] = [
  {
    name: "chat: calls",
    format: "chat",
    body: (count) => ({
      id: "c",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            tool_calls: list(count, () => ({ function: { name: "look", arguments: '{"a":1}' } })),
          },
          finish_reason: "tool_calls",
        },
      ],
    }),
  },
  {
    name: "chat: parts, pictures and annotations",
    format: "chat",
    body: (count) => ({
      id: "c",
      choices: [
        {
          index: 0,
          message: {
            content: list(count, (at) => ({
              type: at % 2 ? "text" : "thinking",
              text: "a",
              thinking: "b",
            })),
            images: list(count, () => ({ image_url: { url: "data:image/png;base64,AAAA" } })),
            annotations: list(count, () => ({
              type: "url_citation",
              url_citation: { url: "https://a", start_index: 0, end_index: 1 },
            })),
          },
          finish_reason: "stop",
        },
      ],
    }),
  },
  {
    name: "messages: blocks",
    format: "messages",
    body: (count) => ({
      id: "m",
      type: "message",
      role: "assistant",
      content: list(count, (at) => (at % 2 ? use(at) : { type: "text", text: "a" })),
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  },
  {
    name: "responses: items",
    format: "responses",
    body: (count) => ({
      id: "r",
      object: "response",
      status: "completed",
      output: list(count, (at) => (at % 2 ? functionCall(at) : said(at))),
    }),
  },
  {
    name: "gemini: parts",
    format: "gemini",
    body: (count) =>
      geminiChunk(
        list(count, (at) =>
          at % 2
            ? { functionCall: { name: "look", args: { a: 1 } } }
            : { text: "a", thought: at % 4 === 0 },
        ),
        { finishReason: "STOP" },
      ),
  },
];

const opened = (key: number): ReplyEvent => ({
  kind: "open",
  key,
  block: { kind: "call", id: `c${key}`, name: "look", call: "function" },
});
const delta = (key: number, text: string): ReplyEvent => ({ kind: "delta", key, text });
const closed = (key: number): ReplyEvent => ({ kind: "close", key });
const ending: ReplyEvent[] = [{ kind: "stop", reason: "end" }, { kind: "end" }];

/** What readers may give to writers, whatever the provider speaks. */
export const eventShapes: readonly EventShape[] = [
  {
    name: "calls open at once, closed in order",
    events: (count) => [
      { kind: "start" },
      ...list(count, opened),
      ...list(count, (key) => delta(key, "{}")),
      ...list(count, closed),
      ...ending,
    ],
  },
  {
    name: "calls open at once, the first closed last",
    events: (count) => [
      { kind: "start" },
      ...list(count, opened),
      ...list(count, (key) => delta(key, "{}")),
      ...list(count, (key) => closed(count - 1 - key)),
      ...ending,
    ],
  },
  {
    name: "texts open beside a call",
    events: (count) => [
      { kind: "start" },
      opened(count),
      ...list(count, (key): ReplyEvent => ({ kind: "open", key, block: { kind: "text" } })),
      ...list(count, (key) => delta(key, "a")),
      ...list(count, (key) => delta(key, "b")),
      closed(count),
      ...list(count, closed),
      ...ending,
    ],
  },
];
