/** Reads a streamed answer of a chat provider. */
import type { Failure } from "../../../core/failure.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { isObject, parseJson } from "../../../lib/json.ts";
import { sseParser, type SseEvent } from "../../../lib/sse.ts";
import { streamReader } from "../../../translation/stream-reader.ts";
import { readStatedFailure } from "./errors.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** Stream text in, neutral events out. */
export function eventReader(context: ReadContext): EventReader {
  const reply = replyReader(context);
  let bodyEnded = false;
  const parser = sseParser((event) => readEvent(reply, event, bodyEnded));
  return streamReader({
    feed: parser.feed,
    end() {
      bodyEnded = true;
      parser.end();
      reply.bodyEnded();
    },
    fail: (message) => reply.fail(unreadable(message)),
    ended: reply.ended,
    drain: reply.drain,
  });
}

/** `bodyEnded`: the event may be half of one. */
function readEvent(reply: ReplyReader, { event, data }: SseEvent, bodyEnded: boolean): void {
  const text = data.trim();
  if (text === "[DONE]") {
    reply.done();
    return;
  }
  const value = parseJson(text);
  if (event === "error") {
    const error = isObject(value) ? value : { message: text };
    const failure = readStatedFailure(error) ?? readStatedFailure({ error });
    if (failure) reply.fail(failure);
  } else if (isObject(value)) {
    reply.chunk(value);
  } else if (text.startsWith("{") && !bodyEnded) {
    reply.fail(unreadable("The provider's stream holds an event that is not JSON."));
  }
  // Anything else is noise that some servers put between the chunks.
}

function unreadable(message: string): Failure {
  return { cause: "wrong_type", status: 502, message };
}
