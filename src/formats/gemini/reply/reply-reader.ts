/**
 * One answer of Gemini, chunk by chunk, as neutral events. A chunk is a whole GenerateContentResponse that holds only
 * what is new; a whole answer is one such chunk. Only the first candidate is read.
 */
import type { ReadContext } from "../../../core/format.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { closeCall, readCall } from "./read-calls.ts";
import { readMedia, readOther } from "./read-other-parts.ts";
import { fail, newAnswer, type Answer } from "./reply-state.ts";
import { closeText, readText, signatureOf } from "./read-text.ts";
import { readCitations } from "./citations.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { isUnspecified, stopReason } from "./stop-reason.ts";
import { laterCounts, readUsage } from "./usage.ts";

export interface AnswerReader {
  /** The events of one chunk. Empty once the answer is over. */
  chunk(body: JsonObject): ReplyEvent[];
  /** The answer's own end, or `fail` when it broke off. `whole`: nothing can be missing, the JSON was complete. */
  finish(whole: boolean): ReplyEvent[];
  /** Ends the answer with a failure of the transport's making. */
  fail(message: string): ReplyEvent[];
}

export function answerReader(context: ReadContext): AnswerReader {
  const answer = newAnswer(context);
  const take = (): ReplyEvent[] => {
    const events = answer.out;
    answer.out = [];
    return events;
  };
  return {
    chunk(body) {
      if (!answer.over) readChunk(answer, body);
      return take();
    },
    finish(whole) {
      if (!answer.over) finish(answer, whole);
      return take();
    },
    fail(message) {
      if (!answer.over) fail(answer, { cause: "cut", status: 502, message });
      return take();
    },
  };
}

function readChunk(answer: Answer, body: JsonObject): void {
  const error = errorOf(body);
  if (error) return fail(answer, statedFailure(error));
  start(answer, body);
  const candidate = asArray(body["candidates"]).find(
    (one) => isObject(one) && (one["index"] ?? 0) === 0,
  );
  if (isObject(candidate)) readCandidate(answer, candidate);
  if (answer.over) return;
  const blocked = asObject(body["promptFeedback"]);
  const blockReason = asString(blocked?.["blockReason"]);
  if (blocked && blockReason !== undefined && !isUnspecified(blockReason)) {
    answer.stop = { reason: "filter", raw: blockReason, details: blocked };
  }
  const usage = asObject(body["usageMetadata"]);
  if (usage) readCounts(answer, usage);
}

function start(answer: Answer, body: JsonObject): void {
  const id = asString(body["responseId"]);
  if (answer.id === undefined && id) answer.id = id;
  if (answer.started) return;
  answer.started = true;
  const model = asString(body["modelVersion"]);
  const created = Date.parse(asString(body["createTime"]) ?? "");
  answer.out.push({
    kind: "start",
    ...(id && { id }),
    ...(model && { model }),
    ...(!Number.isNaN(created) && { created: Math.floor(created / 1000) }),
  });
}

function readCounts(answer: Answer, metadata: JsonObject): void {
  answer.usage = laterCounts(answer.usage, metadata);
  const usage = readUsage(answer.usage);
  if (Object.keys(usage).length > 0) answer.out.push({ kind: "usage", usage });
}

function readCandidate(answer: Answer, candidate: JsonObject): void {
  for (const part of asArray(asObject(candidate["content"])?.["parts"])) {
    if (isObject(part)) readPart(answer, part);
  }
  if (candidate["groundingMetadata"] !== undefined || candidate["citationMetadata"] !== undefined)
    cite(answer, candidate);
  const raw = asString(candidate["finishReason"]);
  if (raw === undefined || isUnspecified(raw)) return;
  const said = asString(candidate["finishMessage"]);
  const reason = stopReason(raw);
  if (reason === "error") {
    const message = said ?? `the provider stopped: ${raw}`;
    return fail(answer, { cause: "stated", status: 502, message, code: raw });
  }
  answer.stop = {
    reason,
    raw,
    ...(said !== undefined && reason === "filter" && { details: { finishMessage: said } }),
  };
}

function readPart(answer: Answer, part: JsonObject): void {
  const call = asObject(part["functionCall"]);
  if (call) return readCall(answer, call, signatureOf(part));
  const text = part["text"];
  if (typeof text === "string") return readText(answer, part, text);
  const data = asObject(part["inlineData"]);
  if (data && readMedia(answer, data, signatureOf(part))) return;
  readOther(answer, part);
}

function cite(answer: Answer, candidate: JsonObject): void {
  const { open } = answer;
  if (open?.kind !== "text") return;
  for (const citation of readCitations(candidate, open.text)) {
    const same = JSON.stringify(citation);
    if (answer.cited.has(same)) continue;
    answer.cited.add(same);
    answer.out.push({ kind: "cite", key: open.key, citation });
  }
}

function finish(answer: Answer, whole: boolean): void {
  const { stop } = answer;
  if (!stop && !(whole && answer.nextKey > 0)) {
    return answer.started && !whole
      ? fail(answer, { cause: "cut", status: 502, message: "the provider's answer broke off" })
      : fail(answer, { cause: "empty", status: 502, message: "the provider's answer is empty" });
  }
  closeCall(answer);
  closeText(answer);
  const { raw, details } = stop ?? {};
  const reason = stop?.reason ?? "end";
  answer.over = true;
  answer.out.push(
    {
      kind: "stop",
      reason: reason === "end" && answer.calls.size > 0 ? "tools" : reason,
      ...(raw !== undefined && { raw }),
      ...(details && { details }),
    },
    { kind: "end" },
  );
}
