/**
 * Gemini's streams and whole answers. `alt=sse` sends one chunk an event and ends with the body; without it the body
 * is a JSON array of chunks; a lone object is an error or a whole answer.
 */
import type { EventReader, ReadContext } from "../../../core/format.ts";
import { keepCalls } from "../../../translation/call-inputs.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import {
  asArray,
  asObject,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { sseParser } from "../../../lib/sse.ts";
import { answerReader, type AnswerReader } from "./reply-reader.ts";
import { jsonParser } from "./json-stream.ts";

/** Text in, chunks out; `end` gives whether a lone whole answer was read. */
interface Framing {
  feed(text: string): void;
  end(): void;
}

export function eventReader(context: ReadContext): EventReader {
  const answer = answerReader(context);
  let out: ReplyEvent[] = [];
  const push = (events: ReplyEvent[]): void => {
    if (out.length === 0) out = events;
    else for (const event of events) out.push(event);
  };
  let head = "";
  let framing: Framing | undefined;
  let lone = false;
  const attempt = (step: () => void): ReplyEvent[] => {
    out = [];
    try {
      step();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      push(answer.fail(error.message));
    }
    return out;
  };
  const begin = (text: string): void => {
    head += text;
    const first = head.trimStart()[0];
    if (first === undefined) return;
    lone = first === "{";
    framing = lone || first === "[" ? jsonFraming(answer, push) : sseFraming(answer, push);
    framing.feed(head);
    head = "";
  };
  return {
    feed: (text) => attempt(() => (framing ? framing.feed(text) : begin(text))),
    end: () =>
      attempt(() => {
        framing?.end();
        push(answer.finish(lone));
      }),
  };
}

function sseFraming(answer: AnswerReader, push: (events: ReplyEvent[]) => void): Framing {
  return sseParser(({ data }) => {
    if (data === "" || data === "[DONE]") return;
    const value = parseJson(data);
    if (value === undefined) push(answer.fail("an event of the provider's stream is not JSON"));
    else push(readText(answer, value, data));
  });
}

function jsonFraming(answer: AnswerReader, push: (events: ReplyEvent[]) => void): Framing {
  return jsonParser({
    value: (value, text) => push(readText(answer, value, text)),
    broken: () => push(answer.fail("the provider's answer is not JSON")),
  });
}

function readText(answer: AnswerReader, value: JsonValue, text: string): ReplyEvent[] {
  // Most chunks are words: they are not searched for long integers.
  if (Array.isArray(value) || (isObject(value) && hasCall(value))) keepCalls(value, text);
  return readValue(answer, value);
}

function hasCall(chunk: JsonObject): boolean {
  for (const candidate of asArray(chunk["candidates"]))
    for (const part of asArray(asObject(asObject(candidate)?.["content"])?.["parts"]))
      if (asObject(part)?.["functionCall"] !== undefined) return true;
  return false;
}

/** One chunk, or several in an array (errors come wrapped so). Other values say nothing. */
function readValue(answer: AnswerReader, value: JsonValue): ReplyEvent[] {
  if (isObject(value)) return answer.chunk(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (isObject(item) ? answer.chunk(item) : []));
}

/** A whole body: one answer, or the array of a stream's chunks. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const answer = answerReader(context);
  const events = readValue(answer, body);
  return [...events, ...answer.finish(asObject(body) !== undefined)];
}
