/**
 * Headers by which Claude Code shows how much of a limit is used, and why it was refused. It knows limits of days, weeks
 * and months; which headers it wants was recorded with version 2.1.330.
 */
import { type SpendState, usedShare } from "../../../core/spend.ts";

/** What their names begin with. */
export const spendPrefix = "anthropic-ratelimit-unified";
/** Shares from which on it warns. */
const thresholds = [0.95, 0.75] as const;
const periodWords = { hour: undefined, day: "daily", week: "weekly", month: "monthly" } as const;

/** For an answer that succeeded. */
export function spendHeaders(spend: SpendState): Record<string, string> {
  const share = Math.min(0.99, roundedShare(spend));
  const passed = thresholds.find((threshold) => share >= threshold);
  const status = passed === undefined ? "allowed" : "allowed_warning";
  return {
    [`${spendPrefix}-status`]: status,
    [`${spendPrefix}-representative-claim`]: "overage",
    [`${spendPrefix}-overage-status`]: status,
    [`${spendPrefix}-overage-utilization`]: String(share),
    ...resets(spend),
    ...(passed !== undefined && { [`${spendPrefix}-overage-surpassed-threshold`]: String(passed) }),
  };
}

/** For a refusal: without a claim and a status of its own, so that the client shows the refusal's text. */
export function spentHeaders(spend: SpendState, now: number): Record<string, string> {
  const period = periodWords[spend.period];
  const wait = Math.ceil((Date.parse(spend.resets_at) - now) / 1000);
  return {
    "Retry-After": String(Math.max(1, wait)),
    "x-should-retry": "false",
    [`${spendPrefix}-status`]: "rejected",
    [`${spendPrefix}-overage-utilization`]: String(Math.max(1, roundedShare(spend))),
    [`${spendPrefix}-overage-surpassed-threshold`]: "1",
    [`${spendPrefix}-overage-disabled-reason`]: "org_spend_cap_reached",
    ...resets(spend),
    ...(period !== undefined && { [`${spendPrefix}-overage-period`]: period }),
  };
}

function resets({ resets_at: at }: SpendState): Record<string, string> {
  const second = String(Math.floor(Date.parse(at) / 1000));
  return { [`${spendPrefix}-reset`]: second, [`${spendPrefix}-overage-reset`]: second };
}

function roundedShare(spend: SpendState): number {
  return Math.round(usedShare(spend) * 100) / 100;
}
