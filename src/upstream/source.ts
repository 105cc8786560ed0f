/** A provider's streamed body as pieces: the bytes of whole events, their text, and what they mean. */
import type { Failure } from "../core/failure.ts";
import type { EventReader } from "../core/format.ts";
import { mostBlocks, tooManyBlocks, type ReplyEvent } from "../core/events.ts";
import { byteReader, eventCutter, joined } from "../lib/bytes.ts";
import { longestEvent } from "../lib/sse.ts";

export interface Piece {
  /** Whole server-sent events, as the provider wrote them. */
  bytes: Uint8Array;
  /** The same, decoded. */
  text: string;
  events: ReplyEvent[];
  /** The body ended with this piece. */
  last: boolean;
}

export interface Source {
  read(): Promise<Piece>;
  cancel(): void;
  /** The piece that was read last is used up: the next one may lie in its memory. */
  release?(): void;
  /** From now on failures in pieces come out as `map` gives them. In the read itself: a promise more a read costs. */
  mapFailures(map: (failure: Failure) => Failure): void;
}

/**
 * Reads `body` event by event. An event that is still incomplete waits for its rest: nobody can read half an
 * event, and a relay must be able to stop before one that says the provider failed.
 */
export function sourceOf(body: ReadableStream<Uint8Array>, reader: EventReader): Source {
  const source = byteReader(body);
  const cutter = eventCutter(longestEvent);
  const decoder = new TextDecoder();
  let mapped = (failure: Failure): Failure => failure;
  let chunk: Uint8Array | undefined;
  let ended = false;
  let blocks = 0;
  return {
    async read() {
      chunk = await source.read();
      const last = chunk === undefined;
      ended = last;
      const bytes = chunk === undefined ? cutter.rest() : cutter.feed(chunk);
      const text = decoder.decode(bytes, last ? undefined : goesOn);
      const fed = reader.feed(text);
      const events = last ? [...fed, ...reader.end()] : fed;
      blocks += blocksIn(events);
      if (blocks > mostBlocks) throw new RangeError(tooManyBlocks);
      return { bytes, text, events: withFailures(events, mapped), last };
    },
    release() {
      if (chunk !== undefined && !cutter.keeps()) source.reuse?.(chunk);
      chunk = undefined;
    },
    mapFailures(map) {
      mapped = map;
    },
    cancel() {
      if (ended) return;
      // The provider's call is aborted besides; a stream that fails to cancel has ended anyway.
      source.cancel().catch(() => undefined);
    },
  };
}

const goesOn = { stream: true };

/** The events with their failures mapped; the same list where there is none. */
export function withFailures(
  events: ReplyEvent[],
  map: (failure: Failure) => Failure,
): ReplyEvent[] {
  if (!events.some(isFailure)) return events;
  return events.map((event): ReplyEvent =>
    event.kind === "fail" ? { kind: "fail", failure: map(event.failure) } : event,
  );
}

/** How many blocks the events open. */
export function blocksIn(events: readonly ReplyEvent[]): number {
  let blocks = 0;
  for (const { kind } of events) if (kind === "open") blocks += 1;
  return blocks;
}

const isFailure = ({ kind }: ReplyEvent): boolean => kind === "fail";

export const noPiece: Piece = { bytes: new Uint8Array(0), text: "", events: [], last: false };

/** Pieces that follow each other as one, joined once: at every read all that came before would be copied again. */
export function joinedPieces(pieces: readonly Piece[]): Piece {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  return {
    bytes: joined(pieces.map(({ bytes }) => bytes)),
    text: pieces.map(({ text }) => text).join(""),
    events: pieces.flatMap(({ events }) => events),
    last: pieces.at(-1)?.last ?? false,
  };
}
