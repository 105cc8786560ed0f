/** Reads a streamed answer of a Messages provider. */
import type { Failure } from "../../../core/failure.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { asNumber, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { repeatParser } from "../../../lib/json-repeats.ts";
import { sseParser, type SseEvent } from "../../../lib/sse.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import { cutReply } from "../../../translation/errors.ts";
import { streamReader } from "../../../translation/stream-reader.ts";
import { isError, statedFailure, wrongTypeFailure } from "./errors.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** Stream text in, neutral events out. */
export function eventReader(context: ReadContext): EventReader {
  const reply = replyReader(context);
  const reading: Reading = {
    reply,
    parse: repeatParser({ changing, reusable: isPlainDelta }),
    bodyEnded: false,
  };
  const parser = sseParser((event) => {
    if (!reply.ended()) readData(reading, event);
  });
  return streamReader({
    feed: parser.feed,
    end() {
      reading.bodyEnded = true;
      parser.end();
      reply.fail(cutReply);
    },
    fail: (message) => reply.fail({ cause: "wrong_type", status: 502, message }),
    ended: reply.ended,
    drain: reply.drain,
  });
}

/** Members that change from delta to delta. */
const changing = new Set(["text", "thinking", "partial_json"]);

/** Whether an event holds only texts, none of whose objects is kept. */
function isPlainDelta({ type, delta, content_block: block }: JsonObject): boolean {
  const isFlat =
    isObject(delta) && !Object.values(delta).some((value) => typeof value === "object");
  return type === "content_block_delta" && block === undefined && isFlat;
}

interface Reading {
  readonly reply: ReplyReader;
  readonly parse: (text: string) => JsonValue | undefined;
  /** The event may be half of one. */
  bodyEnded: boolean;
}

function readData({ reply, parse, bodyEnded }: Reading, { event, data }: SseEvent): void {
  if (data === "" || data === "[DONE]") return;
  const value = parse(data);
  if (isObject(value)) {
    // Some servers send a call's whole input with its start.
    if (value["content_block"] !== undefined) keepCalls(value, data);
    readEvent(reply, withType(value, event));
  } else if (!bodyEnded) {
    reply.fail(wrongTypeFailure());
  }
}

/** Some servers give the type only as the event's name. */
function withType(value: JsonObject, event: string | undefined): JsonObject {
  return typeof value["type"] === "string" || event === undefined
    ? value
    : { ...value, type: event };
}

function readEvent(reply: ReplyReader, event: JsonObject): void {
  const { delta, content_block: block } = event;
  switch (event["type"]) {
    case "message_start":
      return readStart(reply, event);
    case "content_block_start":
      if (isObject(block)) reply.openBlock(blockIndex(event), block);
      return;
    case "content_block_delta":
      if (isObject(delta)) reply.delta(blockIndex(event), delta);
      return;
    case "content_block_stop":
      return reply.closeBlock(blockIndex(event));
    case "message_delta":
      if (isObject(delta)) reply.stop(delta);
      return reply.usage(event["usage"]);
    case "message_stop":
      return reply.end();
    default:
      if (!isError(event)) return;
      reply.usage(event["usage"]);
      reply.fail(statedFailure(event));
  }
}

const secondAnswer: Failure = {
  cause: "cut",
  status: 502,
  message: "The provider began a second answer in the middle of the first.",
};

function readStart(reply: ReplyReader, event: JsonObject): void {
  // The blocks of the first answer cannot be taken back.
  if (reply.hasBlocks()) reply.fail(secondAnswer);
  else reply.start(isObject(event["message"]) ? event["message"] : {});
}

/** The number of an event's block; servers that leave it out mean the first. */
function blockIndex(event: JsonObject): number {
  return asNumber(event["index"]) ?? 0;
}
