/** Errors: what Messages providers answer and state in streams, and the error envelope of Messages clients. */
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";
import {
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Stop } from "../../../core/events.ts";
import { isOverflowError, overflowCode, statusMessage } from "../../../translation/errors.ts";
import { tokenNumbers } from "../../../translation/token-numbers.ts";

/** HTTP status of each of Anthropic's error types. */
const statusByType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The failure of an answer with an error status. */
export function readFailure(status: number, text: string): Failure {
  const error = readError(parseJson(text));
  const message = error.message ?? plainMessage(status, text);
  return { cause: "status", ...describeError(error, status, message) };
}

/** The failure of an error event, or of an error body with status 200. */
export function statedFailure(body: JsonObject): Failure {
  const error = readError(body);
  const message = error.message ?? "The provider reported an error without a message.";
  return { cause: "stated", ...describeError(error, statusOf(error.type), message) };
}

/** Whether a body or an event is an error. Some servers leave out the type, and some send no more than a message. */
export function isError(body: JsonObject): boolean {
  const { type, error, content } = body;
  if (type === "error") return true;
  return content === undefined && (isObject(error) || typeof error === "string");
}

/** Something that is no answer of this format. */
export function wrongTypeFailure(): Failure {
  const message = "The provider's answer is not in the Messages format.";
  return { cause: "wrong_type", status: 502, message };
}

/** What a provider says about an error. */
interface ProviderError {
  message?: string;
  type?: string;
  code?: string;
  details?: JsonObject;
}

/** `{error: {type, message}}` is the format's own form; other servers also send `{error: "…"}` or `{message}`. */
function readError(body: JsonValue | undefined): ProviderError {
  if (!isObject(body)) return {};
  const { error } = body;
  const inner = isObject(error) ? error : body;
  const message = asString(inner["message"]) ?? asString(error) ?? asString(body["detail"]);
  const type = inner === body ? undefined : asString(inner["type"]);
  const code = asString(inner["code"]);
  const { details } = inner;
  return {
    ...(isObject(details) && { details }),
    ...(message !== undefined && message !== "" && { message }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && code !== "" && !/^\d+$/.test(code) && { code }),
  };
}

function describeError(
  { type, code, details }: ProviderError,
  status: number,
  message: string,
): Omit<Failure, "cause"> {
  const isOverflow = overflowStatuses.has(status) && isOverflowError(code, message);
  return {
    status,
    message,
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(details && { details }),
    ...(isOverflow && { overflow: true }),
  };
}

/** Other statuses never mean that the request is too long, whatever their message says. */
const overflowStatuses = new Set([400, 413, 422, 502]);

function statusOf(type: string | undefined): number {
  const isKnown = type !== undefined && Object.hasOwn(statusByType, type);
  return (isKnown ? statusByType[type] : undefined) ?? 502;
}

/** Short plain text is the provider's message; a web page or nothing is not. */
function plainMessage(status: number, text: string): string {
  const plain = text.trim();
  if (plain === "" || plain.length > 500 || plain.startsWith("<") || plain.startsWith("{"))
    return statusMessage(status);
  return plain;
}

/** An answer that broke off; `raw` is the provider's reason. */
export function brokenReply({ raw }: Stop): Failure {
  const reason = raw === undefined ? "" : ` (${raw})`;
  return { cause: "stated", status: 502, message: `The model's answer broke off${reason}.` };
}

/** An action that only a client of another format could take: an error, since leaving it out would look like success. */
export function unsupportedAction(type: string): Failure {
  const message = `The model answered with ${type}, which the Messages format cannot express.`;
  return { cause: "wrong_type", status: 502, message };
}

/** The error envelope that Messages clients read. */
export function writeError(error: ErrorDetails, requestId: string): JsonObject {
  const { type, message, code, extra } = error;
  return {
    type: "error",
    error: {
      type,
      message,
      code,
      ...extra,
    },
    request_id: requestId,
  };
}

/** The `error` member of a failure in mid-stream. `native`: the provider speaks this format, and its words stand. */
export function streamError(
  { message, type, status, overflow, beforeContent }: Failure,
  native: boolean,
): JsonObject {
  // Of all types the one that most clients try again after, Claude Code among them.
  if (beforeContent === true && status >= 500) return { type: "overloaded_error", message };
  if (overflow === true && !native)
    return { type: "invalid_request_error", message: promptTooLong(message) };
  const isKnown = type !== undefined && Object.hasOwn(statusByType, type);
  return { type: isKnown ? type : streamErrorType(status), message };
}

function streamErrorType(status: number): string {
  return typeByStatus[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** `error.type` of statuses that have one of their own, in streams and envelopes. */
const typeByStatus: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** `error.type` of a failure with this status, in the names that Messages clients know. */
export function errorType(status: number): string {
  switch (status) {
    case 424:
      return "api_error";
    case 504:
      return "timeout_error";
    default:
      return streamErrorType(status);
  }
}

/**
 * A context overflow with the two numbers that clients compute with. `size`: characters of the request's body. A provider
 * of this format words it as its clients know it: some texts make them shorten the answer, not the conversation.
 */
export function overflowError(
  { message }: Failure,
  size: number,
  native = false,
): Pick<ErrorDetails, "message" | "type" | "code"> {
  return {
    message: native ? message : promptTooLong(message, size),
    type: "invalid_request_error",
    code: overflowCode,
  };
}

/**
 * The text by which Messages clients know that they must shorten the conversation: "prompt is too long: <needed> tokens
 * > <limit> maximum". The numbers are the provider's; where it gave none they are estimated from `size`, and left out
 * when that is unknown too.
 */
function promptTooLong(message: string, size?: number): string {
  const stated = /prompt is too long: \d+ tokens > \d+ maximum/.exec(message)?.[0];
  if (stated !== undefined) return stated;
  const numbers = tokenNumbers(message);
  const isNamed = /prompt is too long/i.test(message);
  if (size === undefined && new Set(numbers).size < 2)
    return isNamed ? message : `prompt is too long: ${message}`;
  if (isNamed && numbers.length === 0) return "prompt is too long";
  const estimate = Math.ceil((size ?? 0) / 4);
  const limit = numbers.length > 0 ? Math.min(...numbers) : Math.max(1, estimate - 1);
  const needed = numbers.length > 1 ? Math.max(...numbers) : estimate;
  return `prompt is too long: ${Math.max(needed, limit + 1)} tokens > ${limit} maximum`;
}
