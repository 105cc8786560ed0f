/** A Responses stream or answer -> neutral events. */
import type { Failure } from "../../../core/failure.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import type { ReplyEvent, StopReason } from "../../../core/events.ts";
import {
  asArray,
  asCount,
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { sseParser } from "../../../lib/sse.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { itemTable, type ItemTable } from "./item-table.ts";
import { blocks, type Blocks } from "./event-collector.ts";
import { readUsage } from "./usage.ts";

interface Progress {
  blocks: Blocks;
  items: ItemTable;
  /** The response's own id, once it is known. */
  id: string;
  started: boolean;
  ended: boolean;
}

function progress(context: ReadContext): Progress {
  const out = blocks();
  const state: Progress = {
    blocks: out,
    items: itemTable({ blocks: out, context, seed: () => state.id }),
    id: "",
    started: false,
    ended: false,
  };
  return state;
}

/** Pushes text, gives events; ends with the terminal event, whether or not `[DONE]` follows. */
export function eventReader(context: ReadContext): EventReader {
  const state = progress(context);
  const parser = sseParser(({ data }) => {
    if (state.ended || data === "" || data === "[DONE]") return;
    const event = parseJson(data);
    // What a broken event would have said, the finished item says again.
    if (!isObject(event)) return;
    if (event["item"] !== undefined || event["response"] !== undefined) keepCalls(event, data);
    onEvent(state, event);
  });
  const guarded = (work: () => void): ReplyEvent[] => {
    if (state.ended) return [];
    try {
      work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      fail(state, cut(error.message));
    }
    return state.blocks.take();
  };
  return {
    feed: (text) => guarded(() => parser.feed(text)),
    end: () =>
      guarded(() => {
        parser.end();
        if (!state.ended)
          fail(state, cut("the provider's stream ended before its answer was complete"));
      }),
  };
}

/** The events that a stream of this answer would have given. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const state = progress(context);
  const error = errorOf(body);
  const answer = asObject(body);
  const status = answer && statusOf(answer, undefined);
  if (answer && (status === "failed" || Array.isArray(answer["output"])) && !isBare(answer))
    onTerminal(state, answer, undefined);
  else if (error) fail(state, statedFailure(error));
  else
    fail(state, {
      cause: "wrong_type",
      status: 502,
      message: "the provider's answer is not a response object",
    });
  return state.blocks.take();
}

/** An error envelope, not an answer that carries an error. */
function isBare(answer: JsonObject): boolean {
  return errorOf(answer) !== undefined && answer["status"] !== "failed";
}

function cut(message: string): Failure {
  return { cause: "cut", status: 502, message };
}

function fail(state: Progress, failure: Failure): void {
  state.ended = true;
  state.blocks.add({ kind: "fail", failure });
}

function start(state: Progress, response: JsonObject | undefined): void {
  if (state.started) return;
  state.started = true;
  const [id, model] = [asString(response?.["id"]), asString(response?.["model"])];
  const created = asCount(response?.["created_at"]);
  state.id = id ?? "";
  state.blocks.add({
    kind: "start",
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && { created }),
  });
}

function onEvent(state: Progress, event: JsonObject): void {
  const type = asString(event["type"]);
  switch (type) {
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return start(state, asObject(event["response"]));
    case "response.completed":
    case "response.done":
    case "response.incomplete":
    case "response.failed":
    case "response.cancelled":
      return onTerminal(state, asObject(event["response"]) ?? {}, type);
    case "error":
      return fail(state, statedFailure(errorOf(event) ?? event));
    case undefined:
      return onUntyped(state, event);
    default:
      start(state, undefined);
      onItemEvent(state.items, event, type);
  }
}

/** Servers that break off say so in an envelope without a type. */
function onUntyped(state: Progress, event: JsonObject): void {
  const error = errorOf(event);
  if (error) fail(state, statedFailure(error));
}

function onItemEvent(items: ItemTable, event: JsonObject, type: string): void {
  switch (type) {
    case "response.output_item.added":
      return items.added(event);
    case "response.output_item.done":
      return items.finished(event);
    case "response.output_text.delta":
    case "response.output_text.done":
    case "response.refusal.delta":
    case "response.refusal.done":
      return onText(items, event, type.startsWith("response.refusal") ? "refusal" : "text");
    case "response.content_part.done":
      return onPart(items, event);
    case "response.output_text.annotation.added":
      return items.of(event, "message").reader.cite?.(asNumber(event["content_index"]) ?? 0, {
        index: asNumber(event["annotation_index"]) ?? 0,
        value: event["annotation"],
      });
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_summary_text.done":
      return onThinking(items, event, `s${asNumber(event["summary_index"]) ?? 0}`);
    case "response.reasoning_text.delta":
    case "response.reasoning_text.done":
      return onThinking(items, event, `c${asNumber(event["content_index"]) ?? 0}`);
    case "response.function_call_arguments.delta":
      return onInput(items, event, "function_call");
    case "response.custom_tool_call_input.delta":
      return onInput(items, event, "custom_tool_call");
    default:
    // Everything else (progress of hosted tools, parts, keep-alives) is said again by the finished item.
  }
}

function onText(items: ItemTable, event: JsonObject, kind: "text" | "refusal"): void {
  const item = items.of(event, "message");
  if (item.done) return;
  const [delta, whole] = [asString(event["delta"]), asString(event[kind])];
  item.reader.text?.(asNumber(event["content_index"]) ?? 0, {
    kind,
    ...(delta === undefined ? { whole: whole ?? "" } : { delta }),
  });
}

function onPart(items: ItemTable, event: JsonObject): void {
  const part = asObject(event["part"]);
  if (!part || part["type"] === "reasoning_text") return;
  const item = items.of(event, "message");
  if (!item.done) item.reader.part?.(asNumber(event["content_index"]) ?? 0, part);
}

function onThinking(items: ItemTable, event: JsonObject, part: string): void {
  const item = items.of(event, "reasoning");
  if (item.done) return;
  const [delta, whole] = [asString(event["delta"]), asString(event["text"])];
  item.reader.think?.(part, delta === undefined ? { whole: whole ?? "" } : { delta });
}

function onInput(items: ItemTable, event: JsonObject, type: string): void {
  const item = items.of(event, type);
  if (!item.done) item.reader.input?.(asString(event["delta"]) ?? "");
}

function onTerminal(state: Progress, response: JsonObject, type: string | undefined): void {
  const usage = readUsage(response["usage"]);
  const status = statusOf(response, type);
  start(state, response);
  if (status === "failed") {
    if (usage) state.blocks.add({ kind: "usage", usage });
    return fail(state, statedFailure(asObject(response["error"]) ?? wordsFor(response)));
  }
  state.items.complete(asArray(response["output"]));
  if (usage) state.blocks.add({ kind: "usage", usage });
  state.blocks.add({ kind: "stop", ...stopOf(response, status, state.items.called()) });
  state.blocks.add({ kind: "end" });
  state.ended = true;
}

type Status = "completed" | "incomplete" | "failed";

/** The object's own word counts more than the event's name; a whole answer that is not finished is none. */
function statusOf(response: JsonObject, type: string | undefined): Status {
  switch (response["status"]) {
    case "failed":
    case "cancelled":
      return "failed";
    case "incomplete":
      return "incomplete";
    case "queued":
    case "in_progress":
      if (type === undefined) return "failed";
      break;
    default:
  }
  if (type === "response.failed" || type === "response.cancelled") return "failed";
  return type === "response.incomplete" ? "incomplete" : "completed";
}

function wordsFor(response: JsonObject): JsonObject {
  const status = asString(response["status"]);
  return status === undefined || status === "failed"
    ? {}
    : { message: `the provider's answer is ${status.replaceAll("_", " ")}` };
}

function stopOf(
  response: JsonObject,
  status: Status,
  called: boolean,
): { reason: StopReason; raw: string } {
  if (status !== "incomplete") return { reason: called ? "tools" : "end", raw: status };
  const raw = asString(asObject(response["incomplete_details"])?.["reason"]) ?? "incomplete";
  return { reason: raw === "content_filter" ? "filter" : "length", raw };
}
