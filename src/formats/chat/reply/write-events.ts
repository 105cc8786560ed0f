/** Writes an answer as the chunks that a chat client reads. */
import type { OpenBlock, OpenCall, ReplyEvent, StopReason } from "../../../core/events.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { sseKeepAlive, sseText } from "../../../lib/sse.ts";
import { placedCitation, writeAnnotations } from "../shared/citations.ts";
import { brokenReply, streamError, unsupportedAction } from "./errors.ts";
import { writeReasoningDetail, type StatedReasoning } from "./reasoning-details.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { callExtraContent, completionId, mediaMembers } from "./write-members.ts";

/** Neutral events in, chunks out. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  const state: WriterState = {
    echo,
    head: "",
    opening: undefined,
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
      for (const event of events) if (!state.ended) out += writeEvent(state, event);
      return out;
    },
    keepAlive: () => writeOpening(state) + sseKeepAlive,
  };
}

/** What is known of an answer while it is written. */
interface WriterState {
  echo: ReplyEcho;
  /** How every chunk begins, as JSON text; empty until the first was written. */
  head: string;
  /** A call whose first entry waits for the event that comes next: its state belongs on that entry. */
  opening: { key: number; entry: JsonObject } | undefined;
  ended: boolean;
  open: Map<number, WrittenBlock>;
  calls: number;
  images: number;
  /** Characters of text so far. */
  length: number;
  citations: Citation[];
  /** Entries of `reasoning_details`, written once, before the end. */
  details: JsonObject[];
  usage: Usage;
  stop: StopReason | undefined;
}

/** An open block. */
type WrittenBlock =
  | WrittenCall
  | WrittenText
  | ({ kind: "thinking" } & StatedReasoning)
  | { kind: "refusal" };

interface WrittenText {
  readonly kind: "text";
  /** Where the block begins in the whole text. */
  readonly offset: number;
  readonly citations: Citation[];
}

interface WrittenCall {
  kind: "call";
  index: number;
  id: string;
  custom: boolean;
  /** Whether any input was written. */
  hasInput: boolean;
}

function writeEvent(state: WriterState, event: ReplyEvent): string {
  if (event.kind === "state") return writeState(state, event.key, event.state);
  return writeOpening(state) + writeOtherEvent(state, event);
}

type OtherEvent = Exclude<ReplyEvent, { kind: "state" }>;

function writeOtherEvent(state: WriterState, event: OtherEvent): string {
  switch (event.kind) {
    case "start":
      return state.head === "" ? writeHead(state, event) : "";
    case "open":
      return openBlock(state, event.key, event.block);
    case "delta":
      return writeText(state, event.key, event.text);
    case "cite":
      return keepCitation(state, event.key, event.citation);
    case "close":
      return closeBlock(state, event.key);
    case "usage":
      state.usage = addUsage(state.usage, event.usage);
      return "";
    case "stop":
      state.stop = event.reason;
      return "";
    case "fail":
      state.ended = true;
      return dataText(streamError(event.failure));
    case "end":
      return finish(state);
    default:
      return event satisfies never;
  }
}

function dataText(value: JsonObject): string {
  return sseText(undefined, JSON.stringify(value));
}

/** The first chunk. Its id, time and model are those of every later one. */
function writeHead(state: WriterState, start: { id?: string; created?: number }): string {
  const { echo } = state;
  const head = {
    id: completionId(start.id, echo),
    object: "chat.completion.chunk",
    created: start.created ?? echo.now,
    model: echo.model,
  };
  state.head = JSON.stringify(head).slice(0, -1);
  return choiceChunk(state, '{"role":"assistant","content":""}');
}

/** `choices` and `usage` are JSON texts: most of a chunk is the same in all, and objects would be written anew each time. */
function chunk({ head, echo }: WriterState, choices: string, usage: string): string {
  const counted = echo.wantsUsage ? `,"usage":${usage}` : "";
  return sseText(undefined, `${head},"choices":${choices}${counted}}`);
}

/** `delta` and `finishReason` as JSON texts. */
function choiceChunk(state: WriterState, delta: string, finishReason = "null"): string {
  const rest = `"logprobs":null,"finish_reason":${finishReason}`;
  return chunk(state, `[{"index":0,"delta":${delta},${rest}}]`, "null");
}

/** A chunk with this delta, as JSON text, after the first chunk. */
function writeDelta(state: WriterState, delta: string): string {
  return (state.head === "" ? writeHead(state, {}) : "") + choiceChunk(state, delta);
}

/** A chunk whose delta is this text, under that name. */
function writeTextDelta(state: WriterState, name: string, text: string): string {
  return writeDelta(state, `{"${name}":${JSON.stringify(text)}}`);
}

/** A chunk with this one entry of a call. */
function writeCall(state: WriterState, entry: JsonObject): string {
  return writeDelta(state, JSON.stringify({ tool_calls: [entry] }));
}

function openBlock(state: WriterState, key: number, block: OpenBlock): string {
  switch (block.kind) {
    case "text":
      state.open.set(key, { kind: "text", offset: state.length, citations: [] });
      return "";
    case "thinking":
      state.open.set(key, { kind: "thinking", text: "" });
      return "";
    case "refusal":
      state.open.set(key, { kind: "refusal" });
      return "";
    case "call":
      return openCall(state, key, block);
    case "media": {
      const members = mediaMembers(block, state.images++);
      return members ? writeDelta(state, JSON.stringify(members)) : "";
    }
    case "opaque":
      if (!block.action) return "";
      state.ended = true;
      return dataText(streamError(unsupportedAction(block.type)));
    default:
      return block satisfies never;
  }
}

function openCall(state: WriterState, key: number, { id, name, call }: OpenCall): string {
  const custom = call === "custom";
  const index = state.calls++;
  state.open.set(key, { kind: "call", index, id, custom, hasInput: false });
  const entry = custom
    ? { index, id, type: "custom", custom: { name, input: "" } }
    : { index, id, type: "function", function: { name, arguments: "" } };
  state.opening = { key, entry };
  return "";
}

/** The first entry of the call that waits, with what is known of its state. */
function writeOpening(state: WriterState, extra: JsonObject = {}): string {
  const { opening } = state;
  if (!opening) return "";
  state.opening = undefined;
  return writeCall(state, { ...opening.entry, ...extra });
}

function writeText(state: WriterState, key: number, text: string): string {
  const block = state.open.get(key);
  if (!block || text === "") return "";
  switch (block.kind) {
    case "text":
      state.length += text.length;
      return writeTextDelta(state, "content", text);
    case "thinking":
      block.text += text;
      return writeTextDelta(state, "reasoning_content", text);
    case "refusal":
      return writeTextDelta(state, "refusal", text);
    case "call":
      return writeCall(state, callFragment(block, text));
    default:
      return block satisfies never;
  }
}

function callFragment(call: WrittenCall, text: string): JsonObject {
  call.hasInput ||= text !== "";
  return call.custom
    ? { index: call.index, custom: { input: text } }
    : { index: call.index, function: { arguments: text } };
}

function writeState(writer: WriterState, key: number, state: OpaqueState): string {
  const block = writer.open.get(key);
  if (block?.kind === "thinking") block.state = state;
  if (block?.kind !== "call" || state.origin === undefined) return "";
  addDetail(writer, { text: "", state, callId: block.id });
  const extra = { extra_content: callExtraContent(state) };
  if (writer.opening?.key === key) return writeOpening(writer, extra);
  // Every entry has the call's own member: clients fail on one without it.
  const entry = { ...callFragment(block, ""), ...extra };
  return writeOpening(writer) + writeCall(writer, entry);
}

function addDetail({ details }: WriterState, reasoning: StatedReasoning): void {
  details.push(writeReasoningDetail(reasoning, details.length));
}

function keepCitation(state: WriterState, key: number, citation: Citation): string {
  const block = state.open.get(key);
  if (block?.kind === "text") block.citations.push(citation);
  return "";
}

function closeBlock(state: WriterState, key: number): string {
  const block = state.open.get(key);
  state.open.delete(key);
  if (block?.kind === "text") placeCitations(state, block);
  if (block?.kind === "thinking" && block.state?.origin !== undefined) addDetail(state, block);
  // The input of a function that got none is an empty object.
  const lacksInput = block?.kind === "call" && !block.hasInput && !block.custom;
  return lacksInput ? writeCall(state, callFragment(block, "{}")) : "";
}

function placeCitations(state: WriterState, { offset, citations }: WrittenText): void {
  const place = { from: offset, length: state.length - offset };
  for (const citation of citations) state.citations.push(placedCitation(citation, place));
}

/** The last chunks: members that are written once, the finish reason, and usage. */
function finish(state: WriterState): string {
  state.ended = true;
  const reason = writeStopReason(state.stop ?? "end", state.calls > 0);
  if (reason === undefined) return dataText(streamError(brokenReply()));
  const annotations = writeAnnotations(state.citations);
  const members: JsonObject = {
    ...(annotations.length > 0 && { annotations }),
    // In one piece: clients keep the last of several.
    ...(state.details.length > 0 && { reasoning_details: state.details }),
  };
  const rest = Object.keys(members).length > 0 ? writeDelta(state, JSON.stringify(members)) : "";
  const head = state.head === "" ? writeHead(state, {}) : "";
  const counts = JSON.stringify(writeUsage(state.usage));
  const usage = state.echo.wantsUsage ? chunk(state, "[]", counts) : "";
  return (
    rest + head + choiceChunk(state, "{}", JSON.stringify(reason)) + usage + "data: [DONE]\n\n"
  );
}
