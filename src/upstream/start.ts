/**
 * One call up to the first event that carries content. Until then nothing has reached the client, so every
 * failure is a value and another model may be asked.
 */
import type { Failure } from "../core/failure.ts";
import { Problem } from "../core/problem.ts";
import { isContent, type ReplyEvent } from "../core/events.ts";
import { readWithin, TooLong } from "../lib/bounded-read.ts";
import { byteReader } from "../lib/bytes.ts";
import { countValues } from "../lib/json-size.ts";
import { parseWithCalls } from "../translation/call-inputs.ts";
import type { Connection } from "../providers/connection/connection.ts";
import {
  firstContentTimeout,
  headersTimeout,
  wholeTimeout,
} from "../providers/connection/timeouts.ts";
import { failed, judged, brokenReadFailure, responseHeaders } from "./failures.ts";
import { prepare, shownHeaders } from "./prepare.ts";
import { joinedPieces, sourceOf, type Piece, type Source } from "./source.ts";
import { timeLimit } from "./time-limit.ts";
import type { Ask, Prepared, Started, StreamAnswer, WholeAnswer } from "./upstream.ts";
import { longestWhole } from "./whole-times.ts";

/** How a prepared request gets its response. `signal` ends the call, its body included. */
export type Open = (prepared: Prepared, signal: AbortSignal) => Promise<Opened>;

export type Opened =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly failure: Failure };

/** What came of a response: what is known of it replaces what is read off every one. */
export type ReadAnswer =
  | (Pick<StreamAnswer, "kind" | "source" | "held"> & Partial<Pick<StreamAnswer, "headers">>)
  | (Pick<WholeAnswer, "kind" | "events" | "bytes"> & Partial<Pick<WholeAnswer, "headers">>)
  | { kind: "failed"; failure: Failure };

/** How a response is read up to its first content, or whole. `expired` rejects when its time is over. */
export type ReadResponse = (
  prepared: Prepared,
  response: Response,
  expired: Promise<never>,
) => Promise<ReadAnswer>;

/** Largest whole answer, and most that may come before the first content, in bytes without their compression. */
const wholeCap = 64 * 1024 * 1024;
export const heldCap = 8 * 1024 * 1024;
/** Most JSON values of a whole answer, which take more memory than their text: probabilities of tokens are many. */
const mostValues = 2_000_000;

/** Asks the first candidate. Throws `Problem` where it cannot be called at all. */
export async function start(ask: Ask, open: Open): Promise<Started> {
  return await startPrepared(ask, prepare(ask), { open, read: resultOf });
}

/** The same for a request that is written, whose response may be read in another way. */
export async function startPrepared(
  ask: Ask,
  prepared: Prepared,
  { open, read }: { readonly open: Open; readonly read: ReadResponse },
): Promise<Started> {
  const begun = Date.now();
  if (hasLeft(ask)) return noAnswer(prepared, departure);
  const controller = new AbortController();
  // The signal lives no longer than the request.
  ask.left?.addEventListener("abort", () => controller.abort());
  const { connection, info } = prepared.model;
  const { stream } = prepared.target;
  const limit = timeLimit(controller);
  const failureOf = (failure: Failure): Failure =>
    broken(hasLeft(ask) ? departure : failure, works);
  endWith(ask.signal, controller);
  // Headers of a stream come before the work, those of a whole answer behind it.
  let works = !stream;
  try {
    limit.set(answerTimeout(ask, prepared), "an answer");
    const opened = await open(prepared, controller.signal);
    if (!opened.ok) {
      const { failure } = opened;
      if (hasLeft(ask)) return noAnswer(prepared, failureOf(failure));
      // A connection that was refused or reset began no work; one that was accepted and fell silent may have.
      return noAnswer(prepared, failure.cause === "timeout" ? broken(failure, works) : failure);
    }
    works = true;
    if (stream) limit.set(firstContentTimeout(connection, info), "the first content");
    else limit.set(timeLeft(connection, begun), "the answer");
    const { response } = opened;
    const result = await read(prepared, response, limit.expired);
    if (result.kind === "failed") return noAnswer(prepared, failureOf(result.failure));
    const base = {
      prepared,
      headers: responseHeaders(response, shownHeaders(prepared)),
      attempts: [],
      begun,
    };
    return result.kind === "stream" ? { ...base, ...result, controller } : { ...base, ...result };
  } catch (error) {
    if (error instanceof Problem) throw error;
    controller.abort();
    return noAnswer(prepared, failureOf(brokenReadFailure(error)));
  } finally {
    limit.stop();
  }
}

function hasLeft({ left }: Ask): boolean {
  return left?.aborted === true;
}

/** A call that begins behind the signal ends at once. */
function endWith(signal: AbortSignal | undefined, controller: AbortController): void {
  const end = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end, { once: true });
}

/** Seconds until the headers of the answer. */
function answerTimeout({ request }: Ask, { model, target }: Prepared): number {
  if (target.stream) return headersTimeout(model.connection);
  const { maxOutput } = request.description;
  return wholeTimeout(model, { maxOutput, latest: longestWhole(model) });
}

/** Seconds that are left of the time for a whole answer. */
function timeLeft({ timeouts }: Connection, begun: number): number {
  return Math.max(1, Math.ceil(timeouts.total - (Date.now() - begun) / 1000));
}

/** A failure in which the provider said nothing of its own: what it had done until then is not known. */
function broken(failure: Failure, works: boolean): Failure {
  const unsaid =
    failure.cause === "cut" ||
    failure.cause === "timeout" ||
    failure.cause === "reset" ||
    failure.cause === "left";
  return works && unsaid ? { ...failure, mayBill: true } : failure;
}

function noAnswer({ model, relay, target }: Prepared, failure: Failure): Started {
  return {
    kind: "failed",
    failures: [{ model: model.id, failure: judged(failure), format: target.format, native: relay }],
    attempts: [],
  };
}

async function resultOf(
  prepared: Prepared,
  response: Response,
  expired: Promise<never>,
): Promise<ReadAnswer> {
  const streamed = /text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  return streamed
    ? await firstContent(prepared, response, expired)
    : await wholeAnswer(prepared, response, expired);
}

/** Reads until content, a failure or the end; what was read until then goes along. */
async function firstContent(
  { format, context, target }: Prepared,
  response: Response,
  expired: Promise<never>,
): Promise<ReadAnswer> {
  if (response.body === null) return emptyAnswer;
  const source = sourceOf(response.body, format.eventReader(context));
  const held = await readUntil(source, { ends: decides, cap: heldCap, expired });
  if (held === undefined) return tooLarge(source, "before its first content");
  const failure = failureBeforeContent(held.events);
  if (failure) {
    source.cancel();
    return { kind: "failed", failure };
  }
  if (held.events.length === 0) return emptyAnswer;
  if (target.stream) return { kind: "stream", source, held };
  return await collected(source, held, expired);
}

/** A stream in answer to a request for a whole reply: all of it is read. */
async function collected(
  source: Source,
  held: Piece,
  expired: Promise<never>,
): Promise<ReadAnswer> {
  if (held.last || held.events.some(isFinal)) {
    source.cancel();
    return wholeOf(held.events);
  }
  const rest = await readUntil(source, { ends: isFinal, cap: wholeCap, expired });
  if (rest === undefined) return tooLarge(source, "in one answer");
  source.cancel();
  return wholeOf([...held.events, ...rest.events]);
}

interface Until {
  ends(event: ReplyEvent): boolean;
  /** Most bytes. */
  readonly cap: number;
  readonly expired: Promise<never>;
}

/** What comes up to the event that ends it, or the body's end; undefined when that is more than the cap. */
export async function readUntil(
  source: Source,
  { ends, cap, expired }: Until,
): Promise<Piece | undefined> {
  const pieces: Piece[] = [];
  let size = 0;
  for (;;) {
    const piece = await Promise.race([source.read(), expired]);
    pieces.push(piece);
    size += piece.bytes.length;
    if (piece.last || piece.events.some(ends)) return joinedPieces(pieces);
    if (size > cap) return undefined;
  }
}

export function tooLarge(source: Source, where: string): ReadAnswer {
  source.cancel();
  return wrongType(`The provider sent more than may be kept ${where}.`);
}

async function wholeAnswer(
  { format, context, relay, target }: Prepared,
  response: Response,
  expired: Promise<never>,
): Promise<ReadAnswer> {
  const bytes = await Promise.race([wholeBytes(response), expired]);
  if (bytes === undefined) return wrongType("The provider's answer is too large.");
  if (bytes.length === 0) return emptyAnswer;
  const text = new TextDecoder().decode(bytes);
  if (text.length > shortAnswer && countValues(text, mostValues) > mostValues)
    return wrongType("The provider's answer holds too many values.");
  const body = parseWithCalls(text);
  if (body === undefined) return wrongType("The provider's answer is not valid JSON.");
  const result = wholeOf(format.readReply(body, context));
  return result.kind === "whole" && relay && !target.stream ? { ...result, bytes } : result;
}

/** An answer that says it is no longer is read in one go. */
const shortAnswer = 1024 * 1024;

/** The whole body; undefined when it is larger than an answer may be: compressed, a few kilobytes can be gigabytes. */
export async function wholeBytes(response: Response): Promise<Uint8Array | undefined> {
  const { body, headers } = response;
  if (body === null) return new Uint8Array(0);
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (length <= shortAnswer && !headers.has("content-encoding"))
    return new Uint8Array(await response.arrayBuffer());
  const reader = byteReader(body);
  try {
    return await readWithin(reader, { cap: wholeCap });
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    // The provider's call ends here; how its connection takes it does not matter.
    reader.cancel().catch(() => undefined);
    return undefined;
  }
}

function wholeOf(events: ReplyEvent[]): ReadAnswer {
  const failure = events.find((event) => event.kind === "fail");
  if (failure) return { kind: "failed", failure: failure.failure };
  return events.length === 0 ? emptyAnswer : { kind: "whole", events };
}

const isFinal = (event: ReplyEvent): boolean => event.kind === "fail" || event.kind === "end";
export const decides = (event: ReplyEvent): boolean => isFinal(event) || isContent(event);

export function failureBeforeContent(events: readonly ReplyEvent[]): Failure | undefined {
  for (const event of events) {
    if (event.kind === "fail") return event.failure;
    if (isContent(event)) return undefined;
  }
  return undefined;
}

/** A status of the log's own: nobody is told. */
const departure: Failure = {
  cause: "left",
  status: 499,
  message: "The client left before the answer.",
};

export const emptyAnswer: ReadAnswer = {
  kind: "failed",
  failure: failed("empty", "The provider's answer is empty."),
};

export function wrongType(message: string): ReadAnswer {
  return { kind: "failed", failure: failed("wrong_type", message) };
}
