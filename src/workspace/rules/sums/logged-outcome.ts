/** How requests of the log ended, those of the version before too, whose rows did not say. */
import { type ProblemCode, problemCodes } from "../../../core/problem.ts";
import type { RequestOutcome, RequestRecord } from "../../contract/request-record.ts";

/** Refusals by a limit, a window, the quota, the slots, a wall, or for want of a price. */
export const blockingCodes: ReadonlySet<ProblemCode> = new Set([
  problemCodes.limitReached,
  problemCodes.workspaceRate,
  problemCodes.addressRate,
  problemCodes.concurrency,
  problemCodes.monthlyQuota,
  problemCodes.modelNotAllowed,
  problemCodes.priceUnknown,
]);

/** The client left before the end; no status of HTTP, the log's own. */
export const departed = 499;

/** As the row says; otherwise derived from its other members. */
export function outcomeOf(record: RequestRecord): RequestOutcome {
  if (record.outcome !== undefined) return record.outcome;
  if (record.status === departed) return "left";
  if (wasBlocked(record)) return "blocked";
  if (record.model === null || record.status >= 400) return "failed";
  // The last attempt is the one that answered.
  return (record.attempts[0]?.model ?? record.model) === record.model ? "ok" : "fallback";
}

/** A provider's error may begin with such a code too, where it is a gateway: but then it was attempted. */
function wasBlocked({ attempts, error }: RequestRecord): boolean {
  const code = /^(M\d{3}): /.exec(error ?? "")?.[1];
  const codes: ReadonlySet<string> = blockingCodes;
  return attempts.length === 0 && code !== undefined && codes.has(code);
}
