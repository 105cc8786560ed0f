/** Failures as chat servers word them, and the error envelope of chat clients. */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";

const statusByType: Record<string, number> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_error: 500,
  internal_server_error: 500,
  api_error: 500,
  overloaded_error: 529,
  timeout_error: 504,
};

/** An answer with an error status. */
export function readFailure(status: number, text: string): Failure {
  const words = errorWords(parseJson(text)) ?? {};
  const message =
    words.message ?? plainMessage(text) ?? `the provider answered with status ${status}`;
  return { cause: "status", status, ...describe(words, message) };
}

/** An error inside a 200: a chunk, an error event or a whole body. Undefined when the value states none. */
export function readStated(value: JsonObject): Failure | undefined {
  const words = errorWords(value);
  if (!words) return undefined;
  const message = words.message ?? "the provider stated an error";
  return {
    cause: "stated",
    status: words.status ?? statusOf(words) ?? 502,
    ...describe(words, message),
  };
}

interface Words {
  message?: string;
  type?: string;
  code?: string;
  status?: number;
}

function describe(
  words: Words,
  message: string,
): Pick<Failure, "message" | "type" | "code" | "overflow"> {
  return {
    message,
    ...(words.type !== undefined && { type: words.type }),
    ...(words.code !== undefined && { code: words.code }),
    ...(isOverflow(words.code, message) && { overflow: true }),
  };
}

function statusOf(words: Words): number | undefined {
  for (const word of [words.type, words.code]) {
    if (word !== undefined && Object.hasOwn(statusByType, word)) return statusByType[word];
  }
  return undefined;
}

/** The error in a body, in any of the shapes that occur. */
function errorWords(value: JsonValue | undefined): Words | undefined {
  // One vendor's chat layer wraps the body in an array.
  const body = asObject(Array.isArray(value) ? value[0] : value);
  if (!body) return undefined;
  const { error } = body;
  if (typeof error === "string" && error !== "")
    return { ...wordsOf(body), message: asString(body["message"]) ?? error };
  const inner = asObject(error);
  if (inner && Object.keys(inner).length > 0) return wordsOf(inner);
  if (Array.isArray(body["choices"])) return undefined;
  const [first] = asArray(body["errors"]);
  if (first !== undefined) return wordsOf(asObject(first) ?? { message: first });
  const stated =
    body["object"] === "error" || body["type"] === "error" || body["detail"] !== undefined;
  return stated || body["message"] !== undefined ? wordsOf(body) : undefined;
}

function wordsOf(error: JsonObject): Words {
  const message = asString(error["message"]) ?? detailText(error["detail"]);
  const type = asString(error["type"]);
  const code = wordCode(error["code"]) ?? wordCode(error["status"]);
  const status = [error["code"], error["status"], error["status_code"]]
    .map(httpStatus)
    .find((n) => n !== undefined);
  return {
    ...(message !== undefined && message !== "" && { message }),
    ...(type !== undefined && type !== "" && type !== "error" && { type }),
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
  };
}

function detailText(detail: JsonValue | undefined): string | undefined {
  return detail === undefined || typeof detail === "string" ? detail : JSON.stringify(detail);
}

/** A code that is a word; numbers are statuses, also in quotes. */
function wordCode(code: JsonValue | undefined): string | undefined {
  return typeof code === "string" && code !== "" && !/^\d+$/.test(code) ? code : undefined;
}

function httpStatus(value: JsonValue | undefined): number | undefined {
  const number =
    typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : asNumber(value);
  return number !== undefined && number >= 400 && number <= 599 ? number : undefined;
}

/** Text that is neither JSON nor a page, as far as a message goes. */
function plainMessage(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.startsWith("<") || trimmed.startsWith("{")
    ? undefined
    : trimmed.slice(0, 1000);
}

const overflowWords =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input (is )?too long|reduce the length|exceeds? (the )?(model'?s? )?(maximum|max)[^.]{0,40}(tokens|length)|longer than the (model|context)/i;

/** Whether the request did not fit into the model's context window. */
function isOverflow(code: string | undefined, message: string): boolean {
  return code === "context_length_exceeded" || overflowWords.test(message.slice(0, 2000));
}

/** The envelope that OpenAI's clients read. */
export function writeError(error: ErrorDetails): JsonObject {
  const { message, type, code, extra } = error;
  return { error: { message, type, code, param: null, ...extra } };
}

/** What a failure in mid-stream is called where the provider gave it no name. */
export function failureWords(failure: Failure): JsonObject {
  return {
    error: {
      message: failure.message,
      type: failure.type ?? "server_error",
      code: failure.code ?? "provider_error",
      param: null,
    },
  };
}
