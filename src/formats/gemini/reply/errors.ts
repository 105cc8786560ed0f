/** Gemini's errors: `{error: {code, message, status, details}}`, sometimes inside an array. */
import type { Failure } from "../../../core/failure.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** HTTP status of each status word. */
const statuses: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  DATA_LOSS: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

const overflowWords =
  /exceeds? the maximum (?:number of tokens|input)|input token count|context (?:length|window)|too many tokens|prompt is too long/i;

/** The `error` member of a body, of its first element if it is an array; undefined when there is none. */
export function errorOf(body: JsonValue | undefined): JsonObject | undefined {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = object?.["error"];
  if (typeof error === "string") return { message: error };
  return asObject(error);
}

/** A failure with an HTTP status and whatever body came with it. */
export function readFailure(status: number, text: string): Failure {
  const body = parseJson(text);
  const error = errorOf(body);
  if (error)
    return { ...wordsOf(error, `the provider answered ${status}`), cause: "status", status };
  const message = saidText(asObject(body)?.["message"]) ?? `the provider answered ${status}`;
  return {
    cause: "status",
    status,
    message,
    ...(overflowWords.test(message) && { overflow: true }),
  };
}

/** An error object inside an answer that began as a success. */
export function statedFailure(error: JsonObject): Failure {
  return {
    ...wordsOf(error, "the provider reported an error"),
    cause: "stated",
    status: statusOf(error),
  };
}

function statusOf(error: JsonObject): number {
  const code = asNumber(error["code"]);
  if (code !== undefined && code >= 400 && code <= 599) return code;
  const word = asString(error["status"]) ?? "";
  return Object.hasOwn(statuses, word) ? (statuses[word] ?? 502) : 502;
}

function wordsOf(error: JsonObject, otherwise: string): Omit<Failure, "cause" | "status"> {
  const message = saidText(error["message"]) ?? otherwise;
  const code = saidText(error["status"]) ?? nonNumeric(saidText(error["code"]));
  const type = saidText(error["type"]);
  const retryAfter = retryDelay(error, message);
  return {
    message,
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(overflowWords.test(message) && { overflow: true }),
  };
}

function saidText(value: JsonValue | undefined): string | undefined {
  return asString(value) === "" ? undefined : asString(value);
}

function nonNumeric(text: string | undefined): string | undefined {
  return text !== undefined && Number.isNaN(Number(text)) ? text : undefined;
}

/** Whole seconds of a `RetryInfo` detail (`"34.07s"`), else of the message's own words. */
function retryDelay(error: JsonObject, message: string): number | undefined {
  for (const detail of asArray(error["details"])) {
    const seconds = isObject(detail)
      ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(asString(detail["retryDelay"]) ?? "")
      : null;
    if (seconds) return Math.ceil(Number(seconds[1]));
  }
  const said = /retry in (\d{1,9}(?:\.\d+)?)\s?s/i.exec(message);
  return said ? Math.ceil(Number(said[1])) : undefined;
}
