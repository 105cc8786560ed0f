/** Variant A: key holders are harnesses, errors carry a marker and may be rendered, parameters are merged. */
import type { Failure } from "../core/failure.ts";
import { Problem, problemCodes, type ProblemDetails, unknownPrice } from "../core/problem.ts";
import { minute } from "./limits.ts";
import {
  bodyFaults,
  type ErrorDelivery,
  limitMessage,
  type Policy,
  sessionBudgetMessage,
} from "./policy.ts";
import { type Refusal, storageProblem, usedUpOf } from "./refusal.ts";

const holder = "harness";

function refusal(refused: Refusal, errors: ErrorDelivery): Problem {
  switch (refused.code) {
    case problemCodes.expiredKey:
      return new Problem(problemCodes.expiredKey, "This key has expired.");
    case problemCodes.unknownKey:
      return new Problem(problemCodes.unknownKey, "This key is unknown or was revoked.");
    case problemCodes.limitReached:
      if (refused.unpriced !== undefined) return unknownPrice(refused.unpriced);
      return limitProblem(limitMessage(refused, holder), errors, {
        usedUp: usedUpOf(refused),
        extra: { node: refused.node ?? "harness" },
      });
    case "session budget":
      return limitProblem(sessionBudgetMessage(refused), errors, { extra: { node: "session" } });
    case problemCodes.workspaceRate:
      return rateLimited(
        problemCodes.workspaceRate,
        refused,
        `More than ${refused.limit} requests per minute in this workspace.`,
      );
    case problemCodes.concurrency:
      return rateLimited(
        problemCodes.concurrency,
        refused,
        `${refused.limit} requests of this workspace are already in flight.`,
      );
    case "throttle":
      return rateLimited(
        problemCodes.workspaceRate,
        refused,
        `More than ${refused.limit} requests in the time window.`,
      );
    case problemCodes.monthlyQuota:
      return new Problem(
        problemCodes.monthlyQuota,
        `The plan's ${refused.limit} requests for this month are used up.`,
        {
          extra: { limit: refused.limit, used: refused.used },
        },
      );
    case problemCodes.overloaded:
      return storageProblem(refused);
    default:
      return refused satisfies never;
  }
}

/** An answer in words, or a status that no client takes for one that a retry mends. */
function limitProblem(text: string, errors: ErrorDelivery, details: ProblemDetails): Problem {
  const asStatus = {
    status: 429,
    // A used-up budget is no rate limit.
    typeStatus: 402,
    type: "insufficient_quota",
    headers: { "x-should-retry": "false" },
  };
  return new Problem(problemCodes.limitReached, text, {
    ...(errors === "status" && asStatus),
    ...details,
  });
}

function rateLimited(
  marker: "M201" | "M203",
  refused: { retryAfter: number },
  text: string,
): Problem {
  return new Problem(marker, `${text} Try again in ${refused.retryAfter} s.`, {
    headers: { "Retry-After": String(refused.retryAfter) },
  });
}

/** A fault of the request itself stays one on every model, unless a later model reads more. */
function fallsBack(failure: Failure, larger: boolean): boolean {
  if (failure.overflow === true) return larger;
  return !bodyFaults.has(failure.status);
}

/** The policy of variant A; its limits are constants, not settings. */
export const variantA: Policy = {
  name: "A",
  holder,
  window: { scope: "workspace", limit: 200, span: minute },
  slots: 10,
  address: { limit: 500, span: minute },
  coolsDown: true,
  rendersErrors: true,
  headersAlways: false,
  namesRole: true,
  adaptsRelays: true,
  keepAliveAfter: 5,
  ownsResponses: true,
  message: (problem) => `[gateway ${problem.marker}] ${problem.message}`,
  code: (word) => word,
  overflowNeedsLarger: true,
  exhaustedType: undefined,
  refusal,
  fallsBack,
  exhaustedStatus: (primary) => primary,
};
