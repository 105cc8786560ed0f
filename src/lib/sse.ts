/**
 * Server-sent events as a push parser over decoded text. Thin wrapper round eventsource-parser that adds what
 * providers' streams need: a last event without its blank line counts, and an endless one is refused.
 */
import { createParser } from "eventsource-parser";

export interface SseEvent {
  event: string | undefined;
  data: string;
}

/** Longest single event, in characters: 16 Mi. A longer one ends the stream with a RangeError. */
export const longestEvent = 16 * 1024 * 1024;

export interface SseParser {
  /** Calls back once per dispatched event, in order. */
  feed(text: string): void;
  /** The body ended: dispatches an unterminated last event, which may be half of one. */
  end(): void;
}

export function sseParser(onEvent: (event: SseEvent) => void): SseParser {
  let started = false;
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ event, data }) => onEvent({ event, data }),
    onError(error) {
      // Unknown fields and odd retry times are none of our business.
      if (error.type === "max-buffer-size-exceeded") {
        throw new RangeError("an event of the provider's stream is too long");
      }
    },
  });
  return {
    feed(text) {
      if (text === "") return;
      // A byte order mark that the decoder let through.
      const marked = !started && text.charCodeAt(0) === 0xfeff;
      started = true;
      parser.feed(marked ? text.slice(1) : text);
    },
    end() {
      // Two line ends close whatever line and event stand open.
      parser.feed("\n\n");
    },
  };
}

/** One event as wire text. `data` must not hold line ends (JSON text never does). */
export function sseText(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}
