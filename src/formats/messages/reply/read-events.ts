/** A streamed answer in this dialect as neutral events. */
import { isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { sseParser, type SseEvent } from "../../../lib/sse.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import { cutFailure, statedFailure, strangeBody } from "./errors.ts";
import { blockIndex, isError, replyAssembly, type ReplyAssembly } from "./reply-reader.ts";

export function eventReader(context: ReadContext): EventReader {
  const reply = replyAssembly(context);
  let ended = false;
  let flushing = false;
  const fail = (failure: Failure): void => {
    ended = true;
    reply.fail(failure);
  };
  const read = ({ event, data }: SseEvent): void => {
    if (ended || data === "" || data === "[DONE]") return;
    const value = parseJson(data);
    if (isObject(value)) {
      // Some servers send a call's input whole with its start.
      if (value["content_block"] !== undefined) keepCalls(value, data);
      ended = readEvent(reply, typed(value, event), fail);
    }
    // What stood unfinished at the end of the body is part of the cut; anything else is broken.
    else if (!flushing) fail(strangeBody());
  };
  const parser = sseParser(read);
  const guarded = (step: () => void): ReplyEvent[] => {
    if (ended) return [];
    try {
      step();
    } catch (error) {
      // The parser's own limit on the length of one event.
      if (!(error instanceof RangeError)) throw error;
      fail({ cause: "wrong_type", status: 502, message: error.message });
    }
    return reply.take();
  };
  return {
    feed: (text) => guarded(() => parser.feed(text)),
    end: () =>
      guarded(() => {
        flushing = true;
        parser.end();
        if (!ended) fail(cutFailure());
      }),
  };
}

function typed(value: JsonObject, event: string | undefined): JsonObject {
  return typeof value["type"] === "string" || event === undefined
    ? value
    : { ...value, type: event };
}

/** Reads one event into the answer; true when nothing may follow it. */
function readEvent(
  reply: ReplyAssembly,
  event: JsonObject,
  fail: (failure: Failure) => void,
): boolean {
  switch (event["type"]) {
    case "message_start":
      // A second answer in the middle of the first: what was said can't be taken back.
      if (reply.begun()) {
        fail({ cause: "cut", status: 502, message: "the provider began its answer anew" });
        return true;
      }
      reply.start(isObject(event["message"]) ? event["message"] : {});
      return false;
    case "content_block_start":
      if (isObject(event["content_block"]))
        reply.openBlock(blockIndex(event), event["content_block"]);
      return false;
    case "content_block_delta":
      if (isObject(event["delta"])) reply.delta(blockIndex(event), event["delta"]);
      return false;
    case "content_block_stop":
      reply.closeBlock(blockIndex(event));
      return false;
    case "message_delta":
      if (isObject(event["delta"])) reply.stopped(event["delta"]);
      reply.counted(event["usage"]);
      return false;
    case "message_stop":
      reply.end();
      return true;
    default:
      if (!isError(event)) return false;
      fail(statedFailure(event));
      return true;
  }
}
