/** A chat provider's answer, streamed or whole -> neutral events. */
import { isObject, parseJson, type JsonValue } from "../../../lib/json.ts";
import { sseParser, type SseEvent } from "../../../lib/sse.ts";
import type { Failure } from "../../../core/failure.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import { drain, fail, finish, newAnswer, takeChunk, type Answer } from "./reply-reader.ts";
import { readStated } from "./errors.ts";

export function eventReader(context: ReadContext): EventReader {
  const answer = newAnswer(context);
  let bodyEnded = false;
  const parser = sseParser((event) => takeEvent(answer, event, bodyEnded));
  return {
    feed(text) {
      if (answer.ended) return [];
      guard(answer, () => parser.feed(text));
      return drain(answer);
    },
    end() {
      if (answer.ended) return [];
      bodyEnded = true;
      guard(answer, parser.end);
      finish(answer, "eof");
      return drain(answer);
    },
  };
}

function takeEvent(answer: Answer, { event, data }: SseEvent, bodyEnded: boolean): void {
  if (answer.ended) return;
  const text = data.trim();
  if (text === "[DONE]") {
    finish(answer, "done");
    return;
  }
  const value = parseJson(text);
  if (event === "error") {
    const words = isObject(value) ? value : { message: text };
    const stated = readStated(words) ?? readStated({ error: words });
    if (stated) fail(answer, stated);
  } else if (isObject(value)) {
    takeChunk(answer, value);
  } else if (text.startsWith("{") && !bodyEnded) {
    fail(answer, unreadable("an event of the provider's stream is not JSON"));
  }
  // Anything else is noise that some servers put between the chunks.
}

function guard(answer: Answer, step: () => void): void {
  try {
    step();
  } catch (error) {
    // The parser's own refusal of an endless event; every other error is a fault of ours.
    if (!(error instanceof RangeError)) throw error;
    fail(answer, unreadable(error.message));
  }
}

function unreadable(message: string): Failure {
  return { cause: "wrong_type", status: 502, message };
}

/** A whole answer as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const answer = newAnswer(context);
  if (isObject(body)) {
    takeChunk(answer, body, true);
    finish(answer, "done");
  } else {
    const stated = Array.isArray(body) && isObject(body[0]) ? readStated(body[0]) : undefined;
    fail(answer, stated ?? unreadable("the provider's answer is not a JSON object"));
  }
  return drain(answer);
}
