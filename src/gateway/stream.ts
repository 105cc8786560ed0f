/**
 * A streamed answer on its way to the client. ONE pump drives it: provider's bytes -> events -> the client's text ->
 * the connection, inside `waitUntil`, with one place for every end: done, provider failed, client gone.
 */
import type { RelayEnding, TextFilter } from "../core/format.ts";
import { isContent } from "../core/events.ts";
import type { Failure } from "../core/failure.ts";
import type { Departure } from "../lib/departure.ts";
import { brokenReadFailure } from "../upstream/failures.ts";
import { noPiece, type Piece, type Source } from "../upstream/source.ts";
import type { StreamAnswer } from "../upstream/upstream.ts";
import { ClientGone, outletTo, type Outlet } from "./outlet.ts";
import type { AnswerEnd } from "./outcome.ts";
import type { WaitUntil } from "./services.ts";
import { accumulate, type AnswerTotals } from "./totals.ts";
import { watchdog, type Watch, type Watched } from "./watchdog.ts";

export interface PumpInput extends Watched {
  readonly answer: Pick<StreamAnswer, "prepared" | "source" | "held" | "controller">;
  /** Takes out of relayed text what the client did not ask for. */
  readonly filter: TextFilter | undefined;
  /** What all of the text is put into, where the client asked for no events. */
  readonly frame: TextFilter | undefined;
  /** Ends a relay in which the provider failed, where its format needs more for that than the failure. */
  readonly ending: RelayEnding | undefined;
  readonly totals: AnswerTotals;
  /** The client's. */
  readonly departure?: Departure;
  /** Nothing can be said in such an answer: one that fails is broken off, so that it is never taken for whole. */
  readonly breaksOff?: true;
  /** Settles the request: called before the last bytes leave, and again at every end; the first call counts. */
  end(how: AnswerEnd): Promise<void>;
}

const encoder = new TextEncoder();
/** How long to wait for the rest of a relayed body after the format's end, in ms. */
const afterEnd = 1_000;

/** Starts the pump and returns what the client reads. */
export function pumped(input: PumpInput, waitUntil: WaitUntil): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  waitUntil(pump(input, writable.getWriter()));
  return readable;
}

/** Writes the answer to its end. Settles the request however it ends; never throws. */
export async function pump(input: PumpInput, writer: WritableStreamDefaultWriter): Promise<void> {
  const { source, controller } = input.answer;
  const out = outletTo(writer, controller);
  input.departure?.whenever(() => {
    controller.abort();
    // Nobody reads what waits to be written.
    out.giveUp();
  });
  const watch = watchdog(input, out);
  let last: AnswerEnd = { kind: "gone" };
  try {
    last = await run(input, out, watch);
    await (last.kind === "failed" && input.breaksOff === true
      ? writer.abort(new Error("the provider's answer broke off"))
      : writer.close());
    // A body that is read to its end leaves a connection that the next call can use.
    if (last.kind === "done" && !input.answer.prepared.relay) await relayRest(source, undefined);
  } catch (error) {
    if (!(error instanceof ClientGone)) {
      console.error("an answer could not be written:", String(error));
      last = { kind: "failed", failure: ownFault };
      await input.end(last);
      if (input.breaksOff !== true) await writeFault(input, out);
    }
    // A connection that is already broken cannot be broken again.
    const breaks = error instanceof ClientGone || input.breaksOff === true;
    await (breaks ? writer.abort(error) : writer.close()).catch(() => undefined);
  } finally {
    watch.stop();
    source.cancel();
    controller.abort();
    await input.end(last);
  }
}

/** Piece after piece until the end; what came of it. Throws ClientGone. */
async function run(input: PumpInput, out: Outlet, watch: Watch): Promise<AnswerEnd> {
  const { answer, totals } = input;
  const { source, prepared } = answer;
  let piece = answer.held;
  for (;;) {
    accumulate(totals, piece.events);
    if (piece.events.some(isContent)) watch.content();
    const { failure } = totals;
    const over = failure !== undefined || totals.ended || piece.last;
    const sent = failure ? failedText(piece, input) : pieceOf(piece, input);
    const bytes = framed(sent, input, over);
    if (over) await input.end(endOf(totals));
    if (bytes.length > 0 || out.keepAliveBegun()) await out.write(bytes);
    if (over) {
      // Bytes behind the end of the format belong to a relay too.
      if (!failure && prepared.relay && !piece.last) await relayRest(source, out);
      return endOf(totals);
    }
    source.release?.();
    piece = await nextPiece(input, watch, out);
  }
}

function endOf({ failure }: AnswerTotals): AnswerEnd {
  return failure ? { kind: "failed", failure } : { kind: "done" };
}

/** The error for a fault of the gateway in mid-stream, so that a broken answer is never taken as complete. */
const ownFault: Failure = {
  cause: "stated",
  status: 500,
  message: "The gateway failed to write this response. Its log has the details.",
  ours: true,
};

async function writeFault(input: PumpInput, out: Outlet): Promise<void> {
  try {
    await out.write(framed(failureText(ownFault, input), input, true));
  } catch {
    // The writer is what failed, or the client has gone: there is no other way to say it.
  }
}

/** The next piece; a broken or silent provider is a piece that says so. */
async function nextPiece(
  { answer, departure }: Pick<PumpInput, "answer" | "departure">,
  watch: Watch,
  out: Outlet,
): Promise<Piece> {
  watch.listening(true);
  try {
    return await answer.source.read();
  } catch (error) {
    if (out.gone() || departure?.happened === true || error instanceof ClientGone)
      throw new ClientGone();
    const failure = watch.failure() ?? brokenReadFailure(error);
    return { ...noPiece, events: [{ kind: "fail", failure }], last: true };
  } finally {
    watch.listening(false);
  }
}

/** A piece that passes untouched stays as it is; of any other there is the text. */
function pieceOf(piece: Piece, { answer, writer, filter, ending }: PumpInput): string | Piece {
  if (!answer.prepared.relay) return writer.write(piece.events);
  ending?.passed(piece.text);
  if (!filter) return piece;
  const text = piece.last ? filter.feed(piece.text) + filter.end() : filter.feed(piece.text);
  return text === piece.text ? piece : text;
}

/** `over`: nothing comes behind it. */
function framed(sent: string | Piece, { frame }: PumpInput, over: boolean): Uint8Array {
  if (frame !== undefined) {
    const text = frame.feed(typeof sent === "string" ? sent : sent.text);
    return encoder.encode(over ? text + frame.end() : text);
  }
  return typeof sent === "string" ? encoder.encode(sent) : sent.bytes;
}

/** What still may leave of a piece in which the provider failed: the events before, then the client's own error event. */
function failedText(piece: Piece, input: PumpInput): string {
  if (input.breaksOff === true) return "";
  const { writer, filter, ending } = input;
  if (!input.answer.prepared.relay) return writer.write(piece.events);
  const before = eventsBeforeFailure(piece.text, input);
  ending?.passed(before);
  const passed = filter ? filter.feed(before) : before;
  const failures = piece.events.flatMap((event) =>
    event.kind === "fail" ? failureText(event.failure, input) : [],
  );
  return passed + failures.join("");
}

function failureText(failure: Failure, { ending, writer }: PumpInput): string {
  return ending?.failed(failure) ?? writer.write([{ kind: "fail", failure }]);
}

function eventsBeforeFailure(text: string, { answer }: PumpInput): string {
  const { format, context } = answer.prepared;
  let kept = "";
  for (const block of text.split(/(?<=\r\n\r\n|\n\n|\r\r)/)) {
    const events = format.eventReader(context).feed(block);
    if (events.some((event) => event.kind === "fail")) return kept;
    if (/(?:\r\n\r\n|\n\n|\r\r)$/.test(block)) kept += block;
  }
  return kept;
}

/** Reads what a provider sends after the end of its format, if it comes soon; a relay also writes it. */
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
