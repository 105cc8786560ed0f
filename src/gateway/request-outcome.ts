/** How a request ended, in one word of the log. Pure. */
import type { RequestOutcome } from "../workspace/contract/request-record.ts";
import { blockingCodes, departed } from "../workspace/rules/sums/logged-outcome.ts";
import type { Answered, ExchangeOutcome } from "./outcome.ts";

/** `ok` or `fallback` where an answer came to its end. */
export function requestOutcome(outcome: ExchangeOutcome): RequestOutcome {
  switch (outcome.kind) {
    case "answered":
      return answeredOutcome(outcome);
    case "unanswered":
      return outcome.answer.failures.some(({ failure }) => failure.cause === "left")
        ? "left"
        : "failed";
    case "refused":
      if (outcome.problem.status === departed) return "left";
      return blockingCodes.has(outcome.problem.marker) ? "blocked" : "failed";
    default:
      return outcome satisfies never;
  }
}

function answeredOutcome({ end, answer, decided }: Answered): RequestOutcome {
  if (end.kind === "gone") return "left";
  if (end.kind === "failed") return "failed";
  return answer.prepared.model.id === decided.chosen.candidates[0]?.id ? "ok" : "fallback";
}
