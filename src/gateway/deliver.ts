/**
 * The answer on its way to the client. ONE pump drives it: provider's bytes -> events -> the client's words ->
 * the connection, inside `waitUntil`, with one place for every end: done, provider failed, client gone.
 */
import type { EventWriter, ProviderFormat, ReadContext } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import type { ReplyEvent } from "../core/events.ts";
import { readFailure, silence } from "../upstream/attempt.ts";
import { noPiece, type Piece, type Source } from "../upstream/source.ts";
import { count, type Tally } from "./tally.ts";

export type End = { kind: "done" } | { kind: "failed"; failure: Failure } | { kind: "gone" };

export interface StreamInput {
  source: Source;
  held: Piece;
  relay: boolean;
  writer: EventWriter;
  /** Takes out of relayed text what the client did not ask for. */
  filter: { feed(text: string): string; end(): string } | undefined;
  /** For finding the event that says the provider failed. */
  provider: ProviderFormat;
  context: ReadContext;
  tally: Tally;
  /** Seconds. */
  idle: number;
  /** Epoch ms at which the whole request must be over. */
  deadline: number;
  controller: AbortController;
  /** Takes secrets out of a failure's words. */
  mask(failure: Failure): Failure;
  renew(): void;
  /** Frees the slot and books; called once, before the last bytes leave. */
  settle(end: End): Promise<void>;
}

const encoder = new TextEncoder();
/** Silence after which a translated stream says that it is alive, and the lease is renewed, in ms. */
const heartbeat = 15_000;
/** After a pause this long the next piece is written in two, so that a client that left is noticed by the second. */
const probePause = 300;
/** How long the rest of a relayed body behind the grammar's end is waited for, in ms. */
const afterEnd = 1_000;

/** Starts the pump and returns what the client reads. */
export function deliverStream(
  input: StreamInput,
  waitUntil: (promise: Promise<unknown>) => void,
): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  waitUntil(pump(input, writable.getWriter()));
  return readable;
}

class ClientGone extends Error {}

async function pump(input: StreamInput, writer: WritableStreamDefaultWriter): Promise<void> {
  const { source, tally } = input;
  const out = outlet(input, writer);
  const watch = watchdog(input, out);
  let end: End = { kind: "gone" };
  let settled = false;
  const settle = async (how: End): Promise<void> => {
    if (settled) return;
    settled = true;
    await input.settle(how);
  };
  try {
    let piece = input.held;
    for (;;) {
      piece = masked(piece, input);
      count(tally, piece.events);
      const failure = tally.failure;
      const text = failure ? failedBytes(piece, input) : pieceBytes(piece, input);
      const over = failure !== undefined || tally.ended || piece.last;
      if (over) {
        end = failure ? { kind: "failed", failure } : { kind: "done" };
        await settle(end);
      }
      if (text.length > 0) await out.write(text);
      if (over) break;
      piece = await nextPiece(source, watch);
    }
    const more = end.kind === "done" && !piece.last;
    if (more && input.relay) await relayRest(source, out);
    await writer.close();
    // A body that is read to its end leaves a connection that the next call can use.
    if (more && !input.relay) await relayRest(source, undefined);
  } catch (error) {
    if (!(error instanceof ClientGone)) {
      console.error("an answer could not be written:", String(error));
      end = { kind: "failed", failure: ownFault };
      await settle(end);
      await sayFault(input, out);
    }
    // A connection that is already broken cannot be broken again.
    await (error instanceof ClientGone ? writer.abort(error) : writer.close()).catch(
      () => undefined,
    );
  } finally {
    watch.stop();
    source.cancel();
    input.controller.abort();
    await settle(end);
  }
}

/** What is said of a fault of the gateway's own in mid-stream: an answer that breaks off is never taken for whole. */
const ownFault: Failure = {
  cause: "stated",
  status: 500,
  message: "The gateway failed to write this answer. The log of its process says why.",
};

async function sayFault(input: StreamInput, out: Outlet): Promise<void> {
  try {
    await out.write(encoder.encode(input.writer.write([{ kind: "fail", failure: ownFault }])));
  } catch {
    // The writer is what failed, or the client has gone: there is no other way to say it.
  }
}

/** The next piece; a broken or silent provider is a piece that says so. */
async function nextPiece(source: Source, watch: Watch): Promise<Piece> {
  watch.listening(true);
  try {
    return await source.read();
  } catch (error) {
    if (watch.gone() || error instanceof ClientGone) throw new ClientGone();
    const failure = watch.failure() ?? readFailure(error);
    return { ...noPiece, events: [{ kind: "fail", failure }], last: true };
  } finally {
    watch.listening(false);
  }
}

function pieceBytes(piece: Piece, input: StreamInput): Uint8Array {
  if (!input.relay) return encoder.encode(input.writer.write(piece.events));
  const { filter } = input;
  if (!filter) return piece.bytes;
  const text = piece.last ? filter.feed(piece.text) + filter.end() : filter.feed(piece.text);
  return text === piece.text ? piece.bytes : encoder.encode(text);
}

/** What still may leave of a piece in which the provider failed: the events before, then the client's own error event. */
function failedBytes(piece: Piece, input: StreamInput): Uint8Array {
  if (!input.relay) return encoder.encode(input.writer.write(piece.events));
  const before = eventsBeforeFailure(piece.text, input);
  const said = input.filter ? input.filter.feed(before) : before;
  return encoder.encode(
    said + input.writer.write(piece.events.filter((event) => event.kind === "fail")),
  );
}

function eventsBeforeFailure(text: string, input: StreamInput): string {
  let kept = "";
  for (const block of text.split(/(?<=\r\n\r\n|\n\n|\r\r)/)) {
    const events = input.provider.eventReader(input.context).feed(block);
    if (events.some((event) => event.kind === "fail")) return kept;
    if (/(?:\r\n\r\n|\n\n|\r\r)$/.test(block)) kept += block;
  }
  return kept;
}

function masked(piece: Piece, input: StreamInput): Piece {
  if (!piece.events.some((event) => event.kind === "fail")) return piece;
  const events = piece.events.map((event): ReplyEvent =>
    event.kind === "fail" ? { kind: "fail", failure: input.mask(event.failure) } : event,
  );
  return { ...piece, events };
}

/** Bytes that a provider sends behind the end of its grammar belong to a relay too, if they come soon. */
async function relayRest(source: Source, out: Outlet | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), afterEnd);
  });
  try {
    for (;;) {
      const piece = await Promise.race([source.read(), soon]);
      if (piece === undefined) return;
      if (out && piece.bytes.length > 0) await out.write(piece.bytes);
      if (piece.last) return;
    }
  } catch (error) {
    // What breaks behind the end has broken nothing, unless it is the client's side.
    if (error instanceof ClientGone) throw error;
  } finally {
    clearTimeout(timer);
  }
}

interface Outlet {
  write(bytes: Uint8Array): Promise<void>;
  idleFor(): number;
}

function outlet(input: StreamInput, writer: WritableStreamDefaultWriter): Outlet {
  let written = Date.now();
  return {
    async write(bytes) {
      const now = Date.now();
      const probe = now - written > probePause && bytes.length > 1;
      written = now;
      try {
        // The writer keeps the order of writes that overlap.
        if (probe) await writer.write(bytes.subarray(0, 1));
        await writer.write(probe ? bytes.subarray(1) : bytes);
      } catch {
        const error = new ClientGone();
        input.controller.abort(error);
        throw error;
      }
    },
    idleFor: () => Date.now() - written,
  };
}

interface Watch {
  /** Whether the provider's silence counts now: not while a slow client is written to. */
  listening(on: boolean): void;
  /** Why the provider's call was aborted, if it was for its silence. */
  failure(): Failure | undefined;
  /** A keep-alive found that the client has gone. */
  gone(): boolean;
  stop(): void;
}

/**
 * One timer a stream: it looks after silence, the whole request's time, keep-alives and the lease. What it finds
 * aborts the provider's call, and the read that waits for it fails.
 */
function watchdog(input: StreamInput, out: Outlet): Watch {
  let failure: Failure | undefined;
  let gone = false;
  let heard: number | undefined;
  let renewed = Date.now();
  const check = (): void => {
    const now = Date.now();
    if (now - renewed >= heartbeat) {
      renewed = now;
      input.renew();
    }
    if (heard !== undefined && now - heard >= input.idle * 1000) failure ??= silence(input.idle);
    if (now >= input.deadline) failure ??= tooLong;
    if (failure) {
      input.controller.abort();
    } else if (!input.relay && heard !== undefined && out.idleFor() >= heartbeat) {
      out.write(encoder.encode(input.writer.keepAlive())).catch(() => {
        gone = true;
      });
    }
  };
  const timer = setInterval(check, Math.min(1000, (input.idle * 1000) / 4));
  return {
    listening(on) {
      heard = on ? Date.now() : undefined;
    },
    failure: () => failure,
    gone: () => gone,
    stop: () => clearInterval(timer),
  };
}

const tooLong: Failure = {
  cause: "timeout",
  status: 504,
  message: "The request took too long.",
};
