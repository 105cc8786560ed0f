/** Variant B: key holders are agents, errors are plain with the status as their code, bodies go as they are. */
import { Problem } from "../core/problem.ts";
import type { RateLimit } from "./limits.ts";
import { limitMessage, type Policy } from "./policy.ts";
import type { Refusal } from "./refusal.ts";

const holder = "agent";

function refusal(refused: Refusal): Problem {
  switch (refused.code) {
    case "M004":
      return new Problem("M004", "This key has expired.");
    case "M005":
      return new Problem("M005", "This key is unknown or was revoked.");
    case "M200":
      return limited("M200", limitMessage(refused, holder));
    case "M201":
    case "M203":
    case "throttle":
      return new Problem(
        "M201",
        `More than ${refused.limit} requests of this ${holder} in the window. Try again in ${refused.retryAfter} s.`,
        {
          headers: { "Retry-After": String(refused.retryAfter) },
        },
      );
    case "M204":
      return limited(
        "M204",
        `The plan's requests for this month are used up: ${refused.used} of ${refused.limit}.`,
        {
          limit: refused.limit,
          used: refused.used,
        },
      );
    default:
      return refused satisfies never;
  }
}

/** Waiting a moment does not help, so nobody is told to. */
function limited(
  marker: "M200" | "M204",
  text: string,
  extra: Record<string, number> = {},
): Problem {
  const type = "limit_exceeded";
  return new Problem(marker, text, {
    status: 429,
    type,
    code: type,
    extra,
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
    adaptsRelays: false,
    message: (problem) => problem.message,
    code: (_word, status) => status,
    overflowNeedsLarger: false,
    exhaustedType: "fallback_exhausted",
    refusal,
    fallsBack: (failure) => failure.status !== 424,
    exhaustedStatus: () => 424,
  };
}
