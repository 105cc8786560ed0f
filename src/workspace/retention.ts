/** How long a workspace keeps its log and sums: what the document says, the plan's most, and what is kept at most at all. */
import type { Config } from "../store/config.ts";
import type { WorkspacePlan } from "../store/plans.ts";
import { monthStart } from "./rules/month.ts";
import { dayLength, keptDays } from "./rules/sums/sum-levels.ts";
import { keptRows } from "./storage/tables/request-log.ts";

/** Texts of requests and answers are kept for this time at most, in ms. */
const keptTexts = 30 * dayLength;

/** Ages in ms. */
export interface Retention {
  readonly texts: number;
  /** Rows of the log: how old they become, and how many there are. */
  readonly rows: number;
  readonly mostRows: number;
  readonly sums: number;
}

/** The retention that applies to the workspace. */
export function retentionOf(
  { retention }: Pick<Config, "retention">,
  { retention_days: ofPlan }: Pick<WorkspacePlan, "retention_days">,
): Retention {
  const age = Math.min(retention?.days ?? Infinity, ofPlan ?? Infinity) * dayLength;
  return {
    texts: Math.min(keptTexts, age),
    rows: Math.min(keptDays, age),
    mostRows: Math.min(keptRows, retention?.rows ?? keptRows),
    sums: age,
  };
}

/**
 * Sums before this instant are forgotten, epoch ms. They hold numbers only, and those of the running month and of the
 * one before are kept in any case: limits and the monthly usage are counted from them.
 */
export function sumsFrom({ sums }: Pick<Retention, "sums">, now: number): number {
  const monthBefore = monthStart(monthStart(now) - 1);
  return Math.max(now - keptDays, Math.min(now - sums, monthBefore));
}
