/**
 * One call up to the first event that carries content. Until then nothing has reached the client, so every
 * failure is a value and another model may be asked.
 */
import { elapsed } from "../lib/clock.ts";
import type { Failure } from "../core/failure.ts";
import { Problem } from "../core/problem.ts";
import { isContent, mostBlocks, tooManyBlocks, type ReplyEvent } from "../core/events.ts";
import type { Usage } from "../core/usage.ts";
import { readWithin, TooLong } from "../lib/bounded-read.ts";
import { byteReader } from "../lib/bytes.ts";
import { jsonSize, type JsonBounds } from "../lib/json-size.ts";
import { deepestJson, isTooDeep } from "../lib/json.ts";
import { letOthersRun } from "../lib/pace.ts";
import { parseWithCalls } from "../translation/call-inputs.ts";
import type { Connection } from "../providers/connection/connection.ts";
import {
  firstContentTimeout,
  headersTimeout,
  wholeTimeout,
} from "../providers/connection/timeouts.ts";
import {
  failed,
  judged,
  NoRoom,
  brokenReadFailure,
  mediaTypeOf,
  responseHeaders,
  usageIn,
} from "./failures.ts";
import { prepare, shownHeaders } from "./prepare.ts";
import { blocksIn, joinedPieces, sourceOf, type Piece, type Source } from "./source.ts";
import { TimeLimit } from "./time-limit.ts";
import type { Ask, Prepared, SilentCall, Started, StreamAnswer, WholeAnswer } from "./upstream.ts";
import { longestWhole } from "./whole-times.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";

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

/** How a response is read up to its first content, or whole. */
export type ReadResponse = (
  prepared: Prepared,
  response: Response,
  limit: TimeLimit,
) => Promise<ReadAnswer>;

/** How a call is made. */
export interface Calling {
  readonly open: Open;
  readonly read: ReadResponse;
  /** What its provider has reported so far; undefined: nothing. */
  reported?(): Usage | undefined;
}

/** Largest whole answer, and most that may come before the first content, in bytes without their compression. */
const wholeCap = 64 * 1024 * 1024;
export const heldCap = 8 * 1024 * 1024;
/** What a whole answer holds at most: values take more memory than their text, and probabilities of tokens are many. */
const largestAnswer: JsonBounds = {
  depth: deepestJson,
  values: 2_000_000,
  names: 2_000_000,
  members: 50_000,
};

/** Asks the first candidate. Throws `Problem` where it cannot be called at all. */
export async function start(ask: Ask, open: Open): Promise<Started> {
  let reported: Usage | undefined;
  const saw = (events: readonly ReplyEvent[]): void => {
    reported = usageIn(events, reported);
  };
  const read: ReadResponse = (prepared, response, limit) =>
    resultOf(prepared, response, { limit, hasRoom: ask.hasRoom, saw });
  return await startPrepared(ask, prepare(ask), { open, read, reported: () => reported });
}

/** The same for a request that is written, whose response may be read in another way. */
export async function startPrepared(
  ask: Ask,
  prepared: Prepared,
  calling: Calling,
): Promise<Started> {
  if (hasLeft(ask)) return noAnswer(prepared, clientLeft);
  const controller = new AbortController();
  endWith(ask, controller);
  const call = new Call({ ask, prepared, controller, calling });
  try {
    return await call.limit.within(call.start());
  } catch (error) {
    if (error instanceof Problem) throw error;
    controller.abort();
    return call.failed(brokenReadFailure(error));
  } finally {
    call.stop();
  }
}

interface CallParts {
  readonly ask: Ask;
  readonly prepared: Prepared;
  readonly controller: AbortController;
  readonly calling: Calling;
}

/** One call of a provider, up to its first content. */
class Call {
  readonly limit: TimeLimit;
  readonly #ask: Ask;
  readonly #prepared: Prepared;
  readonly #controller: AbortController;
  readonly #calling: Calling;
  readonly #begun = Date.now();
  /** Headers of a stream come before the work, those of a whole answer behind it. */
  #works: boolean;
  /** Its client does not wait in silence any more. */
  #heard: (() => void) | undefined;

  constructor({ ask, prepared, controller, calling }: CallParts) {
    this.#ask = ask;
    this.#prepared = prepared;
    this.#controller = controller;
    this.#calling = calling;
    this.#works = !prepared.target.stream;
    this.limit = new TimeLimit(ask.timer, controller);
  }

  async start(): Promise<Started> {
    const prepared = this.#prepared;
    const { open, read } = this.#calling;
    this.limit.set(answerTimeout(this.#ask, prepared), "an answer");
    if (!prepared.target.stream) this.#awaits(() => ({}));
    const opened = await open(prepared, this.#controller.signal);
    if (!opened.ok) return this.#unopened(opened.failure);
    this.#works = true;
    if (prepared.target.stream)
      this.limit.set(firstContentTimeout(prepared.model), "the first content");
    else this.limit.set(timeLeft(prepared.model.connection, this.#begun), "the answer");
    const { response } = opened;
    if (prepared.target.stream)
      this.#awaits(() => responseHeaders(response, shownHeaders(prepared)));
    const result = await read(prepared, response, this.limit);
    if (result.kind === "failed") return this.failed(result.failure);
    return this.#begins(result, response);
  }

  /** Nothing of it runs any more but its answer. */
  stop(): void {
    this.limit.stop();
    this.#heard?.();
  }

  #awaits(headers: SilentCall["headers"]): void {
    const prepared = this.#prepared;
    this.#heard = this.#ask.awaits?.({ prepared, headers });
  }

  /** It failed on its way: a provider that said nothing of its own may have worked all the same. */
  failed(failure: Failure): Started {
    const usage = this.#calling.reported?.();
    const known = broken(hasLeft(this.#ask) ? clientLeft : failure, this.#works);
    return noAnswer(this.#prepared, usage === undefined ? known : { ...known, usage });
  }

  #unopened(failure: Failure): Started {
    // A connection that was refused or reset began no work; one that was accepted and fell silent may have.
    if (hasLeft(this.#ask) || failure.cause === "timeout") return this.failed(failure);
    return noAnswer(this.#prepared, failure);
  }

  #begins(result: Exclude<ReadAnswer, { kind: "failed" }>, response: Response): Started {
    const prepared = this.#prepared;
    const headers = result.headers ?? responseHeaders(response, shownHeaders(prepared));
    const base = { prepared, headers, attempts: noAttempts, begun: this.#begun };
    return result.kind === "stream"
      ? { ...base, ...result, headers, controller: this.#controller }
      : { ...base, ...result, headers };
  }
}

const noAttempts: readonly AttemptRecord[] = [];

function hasLeft({ departure }: Ask): boolean {
  return departure?.happened === true;
}

/** The call ends with what it is made for, at once where that is over. The signal lives no longer than the request. */
function endWith({ departure, signal }: Ask, controller: AbortController): void {
  departure?.whenever(() => controller.abort());
  if (signal === undefined) return;
  const end = (): void => controller.abort(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
}

/** Seconds until the headers of the answer, those of the call before it included. */
function answerTimeout(ask: Ask, { model, target }: Prepared): number {
  const { maxOutput } = ask.request.description;
  const seconds = target.stream
    ? headersTimeout(model.connection)
    : wholeTimeout(model, { maxOutput, latest: longestWhole(model) });
  return ask.since === undefined ? seconds : secondsLeft(seconds, ask.since);
}

/** Seconds that are left of the time for a whole answer. */
function timeLeft({ timeouts }: Connection, begun: number): number {
  return secondsLeft(timeouts.total, begun);
}

function secondsLeft(seconds: number, begun: number): number {
  return Math.max(1, Math.ceil(seconds - elapsed(begun, Date.now()) / 1000));
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
    attempts: noAttempts,
  };
}

/** What bounds the reading of one answer. */
interface Bounds {
  readonly limit: TimeLimit;
  readonly hasRoom: Ask["hasRoom"];
  /** Told what was read, as it is read: the call may end at any time. */
  saw(events: readonly ReplyEvent[]): void;
}

function resultOf(prepared: Prepared, response: Response, bounds: Bounds): Promise<ReadAnswer> {
  return mediaTypeOf(response) === "text/event-stream"
    ? firstContent(prepared, response, bounds)
    : wholeAnswer(prepared, response, bounds);
}

/** Reads until content, a failure or the end; what was read until then goes along. */
async function firstContent(
  { format, context, target }: Prepared,
  response: Response,
  bounds: Bounds,
): Promise<ReadAnswer> {
  const { limit, saw } = bounds;
  if (response.body === null) return emptyAnswer;
  const source = sourceOf(response.body, format.eventReader(context));
  const held = await readUntil(source, { ends: decides, cap: heldCap, limit, saw });
  if (held === undefined) return tooLarge(source, "before its first content");
  const failure = failureBeforeContent(held.events);
  if (failure) {
    source.cancel();
    return { kind: "failed", failure };
  }
  if (held.events.length === 0) return emptyAnswer;
  if (target.stream) return { kind: "stream", source, held };
  return await collected(source, held, bounds);
}

/** A stream in answer to a request for a whole reply: all of it is read. */
async function collected(source: Source, held: Piece, bounds: Bounds): Promise<ReadAnswer> {
  if (held.last || held.events.some(isFinal)) {
    source.cancel();
    return wholeOf(held.events);
  }
  const rest = await readUntil(source, { ends: isFinal, cap: wholeCap, ...bounds });
  if (rest === undefined) return tooLarge(source, "in one answer");
  source.cancel();
  return wholeOf([...held.events, ...rest.events]);
}

interface Until {
  ends(event: ReplyEvent): boolean;
  /** Most bytes. */
  readonly cap: number;
  readonly limit: Pick<TimeLimit, "over">;
  readonly hasRoom?: Ask["hasRoom"];
  readonly saw?: Bounds["saw"];
}

/** What comes up to the event that ends it, or the body's end; undefined when that is more than the cap. Throws NoRoom. */
export async function readUntil(
  source: Source,
  { ends, cap, limit, hasRoom, saw }: Until,
): Promise<Piece | undefined> {
  const pieces: Piece[] = [];
  let size = 0;
  for (;;) {
    const piece = await source.read();
    pieces.push(piece);
    saw?.(piece.events);
    size += piece.bytes.length;
    if (hasRoom?.(size) === false) throw new NoRoom();
    if (piece.last || piece.events.some(ends)) return joinedPieces(pieces);
    // Behind its time nobody waits for it, and the provider's call was aborted.
    if (size > cap || limit.over) return undefined;
  }
}

export function tooLarge(source: Source, where: string): ReadAnswer {
  source.cancel();
  return wrongType(`The provider sent more than may be kept ${where}.`);
}

async function wholeAnswer(
  { format, context, relay, target }: Prepared,
  response: Response,
  { hasRoom, saw }: Bounds,
): Promise<ReadAnswer> {
  const bytes = await wholeBytes(response, hasRoom);
  if (bytes === undefined) return wrongType("The provider's answer is too large.");
  if (bytes.length === 0) return emptyAnswer;
  const text = utf8.decode(bytes);
  const isLong = text.length > shortAnswer;
  if (isLong) await letOthersRun();
  const over = isLong ? jsonSize(text, largestAnswer).over : undefined;
  if (over !== undefined) return wrongType(tooMuch[over.bound]);
  const body = parseWithCalls(text);
  if (body === undefined)
    return wrongType(isTooDeep(text) ? tooMuch.depth : "The provider's answer is not valid JSON.");
  if (isLong) await letOthersRun();
  const events = format.readReply(body, context);
  saw(events);
  const result = wholeOf(events);
  return result.kind === "whole" && relay && !target.stream ? { ...result, bytes } : result;
}

const utf8 = new TextDecoder();

const tooMuch: Readonly<Record<keyof JsonBounds, string>> = {
  depth: "The provider's answer is nested too deeply.",
  values: "The provider's answer holds too many values.",
  names: "The provider's answer holds too many values.",
  members: "The provider's answer holds an object with too many members.",
};

/** An answer that says it is no longer is read in one go. */
const shortAnswer = 1024 * 1024;

/**
 * The whole body; undefined when it is larger than an answer may be: compressed, a few kilobytes can be gigabytes.
 * Throws NoRoom.
 */
export async function wholeBytes(
  response: Response,
  hasRoom: Ask["hasRoom"],
): Promise<Uint8Array | undefined> {
  const { body, headers } = response;
  if (body === null) return new Uint8Array(0);
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (length <= shortAnswer && !headers.has("content-encoding"))
    return new Uint8Array(await response.arrayBuffer());
  const reader = byteReader(body);
  try {
    const grown = (bytes: number): void => {
      if (hasRoom?.(bytes) === false) throw new NoRoom();
    };
    const isHeld = length >= 0 && !headers.has("content-encoding");
    return await readWithin(reader, { cap: wholeCap, grown, ...(isHeld && { length }) });
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
  if (blocksIn(events) > mostBlocks) return wrongType(tooManyBlocks);
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
const clientLeft: Failure = {
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
