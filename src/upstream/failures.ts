/** What can go wrong with a call, in the words of a `Failure`. */
import type { ProviderFormat } from "../core/format.ts";
import type { Failure, FailureCause } from "../core/failure.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";

/** The reason with which a call is aborted when its time is over. */
export class TimedOut extends Error {
  constructor(what: string, limit: number) {
    super(`The provider did not send ${what} within ${limit} s.`);
  }
}

/** `fetch` threw. Runtimes word this differently; the code of the cause tells most, the text the rest. */
export function connectionFailure(error: unknown, signal: AbortSignal): Failure {
  // A signal's reason is whatever it was aborted with.
  const reason: unknown = signal.reason;
  if (reason instanceof TimedOut) return { cause: "timeout", status: 504, message: reason.message };
  const words = wordsOf(error);
  if (/timed? ?out|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/i.test(words)) {
    return { cause: "timeout", status: 504, message: "The connection to the provider timed out." };
  }
  const refused =
    /refused|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|dns|resolve|unreachable|certificate|CERT_/i;
  const cause: FailureCause = refused.test(words) ? "refused" : "reset";
  const message =
    cause === "refused"
      ? "The provider could not be reached."
      : "The connection to the provider failed before it answered.";
  return { cause, status: 502, message };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return `${error.message} ${cause instanceof Error ? cause.message : ""} ${code}`;
}

/** Why a 2xx answer can't be one, judged by its headers; undefined when it may be. */
export function typeFailure(response: Response): Failure | undefined {
  const length = response.headers.get("content-length");
  if (response.status === 204 || response.status === 205 || length === "0") {
    return { cause: "empty", status: 502, message: "The provider's answer is empty." };
  }
  const type =
    (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (
    type === "text/event-stream" ||
    type === "application/json" ||
    /^application\/[\w.-]+\+json$/.test(type)
  )
    return undefined;
  if (type === "text/html" || type === "application/xhtml+xml") {
    return { cause: "html", status: 502, message: "The provider answered with a web page." };
  }
  const named = type === "" ? "no content type" : `the content type ${type.slice(0, 100)}`;
  return { cause: "wrong_type", status: 502, message: `The provider answered with ${named}.` };
}

export interface ErrorAnswer {
  response: Response;
  text: string;
  dialect: ProviderFormat;
  secrets: readonly string[];
}

/** An error status in the provider's own words, without secrets. */
export function statusFailure({ response, text, dialect, secrets }: ErrorAnswer): Failure {
  const failure = maskFailure(
    dialect.readFailure(response.status, maskSecrets(text, secrets)),
    secrets,
  );
  const retryAfter = readRetryAfter(response.headers, Date.now());
  const overflow = failure.overflow === true || isOverflow(failure);
  return {
    ...failure,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(overflow && { overflow }),
  };
}

/** Longest wait that is believed: a day. */
const longestWait = 86_400;

/** Whole seconds until the provider wants to be asked again: `retry-after-ms`, seconds or a date. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return seconds(Number(ms) / 1000);
  const text = headers.get("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return seconds(Number(text));
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : seconds((date - now) / 1000);
}

function seconds(value: number): number {
  return Math.min(longestWait, Math.max(0, Math.ceil(value)));
}

/** How providers say that a request does not fit into the model's window. */
const overflowCodes = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "model_context_window_exceeded",
  "exceed_context_size_error",
]);
const overflowWords = [
  /prompt is too long/i,
  /input is too long/i,
  /maximum context length/i,
  /context (?:length|window|size)[^.]{0,60}(?:exceed|too (?:small|long)|limit)/i,
  /(?:exceed|larger than|longer than|greater than|over)[^.]{0,80}(?:context (?:length|window|size)|maximum (?:number of )?(?:input )?tokens|token limit|maximum allowed (?:input )?(?:length|tokens))/i,
  /input token count[^.]{0,60}exceeds/i,
  /too many (?:input )?tokens/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  /(?:prompt|input|request) (?:length|tokens)[^.]{0,60}exceed/i,
];

/** Whether a failure means that the conversation is too long for the model. Rate limits in tokens are not that. */
export function isOverflow(failure: Failure): boolean {
  if (
    failure.status !== 400 &&
    failure.status !== 413 &&
    failure.status !== 422 &&
    failure.cause !== "stated"
  )
    return false;
  if (failure.code !== undefined && overflowCodes.has(failure.code)) return true;
  if (failure.type !== undefined && overflowCodes.has(failure.type)) return true;
  if (
    /max_(?:completion_|output_)?tokens|rate limit|per minute|quota/i.test(failure.message) &&
    !/context|prompt is too long/i.test(failure.message)
  )
    return false;
  const words = failure.message.slice(0, 2000);
  return overflowWords.some((pattern) => pattern.test(words));
}

/** Names under which providers give their request's id, and the name under which callers see it. */
const requestIds = [
  "x-request-id",
  "request-id",
  "x-amzn-requestid",
  "apim-request-id",
  "x-goog-request-id",
];
const providerRequestId = "x-provider-request-id";

/** Of a provider's headers only what a caller may see: its id for the request, renamed, and when to come back. */
export function responseHeaders(response: Response): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of requestIds) {
    const id = response.headers.get(name);
    if (id === null || id === "") continue;
    seen[providerRequestId] = id.slice(0, 200);
    break;
  }
  if (!response.headers.has("retry-after")) return seen;
  const pause = readRetryAfter(response.headers, Date.now());
  return pause === undefined ? seen : { ...seen, "retry-after": String(pause) };
}
