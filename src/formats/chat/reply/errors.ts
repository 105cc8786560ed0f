/** Errors: what chat servers answer and state in streams, and the error envelope of chat clients. */
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
import { isOverflowError, openAiOverflow, statusMessage } from "../../../translation/errors.ts";

/** HTTP status that a type or code stands for, where the answer itself has status 200. */
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

/** The failure of an answer with an error status. */
export function readFailure(status: number, text: string): Failure {
  const error = findError(parseJson(text)) ?? {};
  const message = error.message ?? plainMessage(text) ?? statusMessage(status);
  return { cause: "status", status, ...describeError(error, message) };
}

/** An error in an answer with status 200: a chunk, an error event or a whole body. Undefined when there is none. */
export function readStatedFailure(value: JsonObject): Failure | undefined {
  const error = findError(value);
  if (!error) return undefined;
  const message = error.message ?? "The provider reported an error.";
  return {
    cause: "stated",
    status: error.status ?? statusOf(error) ?? 502,
    ...describeError(error, message),
  };
}

/** What a provider says about an error. */
interface ProviderError {
  message?: string;
  type?: string;
  code?: string;
  status?: number;
}

function describeError(
  { type, code }: ProviderError,
  message: string,
): Pick<Failure, "message" | "type" | "code" | "overflow"> {
  return {
    message,
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(isOverflowError(code, message) && { overflow: true }),
  };
}

function statusOf({ type, code }: ProviderError): number | undefined {
  for (const name of [type, code]) {
    if (name !== undefined && Object.hasOwn(statusByType, name)) return statusByType[name];
  }
  return undefined;
}

/** The error in a body, in any of the shapes that occur. */
function findError(value: JsonValue | undefined): ProviderError | undefined {
  // One vendor's chat API wraps the body in an array.
  const body = asObject(Array.isArray(value) ? value[0] : value);
  if (!body) return undefined;
  const { error } = body;
  if (typeof error === "string" && error !== "")
    return { ...readError(body), message: asString(body["message"]) ?? error };
  const inner = asObject(error);
  if (inner && Object.keys(inner).length > 0) return readError(inner);
  if (Array.isArray(body["choices"])) return undefined;
  const [first] = asArray(body["errors"]);
  if (first !== undefined) return readError(asObject(first) ?? { message: first });
  const stated =
    body["object"] === "error" || body["type"] === "error" || body["detail"] !== undefined;
  return stated || body["message"] !== undefined ? readError(body) : undefined;
}

function readError(error: JsonObject): ProviderError {
  const message = asString(error["message"]) ?? detailText(error["detail"]);
  const type = asString(error["type"]);
  const code = namedCode(error["code"]) ?? namedCode(error["status"]);
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

/** A code that is a name; numbers, also in quotes, are statuses. */
function namedCode(code: JsonValue | undefined): string | undefined {
  return typeof code === "string" && code !== "" && !/^\d+$/.test(code) ? code : undefined;
}

function httpStatus(value: JsonValue | undefined): number | undefined {
  const number =
    typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : asNumber(value);
  return number !== undefined && number >= 400 && number <= 599 ? number : undefined;
}

/** A body that is neither JSON nor a web page, as far as a message goes. */
function plainMessage(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.startsWith("<") || trimmed.startsWith("{")
    ? undefined
    : trimmed.slice(0, 1000);
}

/** An answer that broke off without an error of its own. */
export function brokenReply(): Failure {
  return { cause: "stated", status: 502, message: "The model's answer broke off with an error." };
}

/** An action that only a client of another format could take: an error, since leaving it out would look like success. */
export function unsupportedAction(type: string): Failure {
  const message = `The model answered with ${type}, which chat completions cannot express.`;
  return { cause: "stated", status: 502, message, type: "server_error" };
}

/** The envelope that OpenAI's clients read. */
export function writeError(error: ErrorDetails): JsonObject {
  const { message, type, code, extra } = error;
  return { error: { message, type, code, param: null, ...extra } };
}

/** The envelope of a failure in mid-stream; type and code are the provider's where it gave them. */
export function streamError(failure: Failure): JsonObject {
  const { message, type = "server_error", code = "provider_error", overflow } = failure;
  const said = overflow === true ? openAiOverflow(failure) : { message, type, code };
  return { error: { ...said, param: null } };
}
