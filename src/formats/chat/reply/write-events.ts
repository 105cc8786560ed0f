/** Neutral events -> the chunks that a chat client reads. */
import { sseText } from "../../../lib/sse.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import type { OpenBlock, ReplyEvent, StopReason } from "../../../core/events.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import { shifted, writeAnnotations } from "../citations.ts";
import { failureWords } from "./errors.ts";
import { writeFinish } from "./stop-reason.ts";
import {
  brokenAnswer,
  completionId,
  callState,
  mediaMember,
  unsayable,
  writeDetail,
  type ToldThinking,
} from "./write-reply.ts";
import { writeUsage } from "./usage.ts";

interface OpenCall {
  kind: "call";
  index: number;
  id: string;
  custom: boolean;
  fed: boolean;
}

interface OpenText {
  kind: "text";
  /** Where the block begins in the whole text. */
  offset: number;
}

type Open =
  | OpenCall
  | OpenText
  | ({ kind: "thinking" } & ToldThinking)
  | { kind: "refusal" | "other" };

interface Writer {
  echo: ReplyEcho;
  head: JsonObject | undefined;
  ended: boolean;
  open: Map<number, Open>;
  calls: number;
  images: number;
  /** Characters of text so far. */
  length: number;
  citations: Citation[];
  /** Thinking whose state the client is to bring back: told once, before the end. */
  details: JsonObject[];
  usage: Usage;
  stop: StopReason | undefined;
}

export function eventWriter(echo: ReplyEcho): EventWriter {
  const writer: Writer = {
    echo,
    head: undefined,
    ended: false,
    open: new Map(),
    calls: 0,
    images: 0,
    length: 0,
    citations: [],
    details: [],
    usage: {},
    stop: undefined,
  };
  return {
    write(events) {
      let out = "";
      for (const event of events) if (!writer.ended) out += writeEvent(writer, event);
      return out;
    },
    keepAlive: () => ": keep-alive\n\n",
  };
}

function writeEvent(writer: Writer, event: ReplyEvent): string {
  switch (event.kind) {
    case "start":
      return writer.head ? "" : begin(writer, event);
    case "open":
      return openBlock(writer, event.key, event.block);
    case "delta":
      return writeDelta(writer, event.key, event.text);
    case "state":
      return writeState(writer, event.key, event.state);
    case "cite":
      return keepCitation(writer, event.key, event.citation);
    case "close":
      return closeBlock(writer, event.key);
    case "usage":
      writer.usage = addUsage(writer.usage, event.usage);
      return "";
    case "stop":
      writer.stop = event.reason;
      return "";
    case "fail":
      writer.ended = true;
      return sseText(undefined, JSON.stringify(failureWords(event.failure)));
    case "end":
      return finish(writer);
    default:
      return event satisfies never;
  }
}

/** The first chunk. Its id, time and model are those of every later one. */
function begin(writer: Writer, start: { id?: string; created?: number }): string {
  const { echo } = writer;
  writer.head = {
    id: completionId(start.id, echo),
    object: "chat.completion.chunk",
    created: start.created ?? echo.now,
    model: echo.model,
  };
  return choice(writer, { role: "assistant", content: "" });
}

function chunk(writer: Writer, choices: JsonObject[], usage: JsonObject | null): string {
  const { head = {}, echo } = writer;
  return sseText(
    undefined,
    JSON.stringify({ ...head, choices, ...(echo.wantsUsage && { usage }) }),
  );
}

function choice(writer: Writer, delta: JsonObject, finishReason: string | null = null): string {
  return chunk(writer, [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], null);
}

function said(writer: Writer, delta: JsonObject): string {
  return (writer.head ? "" : begin(writer, {})) + choice(writer, delta);
}

function openBlock(writer: Writer, key: number, block: OpenBlock): string {
  switch (block.kind) {
    case "text":
      writer.open.set(key, { kind: "text", offset: writer.length });
      return "";
    case "thinking":
      writer.open.set(key, { kind: "thinking", text: "", redacted: block.redacted === true });
      return "";
    case "refusal":
      writer.open.set(key, { kind: "refusal" });
      return "";
    case "call":
      return openCall(writer, key, block);
    case "media": {
      const member = mediaMember(block, writer.images++);
      return member ? said(writer, member) : "";
    }
    case "opaque":
      if (!block.action) return "";
      writer.ended = true;
      return sseText(undefined, JSON.stringify(failureWords(unsayable(block.type))));
    default:
      return block satisfies never;
  }
}

function openCall(
  writer: Writer,
  key: number,
  block: Extract<OpenBlock, { kind: "call" }>,
): string {
  const custom = block.call === "custom";
  const index = writer.calls++;
  writer.open.set(key, { kind: "call", index, id: block.id, custom, fed: false });
  const { id, name } = block;
  const call = custom
    ? { index, id, type: "custom", custom: { name, input: "" } }
    : { index, id, type: "function", function: { name, arguments: "" } };
  return said(writer, { tool_calls: [call] });
}

function writeDelta(writer: Writer, key: number, text: string): string {
  const block = writer.open.get(key);
  if (!block || text === "") return "";
  switch (block.kind) {
    case "text":
      writer.length += text.length;
      return said(writer, { content: text });
    case "thinking":
      block.text += text;
      return said(writer, { reasoning_content: text });
    case "refusal":
      return said(writer, { refusal: text });
    case "call":
      return said(writer, { tool_calls: [callFragment(block, text)] });
    case "other":
      return "";
    default:
      return block satisfies never;
  }
}

function callFragment(call: OpenCall, text: string): JsonObject {
  call.fed = true;
  return call.custom
    ? { index: call.index, custom: { input: text } }
    : { index: call.index, function: { arguments: text } };
}

function writeState(writer: Writer, key: number, state: OpaqueState): string {
  const block = writer.open.get(key);
  if (block?.kind === "thinking") block.state = state;
  if (block?.kind !== "call" || state.origin === undefined) return "";
  writer.details.push(writeDetail({ text: "", state, callId: block.id }, writer.details.length));
  return said(writer, { tool_calls: [{ index: block.index, extra_content: callState(state) }] });
}

function keepCitation(writer: Writer, key: number, citation: Citation): string {
  const block = writer.open.get(key);
  if (block?.kind === "text") writer.citations.push(shifted(citation, block.offset));
  return "";
}

function closeBlock(writer: Writer, key: number): string {
  const block = writer.open.get(key);
  writer.open.delete(key);
  if (block?.kind === "thinking" && block.state?.origin !== undefined) {
    writer.details.push(writeDetail(block, writer.details.length));
  }
  // A call without arguments has an empty object of them.
  const empty = block?.kind === "call" && !block.fed && !block.custom;
  return empty ? said(writer, { tool_calls: [callFragment(block, "{}")] }) : "";
}

/** The end, once everything is known that belongs into it. */
function finish(writer: Writer): string {
  writer.ended = true;
  const reason = writeFinish(writer.stop ?? "end", writer.calls > 0);
  if (reason === undefined) return sseText(undefined, JSON.stringify(failureWords(brokenAnswer)));
  const annotations = writeAnnotations(writer.citations);
  const members: JsonObject = {
    ...(annotations.length > 0 && { annotations }),
    // One piece: clients keep the last of several.
    ...(writer.details.length > 0 && { reasoning_details: writer.details }),
  };
  const rest = Object.keys(members).length > 0 ? said(writer, members) : "";
  const head = writer.head ? "" : begin(writer, {});
  const usage = writer.echo.wantsUsage ? chunk(writer, [], writeUsage(writer.usage)) : "";
  return rest + head + choice(writer, {}, reason) + usage + "data: [DONE]\n\n";
}
