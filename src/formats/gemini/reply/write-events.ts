/**
 * Writes an answer as the chunks that a Gemini client reads: each holds the parts that are new, calls come whole. A line
 * of data and an empty one make a chunk, and there is nothing else on the stream: clients break at comments, names of
 * events and end marks.
 */
import type { OpenBlock, OpenCall, ReplyEvent, Stop } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { sseText } from "../../../lib/sse.ts";
import type { CarriedState } from "../shared/carried-states.ts";
import { type AnswerWords, answerWords } from "./answer-words.ts";
import { callIds } from "./call-ids.ts";
import { type CitedAnswer, citedText } from "./cited-text.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { brokenReply, streamError, unsupportedAction } from "./write-errors.ts";
import { answerHead, callPart, mediaPart, showsThoughts, signedPart } from "./write-parts.ts";

/** A chunk that says nothing, the only filler that every client takes. */
export const geminiKeepAlive = sseText(undefined, "{}");

/** Neutral events in, chunks out. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  const state: WriterState = {
    echo,
    start: { kind: "start" },
    head: undefined,
    ended: false,
    shows: showsThoughts(echo),
    words: answerWords(echo),
    callId: callIds(echo),
    open: new Map(),
    calls: [],
    waiting: [],
    cited: citedText(),
    hasParts: false,
    refused: false,
    usage: {},
    stop: { reason: "end" },
  };
  return {
    write(events) {
      let out = "";
      for (const event of events) if (!state.ended) out += writeEvent(state, event);
      return out;
    },
    keepAlive: () => geminiKeepAlive,
  };
}

/** What is known of an answer while it is written. */
interface WriterState {
  readonly echo: ReplyEcho;
  start: Extract<ReplyEvent, { kind: "start" }>;
  /** How every chunk ends, as JSON text, once the first was written. */
  head: string | undefined;
  ended: boolean;
  readonly shows: boolean;
  readonly words: AnswerWords;
  readonly callId: (id: string) => string;
  readonly open: Map<number, WrittenBlock>;
  /** Calls that are not written yet, in the order in which they opened. */
  readonly calls: WrittenCall[];
  /** State of reasoning that waits for a call, or for the end. */
  waiting: CarriedState[];
  readonly cited: CitedAnswer;
  hasParts: boolean;
  refused: boolean;
  usage: Usage;
  stop: Stop;
}

/** An open block. */
type WrittenBlock =
  | WrittenText
  | { readonly kind: "refusal" }
  | { readonly kind: "thinking" }
  | WrittenCall;

interface WrittenText {
  readonly kind: "text";
  /** Where it begins in the whole text. */
  readonly from: number;
}

interface WrittenCall {
  readonly kind: "call";
  readonly call: OpenCall;
  readonly input: string[];
  state?: OpaqueState;
  closed: boolean;
}

function writeEvent(state: WriterState, event: ReplyEvent): string {
  switch (event.kind) {
    case "start":
      state.start = event;
      return "";
    case "open":
      return openBlock(state, event.key, event.block);
    case "delta":
      return writeText(state, event.key, event.text);
    case "state":
      keepState(state, event.key, event.state);
      return "";
    case "cite": {
      const block = state.open.get(event.key);
      if (block?.kind === "text") state.cited.cite(event.citation, block.from);
      return "";
    }
    case "close":
      return closeBlock(state, event.key);
    case "usage":
      state.usage = addUsage(state.usage, event.usage);
      return "";
    case "stop":
      state.stop = event;
      return "";
    case "fail":
      return fail(state, event.failure);
    case "end":
      return finish(state);
    default:
      return event satisfies never;
  }
}

function openBlock(state: WriterState, key: number, block: OpenBlock): string {
  switch (block.kind) {
    case "text":
      state.open.set(key, { kind: "text", from: state.cited.length() });
      return "";
    case "refusal":
      state.refused = true;
      state.open.set(key, { kind: "refusal" });
      return "";
    case "thinking":
      state.open.set(key, { kind: "thinking" });
      return "";
    case "call": {
      const opened: WrittenCall = { kind: "call", call: block, input: [], closed: false };
      state.open.set(key, opened);
      state.calls.push(opened);
      return "";
    }
    case "media":
      return partChunk(state, mediaPart(block));
    case "opaque":
      if (block.search) state.cited.searched(block.search);
      return block.action ? fail(state, unsupportedAction(block.type)) : "";
    default:
      return block satisfies never;
  }
}

function writeText(state: WriterState, key: number, text: string): string {
  const block = state.open.get(key);
  if (!block || text === "") return "";
  switch (block.kind) {
    case "text": {
      const said = state.words.feed(text);
      if (said === "") return "";
      state.cited.add(said);
      return partChunk(state, { text: said });
    }
    case "refusal":
      state.cited.add(text);
      return partChunk(state, { text });
    case "thinking":
      return state.shows ? partChunk(state, { text, thought: true }) : "";
    case "call":
      block.input.push(text);
      return "";
    default:
      return block satisfies never;
  }
}

function keepState(writer: WriterState, key: number, state: OpaqueState): void {
  const block = writer.open.get(key);
  if (block?.kind === "call") block.state = state;
  else writer.waiting.push({ state, owner: "thinking" });
}

function closeText(state: WriterState, { from }: WrittenText): string {
  const rest = state.words.end();
  if (rest !== "") state.cited.add(rest);
  state.cited.close(from);
  return rest === "" ? "" : partChunk(state, { text: rest });
}

/** A call is written when all of it and of those before it is known. */
function closeBlock(state: WriterState, key: number): string {
  const block = state.open.get(key);
  state.open.delete(key);
  if (block?.kind === "text") return closeText(state, block);
  if (block?.kind !== "call") return "";
  block.closed = true;
  let out = "";
  for (let [next] = state.calls; next?.closed === true; [next] = state.calls) {
    state.calls.shift();
    out += writeCall(state, next);
  }
  return out;
}

/** The first call takes the state of the reasoning before it. */
function writeCall(writer: WriterState, { call, input, state }: WrittenCall): string {
  const own: CarriedState[] = state ? [{ state, owner: "part" }] : [];
  const states = [...writer.waiting, ...own];
  writer.waiting = [];
  return partChunk(
    writer,
    signedPart(callPart(call, writer.callId(call.id), input.join("")), states),
  );
}

function partChunk(state: WriterState, part: JsonObject): string {
  state.hasParts = true;
  const content = `{"parts":[${JSON.stringify(part)}],"role":"model"}`;
  return chunkOf(state, `{"candidates":[{"content":${content},"index":0}]}`);
}

function chunk(state: WriterState, members: JsonObject): string {
  return chunkOf(state, JSON.stringify(members));
}

/** `members`: a JSON object's text. What all chunks have in common is written once. */
function chunkOf(state: WriterState, members: string): string {
  state.head ??= JSON.stringify(answerHead(state.start, state.echo)).slice(1);
  return lineOf(`${members.slice(0, -1)},${state.head}`);
}

/** Some clients take every line separator of Unicode for the end of a line. */
function lineOf(json: string): string {
  return sseText(undefined, json.replace(separators, escaped));
}

const separators = /[\u0085\u2028\u2029]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The error is told in place of an end: an answer that breaks off is never taken for whole. */
function fail(state: WriterState, failure: Failure): string {
  state.ended = true;
  return lineOf(JSON.stringify(streamError(failure)));
}

/** The last chunk: why the answer stopped, its usage, its sources, and state that found no call. */
function finish(state: WriterState): string {
  const { stop, refused, waiting, usage } = state;
  const finishReason = writeStopReason(stop.reason, refused);
  if (finishReason === undefined) return fail(state, brokenReply(stop));
  state.ended = true;
  const usageMetadata = writeUsage(usage);
  if (stop.reason === "filter" && !state.hasParts && waiting.length === 0)
    return chunk(state, { promptFeedback: { blockReason: finishReason }, usageMetadata });
  const groundingMetadata = state.cited.grounding();
  const candidate = {
    content: { parts: [signedPart({ text: "" }, waiting)], role: "model" },
    finishReason,
    index: 0,
    ...(groundingMetadata && { groundingMetadata }),
  };
  return chunk(state, { candidates: [candidate], usageMetadata });
}
