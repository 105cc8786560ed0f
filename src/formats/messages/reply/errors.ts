/** Failures of providers that speak this dialect, and the error envelope of its clients. */
import { asString, isObject, parseJson, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";
import { overflowCode } from "../../../translation/errors.ts";

/** Anthropic's error types and the statuses they come with. */
const statuses: Record<string, number> = {
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

const types: Record<number, string> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** How servers of this dialect say that a request is longer than the model's context window. */
const overflowWords =
  /prompt is too long|exceeds? (the )?(model'?s? )?(maximum )?context|context (length|limit|window)|context_length_exceeded|input is too long|too many (input )?tokens|maximum (number of )?(input )?tokens/i;

/** An error status with its body. */
export function readFailure(status: number, text: string): Failure {
  const said = spoken(parseJson(text));
  const message = said.message ?? plainMessage(status, text);
  return {
    cause: "status",
    status,
    message,
    ...(said.type !== undefined && { type: said.type }),
    ...(said.code !== undefined && { code: said.code }),
    ...(isOverflow(status, said.code, message) && { overflow: true }),
  };
}

/** An error event, or an error body with status 200. */
export function statedFailure(body: JsonObject): Failure {
  const said = spoken(body);
  const known = said.type !== undefined && Object.hasOwn(statuses, said.type);
  const status = (known && said.type !== undefined ? statuses[said.type] : undefined) ?? 502;
  const message = said.message ?? "the provider stated an error without words";
  return {
    cause: "stated",
    status,
    message,
    ...(said.type !== undefined && { type: said.type }),
    ...(said.code !== undefined && { code: said.code }),
    ...(isOverflow(status, said.code, message) && { overflow: true }),
  };
}

export function strangeBody(): Failure {
  return {
    cause: "wrong_type",
    status: 502,
    message: "the provider's answer is not of its format",
  };
}

export function cutFailure(): Failure {
  return {
    cause: "cut",
    status: 502,
    message: "the provider's stream ended before its answer did",
  };
}

interface Said {
  message?: string;
  type?: string;
  code?: string;
}

/** `{error: {type, message}}` is the dialect's; servers beside it also send `{error: "…"}` or `{message}`. */
function spoken(body: JsonValue | undefined): Said {
  if (!isObject(body)) return {};
  const { error } = body;
  const inner = isObject(error) ? error : body;
  const message = asString(inner["message"]) ?? asString(error) ?? asString(body["detail"]);
  const type = inner === body ? undefined : asString(inner["type"]);
  const code = asString(inner["code"]);
  return {
    ...(message !== undefined && message !== "" && { message }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && code !== "" && !/^\d+$/.test(code) && { code }),
  };
}

/** Short plain text is the provider's own words; a page or nothing is not. */
function plainMessage(status: number, text: string): string {
  const plain = text.trim();
  if (plain === "" || plain.length > 500 || plain.startsWith("<") || plain.startsWith("{"))
    return `the provider answered with status ${status}`;
  return plain;
}

function isOverflow(status: number, code: string | undefined, message: string): boolean {
  if (status !== 400 && status !== 413 && status !== 422 && status !== 502) return false;
  return code === "context_length_exceeded" || overflowWords.test(message);
}

/** The error envelope that clients of this dialect read. */
export function writeError(error: ErrorDetails, requestId: string): JsonObject {
  return {
    type: "error",
    error: {
      type: error.type,
      message: error.code === "context_length_exceeded" ? tooLong(error.message) : error.message,
      code: error.code,
      ...error.extra,
    },
    request_id: requestId,
  };
}

/** An `error` member for a failure in the middle of a stream. */
export function streamError(failure: Failure): JsonObject {
  return {
    type:
      failure.overflow === true
        ? "invalid_request_error"
        : streamErrorType(failure.type, failure.status),
    message: failure.overflow === true ? tooLong(failure.message) : failure.message,
  };
}

function streamErrorType(type: string | undefined, status: number): string {
  if (type !== undefined && Object.hasOwn(statuses, type)) return type;
  return types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/**
 * The words by which clients of this dialect know that they must shorten the conversation; with the two numbers
 * when the provider told them (the needed one is the larger).
 */
export function tooLong(message: string): string {
  if (/prompt is too long/i.test(message)) return message;
  const numbers = [...message.matchAll(/\d[\d,]{3,}/g)].map(([digits]) =>
    Number(digits.replaceAll(",", "")),
  );
  const needed = Math.max(...numbers);
  const limit = Math.min(...numbers);
  return needed > limit
    ? `prompt is too long: ${needed} tokens > ${limit} maximum`
    : `prompt is too long: ${message}`;
}

/** `error.type` by status. */
const clientTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  422: "invalid_request_error",
  424: "api_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** `error.type` of a failure with this status, in the names that clients of this format know. */
export function errorType(status: number): string {
  return clientTypes[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

/** A context overflow with the two numbers that clients compute from: as the provider said them, else estimated. */
export function overflowError(
  { message }: Failure,
  size: number,
): Pick<ErrorDetails, "message" | "type" | "code"> {
  return {
    message: promptTooLong(message, size),
    type: "invalid_request_error",
    code: overflowCode,
  };
}

function promptTooLong(said: string, size: number): string {
  const whole = /prompt is too long: \d+ tokens > \d+ maximum/.exec(said);
  if (whole) return whole[0];
  // Digits inside a word are a model's name or its date.
  const numbers = [...said.matchAll(/(?<![\w.-])\d[\d,]{2,}(?![\w-])/g)]
    .map((match) => Number(match[0].replaceAll(",", "")))
    .filter((number) => number >= 1000);
  const limit = numbers.length > 0 ? Math.min(...numbers) : undefined;
  const asked = numbers.length > 1 ? Math.max(...numbers) : Math.ceil(size / 4);
  if (limit === undefined)
    return (
      /prompt is too long(?:: \d+ tokens > \d+ maximum)?/.exec(said)?.[0] ??
      `prompt is too long: ${asked} tokens > ${Math.max(1, asked - 1)} maximum`
    );
  return `prompt is too long: ${Math.max(asked, limit + 1)} tokens > ${limit} maximum`;
}
