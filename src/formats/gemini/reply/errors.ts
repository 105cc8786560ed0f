/** Errors: `{error: {code, message, status, details}}`, sometimes inside an array. */
import type { Failure } from "../../../core/failure.ts";
import {
  asArray,
  asFilledString,
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { isOverflowText, statusMessage } from "../../../translation/errors.ts";

/** HTTP status of each `status`. */
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

/** The `error` member of a body, of its first element if it is an array; undefined when there is none. */
export function errorOf(body: JsonValue | undefined): JsonObject | undefined {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = object?.["error"];
  if (typeof error === "string") return { message: error };
  return asObject(error);
}

/** The failure of an answer with an error status. */
export function readFailure(status: number, text: string): Failure {
  const body = parseJson(text);
  const error = errorOf(body) ?? { message: asObject(body)?.["message"] };
  const failure = readError(error, statusMessage(status));
  return { ...failure, cause: "status", status };
}

/** An error object in an answer with status 200. */
export function statedFailure(error: JsonObject): Failure {
  return {
    ...readError(error, "The provider reported an error."),
    cause: "stated",
    status: statusOf(error),
  };
}

function statusOf(error: JsonObject): number {
  const code = asNumber(error["code"]);
  if (code !== undefined && code >= 400 && code <= 599) return code;
  const name = asString(error["status"]) ?? "";
  return Object.hasOwn(statuses, name) ? (statuses[name] ?? 502) : 502;
}

/** Most details of an error that are handed on. */
const mostDetails = 50;

/** `otherwise`: the message of an error that has none. */
function readError(error: JsonObject, otherwise: string): Omit<Failure, "cause" | "status"> {
  const message = asFilledString(error["message"]) ?? otherwise;
  const code = asFilledString(error["status"]) ?? nonNumeric(asFilledString(error["code"]));
  const type = asFilledString(error["type"]);
  const retryAfter = retryDelay(error, message);
  const details = asArray(error["details"]).slice(0, mostDetails);
  return {
    message,
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(details.length > 0 && { details }),
    ...(isOverflowText(message) && { overflow: true }),
  };
}

function nonNumeric(text: string | undefined): string | undefined {
  return text !== undefined && Number.isNaN(Number(text)) ? text : undefined;
}

/** Whole seconds of a `RetryInfo` detail (`"34.07s"`), else those in the message. */
function retryDelay(error: JsonObject, message: string): number | undefined {
  for (const detail of asArray(error["details"])) {
    const seconds = isObject(detail)
      ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(asString(detail["retryDelay"]) ?? "")
      : null;
    if (seconds) return Math.ceil(Number(seconds[1]));
  }
  const match = /retry in (\d{1,9}(?:\.\d+)?)\s?s/i.exec(message);
  return match ? Math.ceil(Number(match[1])) : undefined;
}
