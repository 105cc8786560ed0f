/** Variant B: key holders are agents, errors are plain with the status as their code, bodies go as they are. */
import { Problem, problemCodes, type ProblemDetails, unknownPrice } from "../core/problem.ts";
import type { RateLimit } from "./limits.ts";
import { limitMessage, type Policy, sessionBudgetMessage } from "./policy.ts";
import { type Refusal, storageProblem, usedUpOf } from "./refusal.ts";

const holder = "agent";

function refusal(refused: Refusal): Problem {
  switch (refused.code) {
    case problemCodes.expiredKey:
      return new Problem(problemCodes.expiredKey, "This key has expired.");
    case problemCodes.unknownKey:
      return new Problem(problemCodes.unknownKey, "This key is unknown or was revoked.");
    case problemCodes.limitReached:
      if (refused.unpriced !== undefined) return unknownPrice(refused.unpriced);
      return limited(problemCodes.limitReached, limitMessage(refused, holder), {
        extra: { node: refused.node ?? "harness" },
        usedUp: usedUpOf(refused),
      });
    case "session budget":
      return limited(problemCodes.limitReached, sessionBudgetMessage(refused), {
        extra: { node: "session" },
      });
    case problemCodes.workspaceRate:
    case problemCodes.concurrency:
    case "throttle":
      return new Problem(
        problemCodes.workspaceRate,
        `More than ${refused.limit} requests of this ${holder} in the time window. Try again in ${refused.retryAfter} s.`,
        {
          headers: { "Retry-After": String(refused.retryAfter) },
        },
      );
    case problemCodes.monthlyQuota:
      return limited(
        problemCodes.monthlyQuota,
        `The plan's requests for this month are used up: ${refused.used} of ${refused.limit}.`,
        {
          extra: { limit: refused.limit, used: refused.used },
          usedUp: { metric: "requests", period: "month" },
        },
      );
    case problemCodes.overloaded:
      return storageProblem(refused);
    default:
      return refused satisfies never;
  }
}

/** Waiting a moment does not help, so nobody is told to. */
function limited(
  marker: "M200" | "M204",
  text: string,
  details: Pick<ProblemDetails, "extra" | "usedUp">,
): Problem {
  const type = "limit_exceeded";
  return new Problem(marker, text, {
    status: 429,
    type,
    code: type,
    ...details,
    headers: { "x-should-retry": "false" },
  });
}

/** The policy of variant B: each agent has a window of its own, and there are no other limits. */
export function variantB(throttle: RateLimit): Policy {
  return {
    name: "B",
    holder,
    window: { scope: "harness", ...throttle },
    slots: null,
    address: null,
    coolsDown: true,
    rendersErrors: false,
    headersAlways: true,
    namesRole: false,
    adaptsRelays: false,
    keepAliveAfter: 0,
    ownsResponses: false,
    message: (problem) => problem.message,
    code: (_word, status) => status,
    overflowNeedsLarger: false,
    exhaustedType: "fallback_exhausted",
    refusal,
    fallsBack: (failure) => failure.status !== 424,
    exhaustedStatus: () => 424,
  };
}
