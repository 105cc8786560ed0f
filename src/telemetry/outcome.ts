/** How a finished request ended, in the words of the log. Pure. */
import type { RequestOutcome } from "../workspace/contract/request-record.ts";
import { blockingCodes, outcomeOf } from "../workspace/rules/sums/logged-outcome.ts";
import type { FinishedRequest } from "./finished-request.ts";

/** As its row says; a stranger's request, which has none, was blocked or failed. */
export function finishedOutcome(finished: FinishedRequest): RequestOutcome {
  if (finished.identified) return outcomeOf(finished.record);
  const { refusedWith } = finished;
  return refusedWith !== undefined && blockingCodes.has(refusedWith) ? "blocked" : "failed";
}
