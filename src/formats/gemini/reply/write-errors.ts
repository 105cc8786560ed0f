/** The error envelope of Gemini clients: `google.rpc.Status`, whose details they read more than its words. */
import type { Stop } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";
import type { UsedUp } from "../../../core/problem.ts";
import { asArray, isObject, type JsonObject } from "../../../lib/json.ts";
import { overflowCode } from "../../../translation/errors.ts";
import { tokenNumbers } from "../../../translation/token-numbers.ts";

const words: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  402: "PERMISSION_DENIED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  424: "UNAVAILABLE",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  504: "DEADLINE_EXCEEDED",
};

/** `error.status` of an HTTP status. */
function statusWord(status: number): string {
  return words[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");
}

/** `error.code` is the HTTP status; the code by which the gateway or the provider names the error is a detail. */
export function writeError(error: ErrorDetails): JsonObject {
  const { status, message, retryAfter, usedUp, extra: { details, ...extra } = {} } = error;
  const own = [
    errorInfo(error),
    ...(retryAfter === undefined ? [] : [retryInfo(retryAfter)]),
    ...(usedUp === undefined ? [] : [quotaFailure(usedUp)]),
  ];
  const said = asArray(details).filter(isObject);
  const types = new Set(said.map((detail) => detail["@type"]));
  return {
    error: {
      code: status,
      message,
      status: statusWord(status),
      // What a Gemini provider says in its details stands: its clients tell by them which quota is used up.
      details: [...said, ...own.filter((detail) => !types.has(detail["@type"]))],
      ...extra,
    },
  };
}

/** A bad key has Google's own name; the metadata has ours. */
function errorInfo({ type, code }: ErrorDetails): JsonObject {
  const isKey = type === "auth_error" && code !== "provider_credential";
  return {
    ...typed("ErrorInfo"),
    reason: isKey ? "API_KEY_INVALID" : typeof code === "string" ? code : type,
    domain: isKey ? "googleapis.com" : "gateway",
    metadata: { type, code: String(code ?? type) },
  };
}

function retryInfo(seconds: number): JsonObject {
  return { ...typed("RetryInfo"), retryDelay: `${seconds}s` };
}

const periods = { hour: "PerHour", day: "PerDay", week: "PerWeek", month: "PerMonth" } as const;
const metrics = { cost: "Cost", tokens: "Tokens", requests: "Requests" } as const;

/** Clients know by the quota's id that waiting for it is no use. */
function quotaFailure({ metric, period }: UsedUp): JsonObject {
  const quotaId = `Gateway${metrics[metric]}${periods[period]}`;
  return {
    ...typed("QuotaFailure"),
    violations: [{ subject: "gateway", quotaMetric: metric, quotaId }],
  };
}

function typed(name: string): JsonObject {
  return { "@type": `type.googleapis.com/google.rpc.${name}` };
}

/** The same in mid-stream, in place of an end. */
export function streamError(failure: Failure): JsonObject {
  const { message, retryAfter } = failure;
  const status = failure.status >= 400 && failure.status <= 599 ? failure.status : 502;
  const type = failure.type ?? "provider_error";
  const code = failure.code ?? "provider_error";
  const waits = retryAfter !== undefined && { retryAfter };
  if (failure.overflow !== true) return writeError({ status, message, type, code, ...waits });
  return writeError({ status: 400, ...overflowError(failure, 0) });
}

/** The words by which Gemini clients know that the conversation is too long, with the provider's numbers. */
export function overflowError(
  { message }: Failure,
  size: number,
): Pick<ErrorDetails, "message" | "type" | "code"> {
  return {
    message: tooManyTokens(message, size),
    type: "invalid_request_error",
    code: overflowCode,
  };
}

/** `size`: characters of the request's body, by which numbers that the provider did not give are estimated. */
function tooManyTokens(message: string, size: number): string {
  const stated = /The input token count(?: \(\d+\))? exceeds the maximum number of tokens allowed/;
  if (stated.test(message)) return message;
  const numbers = tokenNumbers(message);
  const estimate = Math.max(2, Math.ceil(size / 4));
  const most = numbers.length > 0 ? Math.min(...numbers) : estimate - 1;
  const count = Math.max(numbers.length > 1 ? Math.max(...numbers) : estimate, most + 1);
  return `The input token count (${count}) exceeds the maximum number of tokens allowed (${most}).`;
}

/** An answer that broke off; `raw` is the provider's reason. */
export function brokenReply({ raw }: Stop): Failure {
  const reason = raw === undefined ? "" : ` (${raw})`;
  return { cause: "stated", status: 502, message: `The model's answer broke off${reason}.` };
}

/** An action that only a client of another format could take: an error, since leaving it out would look like success. */
export function unsupportedAction(type: string): Failure {
  const message = `The model answered with ${type}, which the Gemini format cannot express.`;
  return { cause: "wrong_type", status: 502, message };
}
