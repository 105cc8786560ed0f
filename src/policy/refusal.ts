/** Why an admission was refused. It crosses RPC, so names are only ever added. */
import type { UsedUp } from "../core/problem.ts";

/** The nodes that have limits, from the workspace down. */
export const limitNodes = ["workspace", "harness", "key", "person"] as const;
/** Where a limit stands. A request counts against one of each, as far as they have limits. */
export type LimitNode = (typeof limitNodes)[number];

/** A hard limit that the request would exceed. */
export interface BudgetRefusal {
  code: "M200";
  metric: "cost" | "tokens" | "requests";
  period: "hour" | "day" | "week" | "month";
  /** In the limit's own unit, USD for cost. */
  used: number;
  limit: number;
  /** Set when the block is due to a model without a known price. */
  unpriced?: string;
  /** Set when not the limit is used up, but what the request may use at most does not fit; in the limit's own unit. */
  bound?: RefusedBound;
  /** Whose limit it is; missing: the harness's, from an object of the version before. */
  node?: LimitNode;
  /** When the period ends, ISO 8601 UTC; missing from an object of the version before. */
  resets_at?: string;
}

/** An upper bound that did not fit. */
export interface RefusedBound {
  most: number;
  /** What is left of the limit, without what is set aside for requests under way. */
  left: number;
  /** Output tokens in it. */
  output: number;
}

/** What a refused admission says; `throttle` is a full window of one key holder. */
export type Refusal =
  | { code: "M004" | "M005" }
  /** `retryAfter`: whole seconds, 1..60. */
  | { code: "M201" | "M203" | "throttle"; retryAfter: number; limit: number }
  | { code: "M204"; limit: number; used: number }
  | BudgetRefusal;

/** What a refusal for a limit says is used up. */
export function usedUpOf({ metric, period, resets_at: resetsAt }: BudgetRefusal): UsedUp {
  return { metric, period, ...(resetsAt !== undefined && { resetsAt }) };
}
