/** How a finished request ended, in the words of the log. Pure. */
import { type ProblemCode, problemCodes } from "../core/problem.ts";
import type { requestOutcomes } from "../workspace/contract/request-record.ts";
import type { FinishedIdentified, FinishedRequest } from "./finished-request.ts";

/** As the log has it; a stranger's request is blocked or failed. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** Refusals by limits, windows and quotas. */
const blocks: ReadonlySet<ProblemCode> = new Set([
  problemCodes.limitReached,
  problemCodes.workspaceRate,
  problemCodes.addressRate,
  problemCodes.concurrency,
  problemCodes.monthlyQuota,
]);
/** Client left before the end. */
const departed = 499;

/** The record's own word where it has one. */
export function outcomeOf(finished: FinishedRequest): RequestOutcome {
  const { refusedWith } = finished;
  if (refusedWith !== undefined) return blocks.has(refusedWith) ? "blocked" : "failed";
  if (!finished.identified) return "failed";
  return finished.record.outcome ?? attemptedOutcome(finished);
}

function attemptedOutcome({ record, status }: FinishedIdentified): RequestOutcome {
  if (status === departed) return "left";
  const [first] = record.attempts;
  const last = record.attempts.at(-1);
  if (record.model === null || last?.outcome !== "ok") return "failed";
  return first?.model === last.model ? "ok" : "fallback";
}
