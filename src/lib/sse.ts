/**
 * Server-sent events as a push parser over decoded text. It wraps eventsource-parser and adds what providers' streams
 * need: a last event without its blank line counts, and an event that never ends is refused.
 */
import { createParser } from "eventsource-parser";
import { jsonSize, type JsonBounds } from "./json-size.ts";
import { deepestJson } from "./json.ts";

/** One event of a stream; `event` is its name, where it has one. */
export interface SseEvent {
  event: string | undefined;
  data: string;
}

/** Longest single event, in characters: 16 Mi. A longer one ends the stream with a RangeError. */
export const longestEvent = 16 * 1024 * 1024;

/** What an event of some size holds at most: parsed, values take far more memory and time than their text. */
const largest: JsonBounds = {
  depth: deepestJson,
  values: 500_000,
  names: 500_000,
  members: 50_000,
};
const largeEvent = 1024 * 1024;

/** A comment, which every parser leaves out: it shows that a silent stream is alive. */
export const sseKeepAlive = sseComment("keep-alive");

/** A comment of one line. */
export function sseComment(text: string): string {
  return `: ${text}\n\n`;
}

/** Characters of a text with CRs that are parsed at once. */
const sliceLength = 4096;

/** A parser that is fed the text of a body, however it is cut. */
export interface SseParser {
  /** Calls back once for each complete event, in order. Throws RangeError over `longestEvent` characters. */
  feed(text: string): void;
  /** The body ended: calls back for a last event without its blank line, which may be half of one. */
  end(): void;
}

/**
 * Parses a stream of server-sent events.
 *
 *     const parser = sseParser(({ event, data }) => console.log(event, data));
 *     for await (const text of body) parser.feed(text);
 *     parser.end();
 */
export function sseParser(onEvent: (event: SseEvent) => void): SseParser {
  let started = false;
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent({ event, data }) {
      if (data.length > largeEvent && jsonSize(data, largest).over) throw tooLong();
      onEvent({ event, data });
    },
    onError(error) {
      // Unknown fields and invalid retry times are ignored.
      if (error.type === "max-buffer-size-exceeded") throw tooLong();
    },
  });
  /** In a text with a CR the parser looks for the next LF anew behind every line: in a short one that costs nothing. */
  const feedSlices = (text: string): void => {
    const length = text.includes("\r") ? sliceLength : text.length;
    for (let at = 0; at < text.length; at += length) parser.feed(text.slice(at, at + length));
  };
  return {
    feed(text) {
      if (text === "") return;
      // Decoders that keep a byte order mark pass it on as the first character.
      const hasByteOrderMark = !started && text.charCodeAt(0) === 0xfeff;
      started = true;
      feedSlices(hasByteOrderMark ? text.slice(1) : text);
    },
    end() {
      // Two line ends complete an unfinished line and its event.
      parser.feed("\n\n");
    },
  };
}

/** A stream's text written anew, event by event: `feed` and `end` return what is complete by then. */
export function sseRewriter(write: (event: SseEvent) => string): {
  feed(text: string): string;
  end(): string;
} {
  let out = "";
  const parser = sseParser((event) => (out += write(event)));
  const taken = (): string => {
    const text = out;
    out = "";
    return text;
  };
  return {
    feed(text) {
      parser.feed(text);
      return taken();
    },
    end() {
      parser.end();
      return taken();
    },
  };
}

function tooLong(): RangeError {
  return new RangeError("The provider's stream holds an event that is too long.");
}

/** One event as wire text: `sseText("ping", "{}")`. `data` must not hold line ends (JSON text never does). */
export function sseText(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}
