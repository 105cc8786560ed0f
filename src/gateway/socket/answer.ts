/** A response as frames: one for every event of its stream, and nothing else. */
import type { SocketEvent, SocketFormat } from "../../core/socket-format.ts";
import { byteReader } from "../../lib/bytes.ts";
import { sseParser } from "../../lib/sse.ts";

/** What came of an answer. */
export interface FramedAnswer {
  /** The id of the response, once it is complete. */
  id: string | undefined;
  /** The items of a complete response, in their order. */
  items: readonly string[];
  /** The client was told how it ended. */
  ended: boolean;
}

/** Takes the events of one answer, sends them, and gathers what the next message may go on from. */
export class FramedEvents {
  readonly #format: SocketFormat;
  readonly #lane: string | undefined;
  readonly #send: (frame: string) => void;
  readonly #items: { place: number; item: string }[] = [];
  readonly answer: FramedAnswer = { id: undefined, items: [], ended: false };
  /** The data of the event before. */
  #last: string | undefined;
  #sentAt = Date.now();

  constructor(format: SocketFormat, lane: string | undefined, send: (frame: string) => void) {
    this.#format = format;
    this.#lane = lane;
    this.#send = send;
  }

  /** One event, as its data. */
  take(data: string): void {
    const frame = this.#format.writeEvent(data, this.#lane);
    // Marks of a stream's end, which a socket has no use for.
    if (frame === "") return;
    this.#last = data;
    this.#note(this.#format.readEvent(data));
    this.#sendFrame(frame);
  }

  /** Says that the answer is still awaited, where nothing was sent for so long; ms. */
  keepAlive(silence: number): void {
    if (!this.answer.ended && Date.now() - this.#sentAt >= silence)
      this.#sendFrame(this.#format.writeKeepAlive(this.#last, this.#lane));
  }

  #sendFrame(frame: string): void {
    this.#sentAt = Date.now();
    this.#send(frame);
  }

  #note(event: SocketEvent): void {
    const { answer } = this;
    switch (event.kind) {
      case "item":
        this.#items.push(event);
        return;
      case "completed": {
        const items = this.#items.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
        answer.id = event.id;
        answer.items = items.length > 0 ? items : [event.items];
        answer.ended = true;
        return;
      }
      case "ended":
        answer.ended = true;
        return;
      case "other":
        return;
      default:
        event satisfies never;
    }
  }
}

/** Reads the stream to its end. `closed`: the client has stopped reading. */
export async function passEvents(
  body: ReadableStream<Uint8Array>,
  events: FramedEvents,
  closed: AbortSignal,
): Promise<void> {
  const reader = byteReader(body);
  // The pump behind it learns of it by its next write.
  const leave = (): void => void reader.cancel().catch(() => undefined);
  closed.addEventListener("abort", leave);
  if (closed.aborted) leave();
  const decoder = new TextDecoder();
  const parser = sseParser(({ data }) => events.take(data));
  for (let bytes = await reader.read(); bytes !== undefined; bytes = await reader.read())
    parser.feed(decoder.decode(bytes, { stream: true }));
  parser.end();
}
