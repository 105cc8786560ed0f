/** A provider's streamed body as pieces: the bytes of whole events, and what they mean. */
import type { EventReader } from "../core/format.ts";
import type { ReplyEvent } from "../core/reply.ts";
import { byteReader, joined, lastEventEnd } from "../lib/bytes.ts";

export interface Piece {
  /** Whole server-sent events, as the provider wrote them. */
  bytes: Uint8Array;
  events: ReplyEvent[];
  /** The body ended with this piece. */
  last: boolean;
}

export interface Source {
  read(): Promise<Piece>;
  cancel(): void;
}

const nothing = new Uint8Array(0);

/**
 * Reads `body` event by event. An event that is still incomplete waits for its rest: nobody can read half an
 * event, and a relay must be able to stop before one that says the provider failed.
 */
export function sourceOf(body: ReadableStream<Uint8Array>, reader: EventReader): Source {
  const bytes = byteReader(body);
  const decoder = new TextDecoder();
  let tail: Uint8Array = nothing;
  return {
    async read() {
      const chunk = await bytes.read();
      if (chunk === undefined) {
        const events = [...reader.feed(decoder.decode()), ...reader.end()];
        return { bytes: tail, events, last: true };
      }
      const events = reader.feed(decoder.decode(chunk, { stream: true }));
      const whole = joined(tail, chunk);
      const end = lastEventEnd(whole);
      tail = end === whole.length ? nothing : whole.subarray(end);
      return { bytes: end === whole.length ? whole : whole.subarray(0, end), events, last: false };
    },
    cancel() {
      // The provider's call is aborted besides; a stream that fails to cancel has ended anyway.
      bytes.cancel().catch(() => undefined);
    },
  };
}
