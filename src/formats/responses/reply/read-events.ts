/** Reads a streamed answer of a Responses provider. It ends with its terminal event, whether or not `[DONE]` follows. */
import type { EventReader, ReadContext } from "../../../core/format.ts";
import {
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { repeatParser } from "../../../lib/json-repeats.ts";
import { sseParser } from "../../../lib/sse.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import { cutReply } from "../../../translation/errors.ts";
import { streamReader } from "../../../translation/stream-reader.ts";
import { errorOf, statedFailure } from "./errors.ts";
import type { ItemTable } from "./item-table.ts";
import { contentPart, summaryPart } from "./read-reasoning.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** Stream text in, neutral events out. */
export function eventReader(context: ReadContext): EventReader {
  const reply = replyReader(context);
  const parse = repeatParser({ changing, reusable: isDelta });
  const parser = sseParser(({ data }) => {
    if (!reply.ended()) readData(reply, data, parse);
  });
  return streamReader({
    feed: parser.feed,
    end() {
      parser.end();
      reply.fail(cutReply);
    },
    fail: (message) => reply.fail({ cause: "cut", status: 502, message }),
    ended: reply.ended,
    drain: reply.drain,
  });
}

/** Members that change from delta to delta. */
const changing = new Set(["delta", "obfuscation", "sequence_number"]);

/** Nothing of these events is kept. */
function isDelta({ type, item, response }: JsonObject): boolean {
  const isWhole = item !== undefined || response !== undefined;
  return typeof type === "string" && type.endsWith(".delta") && !isWhole;
}

function readData(
  reply: ReplyReader,
  data: string,
  parse: (text: string) => JsonValue | undefined,
): void {
  if (data === "" || data === "[DONE]") return;
  const event = parse(data);
  // The finished item repeats what a broken event would have brought.
  if (!isObject(event)) return;
  if (event["item"] !== undefined || event["response"] !== undefined) keepCalls(event, data);
  readEvent(reply, event);
}

function readEvent(reply: ReplyReader, event: JsonObject): void {
  const type = asString(event["type"]);
  switch (type) {
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return reply.start(asObject(event["response"]));
    case "response.completed":
    case "response.done":
    case "response.incomplete":
    case "response.failed":
    case "response.cancelled":
      return reply.complete(asObject(event["response"]) ?? {}, type);
    case "error":
      return reply.fail(statedFailure(errorOf(event) ?? event));
    case undefined:
      return readUntyped(reply, event);
    default:
      reply.start(undefined);
      readItemEvent(reply.items, event, type);
  }
}

/** Some servers that break off send an error envelope without a type. */
function readUntyped(reply: ReplyReader, event: JsonObject): void {
  const error = errorOf(event);
  if (error) reply.fail(statedFailure(error));
}

function readItemEvent(items: ItemTable, event: JsonObject, type: string): void {
  switch (type) {
    case "response.output_item.added":
      return items.added(event);
    case "response.output_item.done":
      return items.finished(event);
    case "response.output_text.delta":
    case "response.output_text.done":
      return readText(items, event, "text");
    case "response.refusal.delta":
    case "response.refusal.done":
      return readText(items, event, "refusal");
    case "response.content_part.done":
      return readPart(items, event);
    case "response.output_text.annotation.added":
      return readCitation(items, event);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_summary_text.done":
      return readThinking(items, event, summaryPart(asNumber(event["summary_index"]) ?? 0));
    case "response.reasoning_text.delta":
    case "response.reasoning_text.done":
      return readThinking(items, event, contentPart(contentIndex(event)));
    case "response.function_call_arguments.delta":
      return readInput(items, event, "function_call");
    case "response.custom_tool_call_input.delta":
      return readInput(items, event, "custom_tool_call");
    default:
    // The finished item repeats everything else: progress of hosted tools and parts.
  }
}

function contentIndex(event: JsonObject): number {
  return asNumber(event["content_index"]) ?? 0;
}

function readText(items: ItemTable, event: JsonObject, kind: "text" | "refusal"): void {
  const item = items.itemOf(event, "message");
  if (item.done) return;
  const [delta, whole] = [asString(event["delta"]), asString(event[kind])];
  item.reader.text?.(contentIndex(event), {
    kind,
    ...(delta === undefined ? { whole: whole ?? "" } : { delta }),
  });
}

function readPart(items: ItemTable, event: JsonObject): void {
  const part = asObject(event["part"]);
  if (!part || part["type"] === "reasoning_text") return;
  const item = items.itemOf(event, "message");
  if (!item.done) item.reader.part?.(contentIndex(event), part);
}

function readCitation(items: ItemTable, event: JsonObject): void {
  items.itemOf(event, "message").reader.cite?.(contentIndex(event), {
    index: asNumber(event["annotation_index"]) ?? 0,
    value: event["annotation"],
  });
}

function readThinking(items: ItemTable, event: JsonObject, part: string): void {
  const item = items.itemOf(event, "reasoning");
  if (item.done) return;
  const [delta, whole] = [asString(event["delta"]), asString(event["text"])];
  item.reader.think?.(part, delta === undefined ? { whole: whole ?? "" } : { delta });
}

function readInput(items: ItemTable, event: JsonObject, type: string): void {
  const item = items.itemOf(event, type);
  if (!item.done) item.reader.input?.(asString(event["delta"]) ?? "");
}
