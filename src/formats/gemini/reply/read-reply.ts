/** Reads a whole answer of Gemini. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { ReadContext } from "../../../core/format.ts";
import { asObject, type JsonValue } from "../../../lib/json.ts";
import { replyReader } from "./reply-reader.ts";

/** A whole body, one answer or the array of a stream's chunks, as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const reply = replyReader(context);
  reply.value(body);
  reply.bodyEnded(asObject(body) !== undefined);
  return reply.drain();
}
