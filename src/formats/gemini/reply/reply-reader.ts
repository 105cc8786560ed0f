/**
 * Reads one answer of Gemini. A chunk is a whole GenerateContentResponse that holds only what is new; a whole answer is
 * one such chunk. Only the first candidate is read.
 */
import type { ReplyEvent, Stop } from "../../../core/events.ts";
import type { ReadContext } from "../../../core/format.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { cutReply, emptyReply } from "../../../translation/errors.ts";
import { noteSearches, readCitations } from "./citations.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { closeCall, readCallPart } from "./read-calls.ts";
import { readMedia, readServerPart } from "./read-other-parts.ts";
import { closeText, readText, signatureOf } from "./read-text.ts";
import { failReply, newReplyState, openBlock, type ReplyState } from "./reply-state.ts";
import { isUnspecified, readStopReason } from "./stop-reason.ts";
import { laterCounts, readUsage } from "./usage.ts";

/** Reads the chunks of one answer. Nothing is read any more once it has ended. */
export interface ReplyReader {
  /** One chunk, or several in an array. Other values are ignored. */
  value(value: JsonValue): void;
  /** The body ended. `isWhole`: it was one complete JSON object, so that nothing can be missing. */
  bodyEnded(isWhole: boolean): void;
  /** Ends the answer since the body cannot be read on. */
  cut(message: string): void;
  ended(): boolean;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** A reader of one answer. */
export function replyReader(context: ReadContext): ReplyReader {
  const state = newReplyState(context);
  return {
    value(value) {
      const chunks = Array.isArray(value) ? value : [value];
      for (const chunk of chunks) if (isObject(chunk) && !state.ended) readChunk(state, chunk);
    },
    bodyEnded(isWhole) {
      if (!state.ended) finish(state, isWhole);
    },
    cut: (message) => failReply(state, { cause: "cut", status: 502, message }),
    ended: () => state.ended,
    drain() {
      const { events } = state;
      state.events = [];
      return events;
    },
  };
}

function readChunk(state: ReplyState, chunk: JsonObject): void {
  const error = errorOf(chunk);
  const usage = asObject(chunk["usageMetadata"]);
  if (error) {
    if (usage) readCounts(state, usage);
    return failReply(state, statedFailure(error));
  }
  start(state, chunk);
  const candidate = asArray(chunk["candidates"]).find(
    (one) => isObject(one) && (one["index"] ?? 0) === 0,
  );
  if (isObject(candidate)) {
    state.answered = true;
    readCandidate(state, candidate);
  }
  const feedback = asObject(chunk["promptFeedback"]);
  const blockReason = asString(feedback?.["blockReason"]);
  if (feedback && blockReason !== undefined && !isUnspecified(blockReason)) {
    state.stop = { reason: "filter", raw: blockReason, details: feedback };
  }
  if (usage) readCounts(state, usage);
  if (state.failure) failReply(state, state.failure);
}

function start(state: ReplyState, chunk: JsonObject): void {
  const id = asString(chunk["responseId"]);
  if (state.id === undefined && id) state.id = id;
  if (state.started) return;
  state.started = true;
  const model = asString(chunk["modelVersion"]);
  const created = Date.parse(asString(chunk["createTime"]) ?? "");
  state.events.push({
    kind: "start",
    ...(id && { id }),
    ...(model && { model }),
    ...(!Number.isNaN(created) && { created: Math.floor(created / 1000) }),
  });
}

function readCounts(state: ReplyState, metadata: JsonObject): void {
  state.usage = laterCounts(state.usage, metadata);
  const usage = readUsage(state.usage, state.drew);
  if (Object.keys(usage).length > 0) state.events.push({ kind: "usage", usage });
}

function readCandidate(state: ReplyState, candidate: JsonObject): void {
  for (const part of asArray(asObject(candidate["content"])?.["parts"])) {
    if (isObject(part)) readPart(state, part);
  }
  if (candidate["groundingMetadata"] !== undefined || candidate["citationMetadata"] !== undefined)
    emitCitations(state, candidate);
  readSearches(state, candidate);
  readFinish(state, candidate);
}

/** The queries of a grounded answer are listed, not counted. */
function readSearches(state: ReplyState, candidate: JsonObject): void {
  const grounding = asObject(candidate["groundingMetadata"]);
  const queries = asArray(grounding?.["webSearchQueries"]);
  if (grounding === undefined) return;
  if (isMapped(grounding))
    state.events.push({ kind: "usage", usage: { toolUses: { map_search: 1 } } });
  if (queries.length === 0) return;
  noteSearches(state.searched, grounding);
  state.events.push({ kind: "usage", usage: { toolUses: { webSearch: queries.length } } });
}

/** Whether the answer rests on the service's maps. */
function isMapped(grounding: JsonObject): boolean {
  return asArray(grounding["groundingChunks"]).some(
    (chunk) => asObject(asObject(chunk)?.["maps"]) !== undefined,
  );
}

function readFinish(state: ReplyState, candidate: JsonObject): void {
  const raw = asString(candidate["finishReason"]);
  if (raw === undefined || isUnspecified(raw)) return;
  const finishMessage = asString(candidate["finishMessage"]);
  const reason = readStopReason(raw, state.callIds.size > 0);
  if (reason === "error") {
    const message = finishMessage ?? `The provider stopped the answer: ${raw}.`;
    state.failure = { cause: "stated", status: 502, message, code: raw };
    return;
  }
  state.stop = {
    reason,
    raw,
    ...(finishMessage !== undefined && reason === "filter" && { details: { finishMessage } }),
  };
}

function readPart(state: ReplyState, part: JsonObject): void {
  const call = asObject(part["functionCall"]);
  if (call) return readCallPart(state, call, signatureOf(part));
  const text = part["text"];
  if (typeof text === "string") return readText(state, part, text);
  const data = asObject(part["inlineData"]);
  if (data) state.drew ||= asString(data["mimeType"])?.startsWith("image/") === true;
  if (data && readMedia(state, data, signatureOf(part))) return;
  readServerPart(state, part);
}

function emitCitations(state: ReplyState, candidate: JsonObject): void {
  const { openText } = state;
  if (openText?.kind !== "text") return;
  for (const citation of readCitations(candidate, openText)) {
    const json = JSON.stringify(citation);
    if (state.citations.has(json)) continue;
    state.citations.add(json);
    state.events.push({ kind: "cite", key: openText.key, citation });
  }
}

function emitSearch(state: ReplyState): void {
  const { queries, sources } = state.searched;
  if (queries.size === 0) return;
  const search = { query: [...queries].join("; "), sources: [...sources.values()] };
  const block = { kind: "opaque", type: "google_search", raw: {}, action: false, search } as const;
  const key = openBlock(state, block);
  state.events.push({ kind: "close", key });
}

function finish(state: ReplyState, isWhole: boolean): void {
  const hasAnswer = state.stop !== undefined || (isWhole && state.blocks > 0);
  if (!hasAnswer) return failReply(state, state.answered && !isWhole ? cutReply : emptyReply);
  closeCall(state);
  closeText(state);
  emitSearch(state);
  const { reason, ...rest }: Stop = state.stop ?? { reason: "end" };
  state.ended = true;
  state.events.push(
    {
      kind: "stop",
      reason: reason === "end" && state.callIds.size > 0 ? "tools" : reason,
      ...rest,
    },
    { kind: "end" },
  );
}
