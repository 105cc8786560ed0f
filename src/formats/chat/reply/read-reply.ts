/** Reads a whole answer of a chat provider. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import { isObject, type JsonValue } from "../../../lib/json.ts";
import { readStatedFailure } from "./errors.ts";
import { replyReader } from "./reply-reader.ts";

const unreadable: Failure = {
  cause: "wrong_type",
  status: 502,
  message: "The provider's answer is not a JSON object.",
};

/** A whole answer as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const reply = replyReader(context);
  if (isObject(body)) {
    reply.whole(body);
  } else {
    const stated =
      Array.isArray(body) && isObject(body[0]) ? readStatedFailure(body[0]) : undefined;
    reply.fail(stated ?? unreadable);
  }
  return reply.drain();
}
