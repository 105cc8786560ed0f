/**
 * Reads a streamed answer of Gemini. With `alt=sse` each event holds one chunk and the stream ends with the body;
 * without it the body is a JSON array of chunks; a lone object is an error or a whole answer.
 */
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { asArray, asObject, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { repeatParser } from "../../../lib/json-repeats.ts";
import { sseParser } from "../../../lib/sse.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import { streamReader } from "../../../translation/stream-reader.ts";
import { jsonParser } from "./json-stream.ts";
import { replyReader, type ReplyReader } from "./reply-reader.ts";

/** A parser of the body, chosen by its first character. */
interface BodyParser {
  feed(text: string): void;
  end(): void;
}

/** Stream text in, neutral events out. */
export function eventReader(context: ReadContext): EventReader {
  const reply = replyReader(context);
  /** White space before the first character that tells the form of the body. */
  let head = "";
  let parser: BodyParser | undefined;
  let isLoneObject = false;
  const begin = (text: string): void => {
    head += text;
    const first = head.trimStart()[0];
    if (first === undefined) return;
    isLoneObject = first === "{";
    parser = isLoneObject || first === "[" ? jsonBody(reply) : sseBody(reply);
    parser.feed(head);
    head = "";
  };
  return streamReader({
    feed: (text) => (parser ? parser.feed(text) : begin(text)),
    end() {
      parser?.end();
      reply.bodyEnded(isLoneObject);
    },
    fail: reply.cut,
    ended: reply.ended,
    drain: reply.drain,
  });
}

/** Members that change from chunk to chunk. */
const changing = new Set([
  "text",
  "promptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
]);

/** Whether a chunk holds only texts and counts, none of whose objects is kept. */
function isPlain({ candidates, promptFeedback }: JsonObject): boolean {
  return promptFeedback === undefined && asArray(candidates).every(isPlainCandidate);
}

function isPlainCandidate(candidate: JsonValue): boolean {
  if (!isObject(candidate)) return false;
  const { content, ...others } = candidate;
  const isFlat = !Object.values(others).some((member) => typeof member === "object");
  return isFlat && asArray(asObject(content)?.["parts"]).every(isPlainPart);
}

function isPlainPart(part: JsonValue): boolean {
  if (!isObject(part) || typeof part["text"] !== "string") return false;
  return !Object.values(part).some((member) => typeof member === "object");
}

function sseBody(reply: ReplyReader): BodyParser {
  const parse = repeatParser({ changing, reusable: isPlain });
  return sseParser(({ data }) => {
    if (data === "" || data === "[DONE]") return;
    const value = parse(data);
    if (value === undefined) reply.cut("The provider's stream holds an event that is not JSON.");
    else readText(reply, value, data);
  });
}

function jsonBody(reply: ReplyReader): BodyParser {
  return jsonParser({
    onValue: (value, text) => readText(reply, value, text),
    onInvalid: () => reply.cut("The provider's answer is not JSON."),
  });
}

/** `text`: the JSON text of the value, in which integers of any length are exact. */
function readText(reply: ReplyReader, value: JsonValue, text: string): void {
  // Most chunks hold only text: they are not searched for long integers.
  if (Array.isArray(value) || (isObject(value) && hasCall(value))) keepCalls(value, text);
  reply.value(value);
}

function hasCall(chunk: JsonObject): boolean {
  for (const candidate of asArray(chunk["candidates"]))
    for (const part of asArray(asObject(asObject(candidate)?.["content"])?.["parts"]))
      if (asObject(part)?.["functionCall"] !== undefined) return true;
  return false;
}
