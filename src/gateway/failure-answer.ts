/** What a caller is told when every candidate failed: the provider's own words in the caller's dialect. */
import type { ErrorWords } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import { permanentStatuses } from "../policy/policy.ts";
import type { Call } from "./call.ts";
import type { FailedCandidate } from "../upstream/chain.ts";
import { baseHeaders } from "./headers.ts";
import { errorType } from "./refuse.ts";

/** Seconds that a provider's rate limit without `Retry-After` is given: clients without one give up at once. */
const politePause = 5;

/** `failures` in the order of the attempts; `primary` is one of them. More than one: the chain is exhausted. */
export function failureAnswer(
  call: Call,
  failures: readonly FailedCandidate[],
  primary: FailedCandidate,
): Response {
  const { failure } = primary;
  const exhausted = failures.length > 1;
  const own = failure.overflow === true ? 400 : failure.status;
  const status = exhausted ? call.policy.exhaustedStatus(own) : own;
  const headers = baseHeaders(call);
  headers["Content-Type"] = "application/json";
  if (exhausted) headers["X-Gateway-Fallback-Exhausted"] = "true";
  if (failures.every(({ failure: { status: each } }) => permanentStatuses.has(each)))
    headers["x-should-retry"] = "false";
  const pause = failure.retryAfter ?? (status === 429 ? politePause : undefined);
  if (pause !== undefined) headers["Retry-After"] = String(pause);
  const words = failureWords(call, primary, { exhausted, failures, status });
  return new Response(JSON.stringify(call.dialect.writeError(words, call.id)), { status, headers });
}

function failureWords(
  call: Call,
  { failure, native }: FailedCandidate,
  chain: { exhausted: boolean; failures: readonly FailedCandidate[]; status: number },
): ErrorWords {
  const { exhausted, failures, status } = chain;
  const overflow = failure.overflow === true ? overflowWords(call, failure) : undefined;
  const word =
    overflow?.code ?? failure.code ?? (exhausted ? "fallback_exhausted" : "provider_error");
  return {
    status,
    message: overflow?.message ?? failure.message,
    type:
      (exhausted ? call.policy.exhaustedType : undefined) ??
      overflow?.type ??
      typeOf(call, failure, native),
    code: call.policy.code(word, status),
    ...(exhausted && {
      extra: {
        attempts: failures.map((each) => ({ model: each.model, status: each.failure.status })),
      },
    }),
  };
}

function typeOf(call: Call, failure: Failure, native: boolean): string {
  if (native && failure.type !== undefined) return failure.type;
  return errorType(call.client, failure.status, failure.type ?? openAiType(failure.status));
}

function openAiType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  if (status === 504) return "timeout";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** A context overflow in the words that the dialect's clients recognise. */
function overflowWords(
  call: Call,
  failure: Failure,
): { message: string; type: string; code: string } {
  if (call.client !== "messages") {
    return {
      message: failure.message,
      type: "invalid_request_error",
      code: "context_length_exceeded",
    };
  }
  return {
    message: promptTooLong(failure.message, call.size),
    type: "invalid_request_error",
    code: "context_length_exceeded",
  };
}

const recognised = /prompt is too long(?:: \d+ tokens > \d+ maximum)?/;

function promptTooLong(said: string, size: number): string {
  const whole = /prompt is too long: \d+ tokens > \d+ maximum/.exec(said);
  if (whole) return whole[0];
  // Digits inside a word are a model's name or its date.
  const numbers = [...said.matchAll(/(?<![\w.-])\d[\d,]{2,}(?![\w-])/g)]
    .map((match) => Number(match[0].replaceAll(",", "")))
    .filter((n) => n >= 1000);
  const limit = numbers.length > 0 ? Math.min(...numbers) : undefined;
  const asked = numbers.length > 1 ? Math.max(...numbers) : Math.ceil(size / 4);
  if (limit === undefined)
    return (
      recognised.exec(said)?.[0] ??
      `prompt is too long: ${asked} tokens > ${Math.max(1, asked - 1)} maximum`
    );
  return `prompt is too long: ${Math.max(asked, limit + 1)} tokens > ${limit} maximum`;
}
