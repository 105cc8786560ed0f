/** What a client gets when every candidate failed: the provider's error in the client's format. */
import type { ErrorDetails } from "../core/format.ts";
import { permanentStatuses } from "../policy/policy.ts";
import type { Failure } from "../core/failure.ts";
import type { FailedCandidate, NoAnswer } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import { explainedMessage } from "./explained.ts";
import type { Exchange } from "./exchange.ts";

/** Seconds that a provider's rate limit without `Retry-After` is given: clients without one give up at once. */
const politePause = 5;

/** What the client is told of a failure. */
export interface DescribedFailure {
  /** For the envelope. */
  readonly details: ErrorDetails;
  /** For an event of a stream that has no content yet. */
  readonly failure: Failure;
}

/** Ends the exchange with it. */
export async function answerFailure(
  answer: NoAnswer,
  { decided, exchange }: { decided: Decided; exchange: Exchange },
): Promise<Response> {
  const { failures } = answer;
  const { failure } = primaryOf(answer, decided);
  const { details } = describeFailure(answer, decided);
  const { status, retryAfter } = details;
  const headers = exchange.headers();
  headers["Content-Type"] = "application/json";
  if (failures.length > 1) headers["X-Gateway-Fallback-Exhausted"] = "true";
  if (failures.every(({ failure: { status: each } }) => permanentStatuses.has(each)))
    headers["x-should-retry"] = "false";
  // What the provider itself says of retries stands.
  Object.assign(headers, failure.headers);
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  const body = JSON.stringify(decided.client.writeError(details, decided.id));
  await exchange.end({ kind: "unanswered", decided, answer, status, message: failure.message });
  return new Response(body, { status, headers });
}

export function describeFailure(answer: NoAnswer, decided: Decided): DescribedFailure {
  const primary = primaryOf(answer, decided);
  const { failure } = primary;
  const own = failure.overflow === true ? 400 : failure.status;
  const exhausted = answer.failures.length > 1 && failure.cause !== "left";
  const status = exhausted ? decided.policy.exhaustedStatus(own) : own;
  const pause = failure.retryAfter ?? (status === 429 ? politePause : undefined);
  const details = {
    ...errorDetails(primary, answer, { decided, status }),
    ...(pause !== undefined && { retryAfter: pause }),
  };
  const message = messageOf(failure, decided);
  const { type } = details;
  return {
    details,
    failure: { ...failure, type, status: own, message: retriable(failure, message) },
  };
}

/** What a provider never said: clients know a broken connection by such words, and ask again. */
function retriable({ cause, problem, overflow }: Failure, message: string): string {
  const isOwn = cause !== "status" && cause !== "stated" && problem === undefined;
  return isOwn && overflow !== true ? `Connection error: ${message}` : message;
}

/** The chain's first candidate, whichever was asked first; or the one that was being asked when the client left. */
function primaryOf({ failures }: NoAnswer, { chosen }: Decided): FailedCandidate {
  const [primary] = chosen.candidates;
  return (
    failures.find(({ failure }) => failure.cause === "left") ??
    failures.find(({ model }) => model === primary?.id) ??
    failures[0]
  );
}

function errorDetails(
  primary: FailedCandidate,
  { failures }: NoAnswer,
  { decided, status }: { decided: Decided; status: number },
): ErrorDetails {
  const { client, policy, request } = decided;
  const { failure, native } = primary;
  const exhausted = failures.length > 1;
  const overflow =
    failure.overflow === true ? client.overflowError(failure, request.size, native) : undefined;
  const code =
    overflow?.code ?? failure.code ?? (exhausted ? "fallback_exhausted" : "provider_error");
  const attempts = failures.map((each) => ({ model: each.model, status: each.failure.status }));
  return {
    status,
    message: overflow?.message ?? messageOf(failure, decided),
    type:
      (exhausted ? policy.exhaustedType : undefined) ?? overflow?.type ?? typeOf(primary, decided),
    code: policy.code(String(code), status),
    extra: {
      ...(native && failure.details && { details: failure.details }),
      ...(exhausted && { attempts }),
    },
  };
}

/** The provider's words as they are; the gateway's own with where they are explained. */
function messageOf({ message, problem }: Failure, decided: Decided): string {
  return problem === undefined ? message : explainedMessage(problem, decided);
}

function typeOf({ failure, native }: FailedCandidate, { client }: Decided): string {
  if (native && failure.type !== undefined) return failure.type;
  return client.errorType(failure.status, failure.type ?? usualType(failure.status));
}

/** As OpenAI-shaped envelopes name it. */
function usualType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  if (status === 504) return "timeout";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
