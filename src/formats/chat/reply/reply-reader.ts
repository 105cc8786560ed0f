/**
 * Reads one answer from chat's chunks. A whole answer is read as one chunk whose delta is the message, so that streamed
 * and whole answers follow the same rules.
 */
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { newId } from "../../../lib/ids.ts";
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import type { Usage } from "../../../core/usage.ts";
import { readDataUrl } from "../../../translation/media.ts";
import { readAnnotations, readSources } from "../citations.ts";
import { nestedText } from "../wire-text.ts";
import { readStatedFailure } from "./errors.ts";
import { callReader, type CallReader } from "./read-calls.ts";
import { textReader, type TextReader, type TextReaderOptions } from "./read-text.ts";
import { reasoningDetails, reasoningText, type ReasoningDetails } from "./reasoning-details.ts";
import { readStopReason } from "./stop-reason.ts";
import { readUsage } from "./usage.ts";

/** Reads the chunks of one answer. Nothing is read any more once it has ended. */
export interface ReplyReader {
  chunk(chunk: JsonObject): void;
  /** A body that is a whole answer. */
  whole(body: JsonObject): void;
  /** The server's own end. */
  done(): void;
  /** The body ended: an end if a finish reason came, else a failure. */
  bodyEnded(): void;
  fail(failure: Failure): void;
  ended(): boolean;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** A reader of one answer. */
export function replyReader(context: ReadContext): ReplyReader {
  const state = newState(context);
  return {
    chunk: (chunk) => readChunk(state, chunk, false),
    whole(body) {
      readChunk(state, body, true);
      finish(state);
    },
    done: () => finish(state),
    bodyEnded() {
      const isCut = state.answered && state.finishReason === undefined;
      if (isCut) fail(state, cutReply);
      else finish(state);
    },
    fail: (failure) => fail(state, failure),
    ended: () => state.ended,
    drain() {
      const { events } = state;
      state.events = [];
      return events;
    },
  };
}

/** What is known of an answer while it is read. */
interface ReplyState {
  events: ReplyEvent[];
  ended: boolean;
  /** Members of the start event, once it was emitted. */
  start: { id?: string; model?: string; created?: number } | undefined;
  /** A choice came: the model answered, if only with nothing. */
  answered: boolean;
  finishReason: string | undefined;
  stopSequence: string | undefined;
  /** The latest chunk with a list of sources. */
  sources: JsonObject | undefined;
  /** Some servers send reasoning in two members: the one that came first counts. */
  reasoningMember: "plain" | "details" | undefined;
  /** Base64 of audio so far. */
  audio: string;
  details: ReasoningDetails;
  calls: CallReader;
  text: TextReader;
  /** Blocks opened so far; the next block's key. */
  blocks: number;
}

function newState(context: ReadContext): ReplyState {
  const details = reasoningDetails();
  const emit = (event: ReplyEvent): void => {
    state.events.push(event);
  };
  const newKey = (): number => state.blocks++;
  const seed = (): string => state.start?.id ?? newId("");
  const calls = callReader({ context, emit, newKey, seed });
  const takeState: TextReaderOptions["takeState"] = () => {
    const data = details.takeState();
    if (data === undefined) return undefined;
    return { format: "chat", origin: context.origin, type: "reasoning_details", data };
  };
  const text = textReader({ emit, newKey, onOpen: calls.closeComplete, takeState });
  const state: ReplyState = {
    events: [],
    ended: false,
    start: undefined,
    answered: false,
    finishReason: undefined,
    stopSequence: undefined,
    sources: undefined,
    reasoningMember: undefined,
    audio: "",
    details,
    calls,
    text,
    blocks: 0,
  };
  return state;
}

const emptyReply: Failure = {
  cause: "empty",
  status: 502,
  message: "The provider's answer is empty.",
};
const failedReply: Failure = {
  cause: "stated",
  status: 502,
  message: "The provider ended its answer with an error.",
};
const cutReply: Failure = {
  cause: "cut",
  status: 502,
  message: "The provider's stream ended before its answer was complete.",
};

function fail(state: ReplyState, failure: Failure): void {
  if (state.ended) return;
  state.ended = true;
  state.events.push({ kind: "fail", failure });
}

/** `whole`: the chunk's choice is complete. */
function readChunk(state: ReplyState, chunk: JsonObject, whole: boolean): void {
  if (state.ended) return;
  const choice = firstChoice(chunk);
  const failure = statedFailure(chunk, choice);
  if (failure) {
    fail(state, failure);
    return;
  }
  if (Array.isArray(chunk["citations"]) || Array.isArray(chunk["search_results"]))
    state.sources = chunk;
  if (choice) {
    start(state, chunk);
    state.answered = true;
    readChoice(state, choice, whole);
  }
  const usage = usageOf(chunk, choice);
  if (usage) {
    start(state, chunk);
    state.events.push({ kind: "usage", usage });
  }
}

/** Only the first of several choices is read. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
  const isFirst = (entry: JsonValue): boolean => isObject(entry) && (entry["index"] ?? 0) === 0;
  return asObject(asArray(chunk["choices"]).find(isFirst));
}

function statedFailure(chunk: JsonObject, choice: JsonObject | undefined): Failure | undefined {
  const error = choice?.["error"] ?? asObject(chunk["x_groq"])?.["error"];
  return (
    readStatedFailure(chunk) ?? (error === undefined ? undefined : readStatedFailure({ error }))
  );
}

function usageOf(chunk: JsonObject, choice: JsonObject | undefined): Usage | undefined {
  return (
    readUsage(chunk["usage"]) ??
    readUsage(choice?.["usage"]) ??
    readUsage(asObject(chunk["x_groq"])?.["usage"])
  );
}

/** The answer is over: emits its stop and end, or the failure that it is. */
function finish(state: ReplyState): void {
  if (state.ended) return;
  if (!state.answered) return fail(state, emptyReply);
  const { finishReason, stopSequence } = state;
  closeBlocks(state);
  const reason = readStopReason(finishReason, state.calls.any());
  if (reason === "error")
    return fail(state, {
      ...failedReply,
      ...(finishReason !== undefined && { code: finishReason }),
    });
  state.events.push({
    kind: "stop",
    ...(reason === "end" && stopSequence !== undefined
      ? { reason: "stop_sequence", sequence: stopSequence }
      : { reason }),
    ...(finishReason !== undefined && { raw: finishReason }),
  });
  state.events.push({ kind: "end" });
  state.ended = true;
}

function start(state: ReplyState, chunk: JsonObject): void {
  if (state.start) return;
  const id = filled(chunk["id"]);
  const model = filled(chunk["model"]);
  const created = asCount(chunk["created"]);
  state.start = {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && created > 0 && { created }),
  };
  state.events.push({ kind: "start", ...state.start });
}

function readChoice(state: ReplyState, choice: JsonObject, whole: boolean): void {
  const delta = asObject(choice["delta"]);
  // A message in place of a delta is the whole answer, unless it repeats what was streamed.
  const message = !delta && state.blocks === 0 ? asObject(choice["message"]) : undefined;
  if (delta) readDelta(state, delta, whole);
  else if (message) readDelta(state, message, true);
  const reason = filled(choice["finish_reason"]);
  if (reason === undefined) return;
  state.finishReason ??= reason;
  state.stopSequence ??= filled(choice["stop_reason"]);
  closeBlocks(state);
}

function readDelta(state: ReplyState, delta: JsonObject, whole: boolean): void {
  const { text } = state;
  readReasoning(state, delta);
  readContent(state, delta["content"]);
  text.add("refusal", asString(delta["refusal"]) ?? "");
  text.cite(readAnnotations(delta["annotations"]));
  for (const image of asArray(delta["images"])) readImage(state, image);
  const audio = asObject(delta["audio"]);
  text.add("text", asString(audio?.["transcript"]) ?? "");
  state.audio += asString(audio?.["data"]) ?? "";
  readCalls(state, delta, whole);
}

function readReasoning(state: ReplyState, delta: JsonObject): void {
  const entries = asArray(delta["reasoning_details"]);
  state.details.add(entries);
  const plain = filled(delta["reasoning_content"]) ?? filled(delta["reasoning"]) ?? "";
  const detailed = reasoningText(entries);
  if (plain === "" && detailed === "") return;
  state.reasoningMember ??= plain === "" ? "details" : "plain";
  state.text.add("thinking", state.reasoningMember === "plain" ? plain : detailed);
}

function readContent(state: ReplyState, content: JsonValue | undefined): void {
  if (typeof content === "string") {
    state.text.add("text", content);
    return;
  }
  for (const part of asArray(content)) {
    if (typeof part === "string") state.text.add("text", part);
    else if (isObject(part)) readPart(state, part);
  }
}

function readPart(state: ReplyState, part: JsonObject): void {
  const { text } = state;
  if (part["type"] === "thinking") text.add("thinking", nestedText(part["thinking"]));
  else if (part["type"] === "refusal") text.add("refusal", asString(part["refusal"]) ?? "");
  else if (part["type"] === "image_url") readImage(state, part);
  else text.add("text", asString(part["text"]) ?? "");
}

function readImage(state: ReplyState, value: JsonValue): void {
  const image = asObject(value);
  const url = asString(asObject(image?.["image_url"])?.["url"]) ?? filled(image?.["image_url"]);
  if (url === undefined || url === "") return;
  const inline = readDataUrl(url);
  if (inline) emitBlock(state, { kind: "media", media: "image", ...inline });
  else state.text.add("text", `![image](${url})`);
}

/** A block that has no deltas. */
function emitBlock(state: ReplyState, block: OpenBlock): void {
  state.text.close();
  const key = state.blocks++;
  state.events.push({ kind: "open", key, block }, { kind: "close", key });
}

function readCalls(state: ReplyState, delta: JsonObject, whole: boolean): void {
  const entries = asArray(delta["tool_calls"]).filter(isObject);
  const legacy = asObject(delta["function_call"]);
  const isLegacy =
    entries.length === 0 &&
    (filled(legacy?.["name"]) ?? filled(legacy?.["arguments"])) !== undefined;
  if (entries.length === 0 && !isLegacy) return;
  state.text.close();
  entries.forEach((entry, at) => state.calls.feed(entry, whole ? at : undefined));
  if (isLegacy && legacy) state.calls.feed({ index: 0, function: legacy });
}

function closeBlocks(state: ReplyState): void {
  const { text, sources } = state;
  if (sources && !text.hasCitations()) text.cite(readSources(sources));
  if (state.audio !== "") {
    emitBlock(state, { kind: "media", media: "audio", mime: "audio/wav", data: state.audio });
    state.audio = "";
  }
  text.close();
  state.calls.closeAll();
  text.closeReasoning();
}

function filled(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
