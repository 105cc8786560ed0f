/** What the translation bench translates: an agent's request of about 300 KB, and an answer that is streamed. */
import type { ReplyEcho } from "../../src/core/format.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { defaultTraits, type Target } from "../../src/core/model.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const bodyBytes = 300_000;
const textDeltas = 400;
const thinkingDeltas = 100;
const calls = 4;
const fragments = 30;

const line =
  '  const answer = await gateway.handle(request); // ünïcode, "quotes" and \\ escapes\n';

/** As a coding agent sends it: a long system prompt, twenty tools with schemas, calls and results in turn. */
function agentBody(): JsonObject {
  const messages: JsonObject[] = [{ role: "user", content: "Please mend the failing test." }];
  const body: JsonObject = {
    model: "bench/m",
    max_tokens: 32_000,
    stream: true,
    system: [
      { type: "text", text: line.repeat(120) },
      { type: "text", text: line.repeat(120), cache_control: { type: "ephemeral" } },
    ],
    tools: Array.from({ length: 20 }, (_, index) => agentTool(index)),
    messages,
  };
  let size = JSON.stringify(body).length;
  for (let turn = 0; size < bodyBytes; turn++) {
    const added = agentTurn(turn);
    messages.push(...added);
    size += JSON.stringify(added).length;
  }
  return body;
}

function agentTool(index: number): JsonObject {
  const names = Array.from({ length: 6 }, (_, at) => `parameter_${at}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: "string", description: line.repeat(2), minLength: 1 }]),
  );
  return {
    name: `tool_${index}`,
    description: line.repeat(8),
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties,
      required: names.slice(0, 2),
      additionalProperties: false,
    },
  };
}

function agentTurn(turn: number): JsonObject[] {
  const ids = [`toolu_${turn}_a`, `toolu_${turn}_b`];
  const uses = ids.map((id) => ({
    type: "tool_use",
    id,
    name: `tool_${turn % 20}`,
    input: { parameter_0: `src/file-${turn}.ts`, parameter_1: line },
  }));
  const results = ids.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: line.repeat(14),
  }));
  return [
    { role: "assistant", content: [{ type: "text", text: line }, ...uses] },
    { role: "user", content: results },
  ];
}

export function target(format: FormatName): Target {
  return { model: "m", connection: "bench", format, traits: defaultTraits(format), stream: true };
}

/** The same request as a client of each dialect would write it, as JSON text. */
export function requestText(client: ClientFormatName): string {
  const body = agentBody();
  if (client === "messages") return JSON.stringify(body);
  const { body: written } = providerFormats[client].writeRequest(
    clientFormats.messages.readRequest(body),
    target(client),
  );
  return JSON.stringify({ ...written, model: "bench/m" });
}

export function echo(): ReplyEcho {
  let count = 0;
  return {
    model: "bench/m",
    wantsUsage: true,
    newId: (prefix) => `${prefix}${count++}`,
    now: 1_700_000_000,
    request: {},
  };
}

/** A provider's stream as the pieces in which it arrives: an event each. */
export function streamPieces(provider: FormatName): Uint8Array[] {
  const encoder = new TextEncoder();
  const texts =
    provider === "gemini"
      ? geminiChunks()
      : [clientFormats[provider].eventWriter(echo()).write(answer())];
  return texts.flatMap((text) => text.split(/(?<=\n\n)(?=\S)/)).map((text) => encoder.encode(text));
}

function answer(): ReplyEvent[] {
  const events: ReplyEvent[] = [{ kind: "start", id: "bench", model: "m", created: 1_700_000_000 }];
  events.push({ kind: "open", key: 0, block: { kind: "thinking" } });
  for (let n = 0; n < thinkingDeltas; n++)
    events.push({ kind: "delta", key: 0, text: "weighing it up " });
  events.push({ kind: "close", key: 0 }, { kind: "open", key: 1, block: { kind: "text" } });
  for (let n = 0; n < textDeltas; n++) events.push({ kind: "delta", key: 1, text: "some words " });
  events.push({ kind: "close", key: 1 });
  for (let call = 0; call < calls; call++) {
    const key = 2 + call;
    events.push({
      kind: "open",
      key,
      block: { kind: "call", id: `call_${call}`, name: "tool_1", call: "function" },
    });
    events.push({ kind: "delta", key, text: '{"parameter_0":"' });
    for (let n = 0; n < fragments; n++)
      events.push({ kind: "delta", key, text: "const x = 1;\\n" });
    events.push({ kind: "delta", key, text: '"}' }, { kind: "close", key });
  }
  events.push({
    kind: "usage",
    usage: { input: 80_000, cacheRead: 70_000, output: 900, reasoning: 200 },
  });
  return [...events, { kind: "stop", reason: "tools" }, { kind: "end" }];
}

function geminiChunks(): string[] {
  const usageMetadata = {
    promptTokenCount: 80_000,
    candidatesTokenCount: 700,
    thoughtsTokenCount: 200,
    totalTokenCount: 80_900,
  };
  const chunk = (part: JsonObject, finishReason?: string): string => {
    const candidate = {
      content: { role: "model", parts: [part] },
      index: 0,
      ...(finishReason !== undefined && { finishReason }),
    };
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: "m", responseId: "bench" })}\r\n\r\n`;
  };
  return [
    ...Array.from({ length: thinkingDeltas }, () =>
      chunk({ text: "weighing it up ", thought: true }),
    ),
    ...Array.from({ length: textDeltas }, () => chunk({ text: "some words " })),
    ...Array.from({ length: calls }, () =>
      chunk({
        functionCall: { name: "tool_1", args: { parameter_0: "const x = 1;\n".repeat(fragments) } },
      }),
    ),
    chunk({ text: "" }, "STOP"),
  ];
}
