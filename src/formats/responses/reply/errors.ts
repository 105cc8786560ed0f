/** OpenAI's error envelope `{error: {message, type, param, code}}`, read and written, and failures in mid-stream. */
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

/** HTTP status that a code or type word stands for, where the answer itself began as a success. */
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

const overflowWords =
  /context (?:length|window|size)|maximum context|input (?:is|was) too long|prompt is too long|too many (?:input )?tokens|exceeds the (?:model'?s )?(?:maximum|available) context/i;

/** The error object of a body or event, wherever servers put it; undefined when there is none. */
export function errorOf(body: JsonValue | undefined): JsonObject | undefined {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = object?.["error"];
  if (typeof error === "string" && error !== "") return { message: error };
  return asObject(error);
}

/** A failure with an HTTP status and whatever body came with it. */
export function readFailure(status: number, text: string): Failure {
  const body = parseJson(text);
  const otherwise = `the provider answered ${status}`;
  return { ...wordsOf(errorOf(body) ?? asObject(body) ?? {}, otherwise), cause: "status", status };
}

/** An error inside an answer that began as a success. */
export function statedFailure(error: JsonObject): Failure {
  const words = wordsOf(error, "the provider reported a failure");
  const retryAfter = retrySeconds(words.message);
  return {
    ...words,
    cause: "stated",
    status: statusOf(error),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** There is no header in mid-stream: the service says in words when to come back. */
function retrySeconds(message: string): number | undefined {
  const said = /try again in (\d{1,6}(?:\.\d{1,6})?) ?(ms|s|m)\b/i.exec(message.slice(0, 2000));
  if (!said) return undefined;
  const scale = { ms: 0.001, s: 1, m: 60 }[said[2]?.toLowerCase() ?? ""] ?? 1;
  return Math.ceil(Number(said[1]) * scale);
}

function statusOf(error: JsonObject): number {
  for (const word of [asString(error["code"]), asString(error["type"])])
    if (word !== undefined && Object.hasOwn(statuses, word)) return statuses[word] ?? 502;
  const number = asNumber(error["status"]) ?? Number(error["code"] ?? Number.NaN);
  return Number.isInteger(number) && number >= 400 && number <= 599 ? number : 502;
}

function wordsOf(error: JsonObject, otherwise: string): Omit<Failure, "cause" | "status"> {
  const message = sentence(error["message"]) ?? sentence(error["detail"]) ?? otherwise;
  const code = asString(error["code"]);
  const named = code !== undefined && code !== "" && Number.isNaN(Number(code));
  const type = asString(error["type"]);
  const overflow = code === "context_length_exceeded" || overflowWords.test(message.slice(0, 2000));
  return {
    message,
    ...(named && { code }),
    ...(type !== undefined && type !== "" && type !== "error" && { type }),
    ...(overflow && { overflow: true }),
  };
}

function sentence(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  // FastAPI servers put a list of validation errors into `detail`.
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : undefined;
}

/** The envelope of this dialect. */
export function writeError(error: ErrorDetails): JsonObject {
  const { message, type, code, extra } = error;
  return { error: { message, type, code, param: null, ...extra } };
}

/** `response.error` of a failed answer. Clients act on the code: an overflow always has the one they know. */
export function writeFailure(failure: Failure): { code: string; message: string } {
  const code =
    failure.overflow === true ? "context_length_exceeded" : (failure.code ?? "server_error");
  return { code, message: failure.message };
}
