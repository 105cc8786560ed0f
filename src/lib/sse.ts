/**
 * Server-sent events as a push parser over decoded text. Thin wrapper round eventsource-parser that adds what
 * providers' streams need: a last event without its blank line counts if it is complete JSON.
 */
import { createParser } from "eventsource-parser";

export interface SseEvent {
  event: string | undefined;
  data: string;
}

/** Longest single event, in characters: 16 Mi. A longer one ends the stream with an error. */
const longestEvent = 16 * 1024 * 1024;

export interface SseParser {
  /** Calls back once per dispatched event, in order. */
  feed(text: string): void;
  /** The body ended: dispatches an unterminated last event. */
  end(): void;
}

export function sseParser(onEvent: (event: SseEvent) => void): SseParser {
  let pending = 0;
  const parser = createParser({
    onEvent(message) {
      pending = 0;
      onEvent({ event: message.event, data: message.data });
    },
  });
  return {
    feed(text) {
      pending += text.length;
      if (pending > longestEvent) throw new RangeError("an event of the provider's stream is too long");
      parser.feed(text);
    },
    end() {
      // Two line ends close whatever line and event stand open; a half event then fails to parse downstream.
      parser.feed("\n\n");
    },
  };
}

/** One event as wire text. `data` must not hold line ends (JSON text never does). */
export function sseText(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}
