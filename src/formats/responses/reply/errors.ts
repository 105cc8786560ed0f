/** Errors: what Responses providers answer and state in streams, and the error envelope of Responses clients. */
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";
import {
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import {
  isOverflowError,
  openAiOverflow,
  overflowCode,
  statusMessage,
} from "../../../translation/errors.ts";

/** HTTP status that a code or type stands for, where the answer itself has status 200. */
const statuses: Record<string, number> = {
  invalid_request_error: 400,
  invalid_request: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  bio_policy: 400,
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_base64_image: 400,
  invalid_image_url: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_parse_error: 400,
  image_content_policy_violation: 400,
  content_policy_violation: 400,
  content_filter: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  insufficient_quota: 429,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  server_error: 500,
  api_error: 500,
  internal_error: 500,
  overloaded_error: 503,
  server_is_overloaded: 503,
  slow_down: 503,
  timeout: 504,
  timeout_error: 504,
};

/** The error object of a body or event, wherever servers put it; undefined when there is none. */
export function errorOf(body: JsonValue | undefined): JsonObject | undefined {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = object?.["error"];
  if (typeof error === "string" && error !== "") return { message: error };
  return asObject(error);
}

/** The failure of an answer with an error status. */
export function readFailure(status: number, text: string): Failure {
  const body = parseJson(text);
  const error = errorOf(body) ?? asObject(body) ?? {};
  const failure = readError(error, statusMessage(status));
  return { ...failure, cause: "status", status };
}

/** An error in an answer with status 200. */
export function statedFailure(error: JsonObject): Failure {
  const failure = readError(error, "The provider reported an error.");
  const retryAfter = retrySeconds(failure.message);
  return {
    ...failure,
    cause: "stated",
    status: statusOf(error),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Whole seconds in the message: a stream has no header that tells when to try again. */
function retrySeconds(message: string): number | undefined {
  const match = /try again in (\d{1,6}(?:\.\d{1,6})?) ?(ms|s|m)\b/i.exec(message.slice(0, 2000));
  if (!match) return undefined;
  const scale = { ms: 0.001, s: 1, m: 60 }[match[2]?.toLowerCase() ?? ""] ?? 1;
  return Math.ceil(Number(match[1]) * scale);
}

function statusOf(error: JsonObject): number {
  for (const name of [asString(error["code"]), asString(error["type"])])
    if (name !== undefined && Object.hasOwn(statuses, name)) return statuses[name] ?? 502;
  const number = asNumber(error["status"]) ?? Number(error["code"] ?? Number.NaN);
  return Number.isInteger(number) && number >= 400 && number <= 599 ? number : 502;
}

/** `otherwise`: the message of an error that has none. */
function readError(error: JsonObject, otherwise: string): Omit<Failure, "cause" | "status"> {
  const message = messageText(error["message"]) ?? messageText(error["detail"]) ?? otherwise;
  const code = asString(error["code"]);
  const isNamed = code !== undefined && code !== "" && Number.isNaN(Number(code));
  const type = asString(error["type"]);
  return {
    message,
    ...(isNamed && { code }),
    ...(type !== undefined && type !== "" && type !== "error" && { type }),
    ...(isOverflowError(code, message) && { overflow: true }),
  };
}

function messageText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  // FastAPI servers put a list of validation errors into `detail`.
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : undefined;
}

/** An answer that broke off without an error of its own. */
export function brokenReply(): Failure {
  const message = "The model could not complete its answer.";
  return { cause: "stated", status: 502, message };
}

/** An action that only a client of another format could take: an error, since leaving it out would look like success. */
export function unsupportedAction(type: string): Failure {
  const message = `The model answered with ${type}, which the Responses format cannot express.`;
  return { cause: "stated", status: 502, message };
}

/** The envelope that OpenAI's clients read. */
export function writeError(error: ErrorDetails): JsonObject {
  const { message, type, code, extra } = error;
  return { error: { message, type, code, param: null, ...extra } };
}

/** `response.error` of a failed answer. */
export interface ResponseError {
  code: string;
  message: string;
}

/** The error of a failed answer. Clients act on the code: an overflow always has the one that they know. */
export function streamError(failure: Failure): ResponseError {
  const { message, code = "server_error", overflow } = failure;
  return overflow === true
    ? { code: overflowCode, message: openAiOverflow(failure).message }
    : { code, message };
}
