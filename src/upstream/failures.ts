/** What can go wrong with a call, as a `Failure`. */
import { tooManyBlocks, type ReplyEvent } from "../core/events.ts";
import type { ProviderFormat, ReadContext } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import { problemCodes } from "../core/problem.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { parseJson } from "../lib/json.ts";
import { isOverflowText } from "../translation/errors.ts";
import { readRetryAfter, TimedOut } from "../providers/connection/failures.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";

/** Media types by the header that states them: providers have few, and one answers as it did before. */
const mediaTypes = new Map<string, string>();
const mostMediaTypes = 100;
const longestMediaType = 100;

/** The media type that an answer states, in small letters and without parameters; empty where it states none. */
export function mediaTypeOf({ headers }: Response): string {
  const stated = headers.get("content-type") ?? "";
  let type = mediaTypes.get(stated);
  if (type === undefined) {
    type = stated.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (mediaTypes.size < mostMediaTypes && stated.length <= longestMediaType)
      mediaTypes.set(stated, type);
  }
  return type;
}

/** Whether an answer of this media type is JSON. */
export function isJsonType(type: string): boolean {
  return type === "application/json" || /^application\/[\w.-]+\+json$/.test(type);
}

/** Why a 2xx answer can't be one, judged by its headers; undefined when it may be. */
export function typeFailure(response: Response): Failure | undefined {
  const { status } = response;
  if (status === 204 || status === 205 || response.headers.get("content-length") === "0") {
    return { cause: "empty", status: 502, message: "The provider's answer is empty." };
  }
  const type = mediaTypeOf(response);
  if (type === "text/event-stream" || isJsonType(type)) return undefined;
  if (type === "text/html" || type === "application/xhtml+xml") {
    return { cause: "html", status: 502, message: "The provider answered with a web page." };
  }
  const named = type === "" ? "no content type" : `the content type ${type.slice(0, 100)}`;
  return { cause: "wrong_type", status: 502, message: `The provider answered with ${named}.` };
}

/** The same for answers of operations, which may be media and plain text too. */
export function operationTypeFailure(response: Response): Failure | undefined {
  const failure = typeFailure(response);
  return failure?.cause === "wrong_type" ? undefined : failure;
}

export interface ErrorAnswer {
  response: Response;
  text: string;
  format: ProviderFormat;
  context: ReadContext | undefined;
  secrets: readonly string[];
  /** Headers that the client may see, by the beginnings of their names. */
  shown: readonly string[];
}

/** An answer with an error status, secrets masked. */
export function statusFailure(answer: ErrorAnswer): Failure {
  const { response, text, format, secrets, shown } = answer;
  const failure = maskFailure(
    format.readFailure(response.status, maskSecrets(text, secrets)),
    secrets,
  );
  const retryAfter = readRetryAfter(response.headers, Date.now());
  const overflow = failure.overflow === true || isOverflow(failure);
  const headers = headersBeginning([retryWord, ...shown], response.headers, secrets);
  return {
    ...failure,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(overflow && { overflow }),
    ...usageOf(answer),
  };
}

/** Some providers bill what they refuse, and say so in the error. */
function usageOf({ text, format, context }: ErrorAnswer): Pick<Failure, "usage"> {
  if (context === undefined || !text.includes('"usage')) return {};
  const body = parseJson(text);
  const usage = body === undefined ? undefined : usageIn(format.readReply(body, context));
  return usage === undefined ? {} : { usage };
}

/** What events report together. */
export function usageIn(events: readonly ReplyEvent[], before?: Usage): Usage | undefined {
  return events.reduce<Usage | undefined>(
    (sum, event) => (event.kind === "usage" ? addUsage(sum ?? {}, event.usage) : sum),
    before,
  );
}

/** By which a provider says whether the same request may be sent again, whatever the status. */
export const retryWord = "x-should-retry";
const longestHeader = 500;

/** Those headers as they came, without secrets. */
function headersBeginning(
  beginnings: readonly string[],
  headers: Headers,
  secrets: readonly string[] = [],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of headers)
    if (value !== "" && beginnings.some((beginning) => name.startsWith(beginning)))
      found[name] = maskSecrets(value, secrets).slice(0, longestHeader);
  return found;
}

/** How providers say that a request does not fit into the model's window. */
const overflowCodes = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "model_context_window_exceeded",
  "exceed_context_size_error",
]);
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
  return isOverflowText(failure.message);
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

/** The provider's headers that a caller may see: its id for the request, renamed, `Retry-After`, and those in `shown`. */
export function responseHeaders(
  response: Response,
  shown: readonly string[] = [],
): Record<string, string> {
  const seen = shown.length === 0 ? {} : headersBeginning(shown, response.headers);
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

/** A failure that came without a status. */
export function failed(cause: Failure["cause"], message: string): Failure {
  return { cause, status: 502, message };
}

/** Longer than any pause that is waited for here: the same answer would be billed again. */
const roomPause = 10;

/** There is no memory in this isolate for what else of a whole answer comes. */
export class NoRoom extends Error {}

function noRoom(): Failure {
  return {
    cause: "cut",
    status: 503,
    code: problemCodes.overloaded,
    message: `The gateway has no memory for another large response. Try again in ${roomPause} s.`,
    retryAfter: roomPause,
    mayBill: true,
    ours: true,
  };
}

/** What a broken read of the provider's body counts as. */
export function brokenReadFailure(error: unknown): Failure {
  if (error instanceof TimedOut) return { cause: "timeout", status: 504, message: error.message };
  if (error instanceof NoRoom) return noRoom();
  if (error instanceof RangeError && error.message === tooManyBlocks)
    return failed("wrong_type", tooManyBlocks);
  return error instanceof RangeError
    ? failed("wrong_type", "The provider's stream holds an event that is too long.")
    : failed("reset", "The connection to the provider broke.");
}

/** A provider that was silent for too long in mid-stream. */
export function silence(seconds: number): Failure {
  return { cause: "timeout", status: 504, message: `The provider was silent for ${seconds} s.` };
}

const overflowStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500, 502]);

/** Numbers that are no error's status count as 502; an overflow is one only with a status that it can have. */
export function judged(failure: Failure): Failure {
  const status = failure.status >= 400 && failure.status <= 599 ? failure.status : 502;
  // A limit of tokens a minute is worded like one of the context.
  const overflow = failure.overflow === true && overflowStatuses.has(status);
  return { ...failure, status, overflow };
}
