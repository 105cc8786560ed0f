/** Reads a whole answer of a Messages provider. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { ReadContext } from "../../../core/format.ts";
import { asArray, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { isError, statedFailure, wrongTypeFailure } from "./errors.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** A whole answer as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const reply = replyReader(context);
  if (isObject(body) && isError(body)) {
    reply.usage(body["usage"]);
    reply.fail(statedFailure(body));
  } else if (isObject(body) && Array.isArray(body["content"])) readMessage(reply, body);
  else reply.fail(wrongTypeFailure());
  return reply.drain();
}

function readMessage(reply: ReplyReader, message: JsonObject): void {
  reply.start({ ...message, usage: null });
  asArray(message["content"]).forEach((block, index) => {
    if (!isObject(block)) return;
    reply.openBlock(index, block);
    reply.closeBlock(index);
  });
  reply.usage(message["usage"]);
  const { stop_reason, stop_sequence, stop_details } = message;
  reply.stop({
    ...(stop_reason !== undefined && { stop_reason }),
    ...(stop_sequence !== undefined && { stop_sequence }),
    ...(stop_details !== undefined && { stop_details }),
  });
  reply.end();
}
