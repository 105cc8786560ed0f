/** Reads a streamed answer of a chat provider. */
import type { Failure } from "../../../core/failure.ts";
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { asArray, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { repeatParser } from "../../../lib/json-repeats.ts";
import { sseParser, type SseEvent } from "../../../lib/sse.ts";
import { streamReader } from "../../../translation/stream-reader.ts";
import { readStatedFailure } from "./errors.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** Stream text in, neutral events out. */
export function eventReader(context: ReadContext): EventReader {
  const reply = replyReader(context);
  const reading: Reading = {
    reply,
    parse: repeatParser({ changing, reusable: isPlain }),
    bodyEnded: false,
  };
  const parser = sseParser((event) => readEvent(reading, event));
  return streamReader({
    feed: parser.feed,
    end() {
      reading.bodyEnded = true;
      parser.end();
      reply.bodyEnded();
    },
    fail: (message) => reply.fail(unreadable(message)),
    ended: reply.ended,
    drain: reply.drain,
  });
}

/** Members that change from chunk to chunk. */
const changing = new Set([
  "content",
  "reasoning_content",
  "reasoning",
  "refusal",
  "arguments",
  "obfuscation",
  "created",
  "completion_tokens",
  "total_tokens",
]);

/** Whether a chunk holds only texts, none of whose objects is kept. */
function isPlain(chunk: JsonObject): boolean {
  return asArray(chunk["choices"]).every(
    (choice) => isObject(choice) && isObject(choice["delta"]) && isPlainDelta(choice["delta"]),
  );
}

function isPlainDelta(delta: JsonObject): boolean {
  return Object.entries(delta).every(
    ([name, value]) =>
      typeof value !== "object" ||
      value === null ||
      (name === "tool_calls" && asArray(value).every(isPlainCall)),
  );
}

const callMembers = new Set(["index", "id", "type", "function"]);

function isPlainCall(entry: JsonValue): boolean {
  return isObject(entry) && Object.keys(entry).every((name) => callMembers.has(name));
}

interface Reading {
  readonly reply: ReplyReader;
  readonly parse: (text: string) => JsonValue | undefined;
  /** The event may be half of one. */
  bodyEnded: boolean;
}

function readEvent({ reply, parse, bodyEnded }: Reading, { event, data }: SseEvent): void {
  const text = data.trim();
  if (text === "[DONE]") {
    reply.done();
    return;
  }
  const value = parse(text);
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
