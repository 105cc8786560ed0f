/**
 * Reads one answer from chat's chunks. A whole answer is read as one chunk whose delta is the message, so that streamed
 * and whole answers follow the same rules.
 */
import { startEvent, type ReplyEvent, type Stop } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import type { Usage } from "../../../core/usage.ts";
import { asCount, asFilledString, asObject, isObject, type JsonObject } from "../../../lib/json.ts";
import { cutReply, emptyReply } from "../../../translation/errors.ts";
import { readSources } from "../shared/citations.ts";
import { readStatedFailure } from "./errors.ts";
import { readDelta } from "./read-delta.ts";
import { emitBlock, failReply, newReplyState, type ReplyState } from "./reply-state.ts";
import { readStopReason } from "./stop-reason.ts";
import { readBill } from "./usage.ts";

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
  const state = newReplyState(context);
  return {
    chunk: (chunk) => readChunk(state, chunk, false),
    whole(body) {
      readChunk(state, body, true);
      finish(state);
    },
    done: () => finish(state),
    bodyEnded() {
      const isCut = state.answered && state.finishReason === undefined;
      if (isCut) failReply(state, cutReply);
      else finish(state);
    },
    fail: (failure) => failReply(state, failure),
    ended: () => state.ended,
    drain() {
      const { events } = state;
      state.events = [];
      return events;
    },
  };
}

const failedReply: Failure = {
  cause: "stated",
  status: 502,
  message: "The provider ended its answer with an error.",
};

/** `whole`: the chunk's choice is complete. */
function readChunk(state: ReplyState, chunk: JsonObject, whole: boolean): void {
  if (state.ended) return;
  const choice = firstChoice(chunk);
  const failure = statedFailure(chunk, choice);
  if (failure) {
    readUsed(state, chunk, choice);
    failReply(state, failure);
    return;
  }
  if (Array.isArray(chunk["citations"]) || Array.isArray(chunk["search_results"]))
    state.sources = chunk;
  if (choice) {
    start(state, chunk);
    state.answered = true;
    readChoice(state, choice, whole);
  }
  readUsed(state, chunk, choice);
}

function readUsed(state: ReplyState, chunk: JsonObject, choice: JsonObject | undefined): void {
  const usage = usageOf(chunk, choice);
  if (usage === undefined) return;
  start(state, chunk);
  state.events.push({ kind: "usage", usage });
}

/** Only the first of several choices is read. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
  const { choices } = chunk;
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices) if (isObject(choice) && (choice["index"] ?? 0) === 0) return choice;
  return undefined;
}

function statedFailure(chunk: JsonObject, choice: JsonObject | undefined): Failure | undefined {
  const error = choice?.["error"] ?? asObject(chunk["x_groq"])?.["error"];
  return (
    readStatedFailure(chunk) ?? (error === undefined ? undefined : readStatedFailure({ error }))
  );
}

function usageOf(chunk: JsonObject, choice: JsonObject | undefined): Usage | undefined {
  const groq = asObject(chunk["x_groq"])?.["usage"];
  const nowhere = !isObject(chunk["usage"]) && !isObject(choice?.["usage"]) && !isObject(groq);
  return nowhere ? undefined : readBill(chunk, [chunk["usage"], choice?.["usage"], groq]);
}

/** The answer is over: emits its stop and end, or the failure that it is. */
function finish(state: ReplyState): void {
  if (state.ended) return;
  if (!state.answered) return failReply(state, emptyReply);
  const { finishReason, stopSequence } = state;
  closeBlocks(state);
  const reason = readStopReason(finishReason, state.calls.any());
  if (reason === "error")
    return failReply(state, {
      ...failedReply,
      ...(finishReason !== undefined && { code: finishReason }),
    });
  const stop: Stop =
    reason === "end" && stopSequence !== undefined
      ? { reason: "stop_sequence", sequence: stopSequence }
      : { reason };
  if (finishReason !== undefined) stop.raw = finishReason;
  state.events.push({ kind: "stop", ...stop }, { kind: "end" });
  state.ended = true;
}

function start(state: ReplyState, chunk: JsonObject): void {
  if (state.start) return;
  const id = asFilledString(chunk["id"]);
  const model = asFilledString(chunk["model"]);
  const created = asCount(chunk["created"]);
  state.start = startEvent({ id, model, created: created === 0 ? undefined : created });
  state.events.push(state.start);
}

function readChoice(state: ReplyState, choice: JsonObject, whole: boolean): void {
  const delta = asObject(choice["delta"]);
  // A message in place of a delta is the whole answer, unless it repeats what was streamed.
  const message = !delta && state.blocks === 0 ? asObject(choice["message"]) : undefined;
  if (delta) readDelta(state, delta, whole);
  else if (message) readDelta(state, message, true);
  const reason = asFilledString(choice["finish_reason"]);
  if (reason === undefined) return;
  state.finishReason ??= reason;
  state.stopSequence ??= asFilledString(choice["stop_reason"]);
  closeBlocks(state);
}

/** Emits what waits for the end, and closes all blocks. */
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
