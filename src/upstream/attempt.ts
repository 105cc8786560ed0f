/**
 * One call of one provider, up to the first event that carries content. Until then nothing has reached the
 * client, so every failure is a value and the next candidate may try.
 */
import type { ProviderFormat, ReadContext } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import type { Target } from "../core/model.ts";
import { isContent, type ReplyEvent } from "../core/events.ts";
import { parseWithCalls } from "../translation/call-inputs.ts";
import type { JsonObject } from "../lib/json.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { Problem } from "../core/problem.ts";
import { firstContentOf, headersOf } from "../providers/connection/connect.ts";
import { TimedOut } from "./failures.ts";
import type { Credentials } from "../providers/models/fetch-list.ts";
import { maskFailure } from "../providers/connection/mask.ts";
import { secretsOf, send } from "./send.ts";
import type { Mode } from "../store/env.ts";
import { noPiece, sourceOf, withPiece, type Piece, type Source } from "./source.ts";

/** A request written for one candidate. */
export interface Prepared {
  model: ListedModel;
  target: Target;
  dialect: ProviderFormat;
  /** The client's dialect is the provider's: bytes pass as they are. */
  relay: boolean;
  body: JsonObject;
  context: ReadContext;
  dropped: string[];
  quiet: string[];
  /** The gateway asked for the usage chunk, the client did not. */
  hidesUsage: boolean;
}

export interface AttemptInput {
  prepared: Prepared;
  credentials: Credentials;
  mode: Mode;
  query: string;
  headers: Headers;
  /** Aborts the provider's call. */
  controller: AbortController;
}

export type Started =
  | { kind: "stream"; response: Response; source: Source; held: Piece }
  /** All of it has arrived and parsed. `bytes` are the provider's own when they may pass untouched. */
  | { kind: "whole"; response: Response; events: ReplyEvent[]; bytes?: Uint8Array }
  | { kind: "failed"; failure: Failure };

/** Largest whole answer, in bytes. */
const wholeCap = 64 * 1024 * 1024;

/** Nothing of the credential is left in a failure's words, wherever in the answer it was stated. */
export async function attempt(input: AttemptInput): Promise<Started> {
  const started = await call(input);
  if (started.kind !== "failed") return started;
  return {
    kind: "failed",
    failure: judged(maskFailure(started.failure, secretsOf(input.credentials))),
  };
}

const overflowStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500, 502]);

/** Numbers that are no error's status count as 502; an overflow is one only with a status that it can have. */
function judged(failure: Failure): Failure {
  const status = failure.status >= 400 && failure.status <= 599 ? failure.status : 502;
  // A limit of tokens a minute is worded like one of the context.
  const overflow = failure.overflow === true && overflowStatuses.has(status);
  return { ...failure, status, overflow };
}

async function call(input: AttemptInput): Promise<Started> {
  const { prepared, controller } = input;
  const { connection, info } = prepared.model;
  const { stream } = prepared.target;
  const limit = timeLimit(controller);
  try {
    limit.set(headersOf(connection, stream), "an answer");
    const sent = await send({
      connection,
      target: prepared.target,
      dialect: prepared.dialect,
      ...input.credentials,
      mode: input.mode,
      body: prepared.body,
      query: input.query,
      headers: input.headers,
      signal: controller.signal,
      relay: prepared.relay,
    });
    if (!sent.ok) return { kind: "failed", failure: sent.failure };
    if (stream) limit.set(firstContentOf(connection, info), "the first content");
    else limit.set(connection.timeouts.total, "the answer");
    return isEventStream(sent.response)
      ? await startStream(input, sent.response, limit.expired)
      : await readWhole(input, sent.response, limit.expired);
  } catch (error) {
    if (error instanceof Problem) throw error;
    controller.abort();
    return { kind: "failed", failure: readFailure(error) };
  } finally {
    limit.stop();
  }
}

function isEventStream(response: Response): boolean {
  return /text\/event-stream/i.test(response.headers.get("content-type") ?? "");
}

/** Reads until content, a failure or the end; what was held back until then goes along. */
async function startStream(
  input: AttemptInput,
  response: Response,
  expired: Promise<never>,
): Promise<Started> {
  const { prepared } = input;
  if (response.body === null) return emptyAnswer();
  const source = sourceOf(response.body, prepared.dialect.eventReader(prepared.context));
  let held = noPiece;
  while (!held.last && !held.events.some(decides)) {
    held = withPiece(held, await Promise.race([source.read(), expired]));
  }
  const failure = failureBeforeContent(held.events);
  if (failure) {
    source.cancel();
    return { kind: "failed", failure };
  }
  if (held.events.length === 0) return emptyAnswer();
  if (prepared.target.stream) return { kind: "stream", response, source, held };
  return await collectStream({ source, held, response, expired });
}

/** A stream in answer to a request for a whole reply: all of it is read. */
async function collectStream(stream: {
  source: Source;
  held: Piece;
  response: Response;
  expired: Promise<never>;
}): Promise<Started> {
  const events = [...stream.held.events];
  let { last } = stream.held;
  while (!last && !events.some(isFinal)) {
    const piece = await Promise.race([stream.source.read(), stream.expired]);
    events.push(...piece.events);
    last = piece.last;
  }
  stream.source.cancel();
  return wholeOf(events, stream.response);
}

async function readWhole(
  input: AttemptInput,
  response: Response,
  expired: Promise<never>,
): Promise<Started> {
  const { prepared } = input;
  const bytes = new Uint8Array(await Promise.race([response.arrayBuffer(), expired]));
  if (bytes.length === 0) return emptyAnswer();
  if (bytes.length > wholeCap) return failed("wrong_type", "The provider's answer is too large.");
  const body = parseWithCalls(new TextDecoder().decode(bytes));
  if (body === undefined) return failed("wrong_type", "The provider's answer is not valid JSON.");
  const started = wholeOf(prepared.dialect.readReply(body, prepared.context), response);
  const untouched = prepared.relay && !prepared.target.stream;
  return started.kind === "whole" && untouched ? { ...started, bytes } : started;
}

function wholeOf(events: ReplyEvent[], response: Response): Started {
  const failure = events.find((event) => event.kind === "fail");
  if (failure) return { kind: "failed", failure: failure.failure };
  if (events.length === 0) return emptyAnswer();
  return { kind: "whole", response, events };
}

const isFinal = (event: ReplyEvent): boolean => event.kind === "fail" || event.kind === "end";
const decides = (event: ReplyEvent): boolean => isFinal(event) || isContent(event);

function failureBeforeContent(events: readonly ReplyEvent[]): Failure | undefined {
  for (const event of events) {
    if (event.kind === "fail") return event.failure;
    if (isContent(event)) return undefined;
  }
  return undefined;
}

function emptyAnswer(): Started {
  return failed("empty", "The provider's answer is empty.");
}

function failed(cause: Failure["cause"], message: string): Started {
  return { kind: "failed", failure: { cause, status: 502, message } };
}

interface TimeLimit {
  /** From now on, so many seconds for this. */
  set(seconds: number, what: string): void;
  /** Rejects when the time is over; the provider's call is aborted then. */
  expired: Promise<never>;
  stop(): void;
}

/** One timer for all phases of an attempt: when it wakes too early for the phase that runs, it sleeps again. */
function timeLimit(controller: AbortController): TimeLimit {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let due = 0;
  let late = { what: "", seconds: 0 };
  let reject: (error: Error) => void = () => undefined;
  const expired = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  // Nobody may be waiting for it at the moment it rejects.
  expired.catch(() => undefined);
  let wakes = 0;
  const wake = (): void => {
    const left = due - Date.now();
    if (left > 0) return sleep(left);
    const over = new TimedOut(late.what, late.seconds);
    controller.abort(over);
    reject(over);
  };
  const sleep = (milliseconds: number): void => {
    wakes = Date.now() + milliseconds;
    timer = setTimeout(wake, milliseconds);
  };
  return {
    set(seconds, what) {
      due = Date.now() + seconds * 1000;
      late = { what, seconds };
      if (timer !== null && wakes <= due) return;
      clearTimeout(timer);
      sleep(seconds * 1000);
    },
    expired,
    stop: () => clearTimeout(timer),
  };
}

/** What a broken read of the provider's body counts as. */
export function readFailure(error: unknown): Failure {
  if (error instanceof TimedOut) return { cause: "timeout", status: 504, message: error.message };
  if (error instanceof RangeError)
    return {
      cause: "wrong_type",
      status: 502,
      message: "The provider's stream holds an event that is too long.",
    };
  return { cause: "reset", status: 502, message: "The connection to the provider broke." };
}

/** The failure of a silence that lasted too long in mid-stream. */
export function silence(seconds: number): Failure {
  return { cause: "timeout", status: 504, message: `The provider was silent for ${seconds} s.` };
}
