/** Why an admission was refused. It crosses RPC, so names are only ever added. */

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
}

/** What a refused admission says; `throttle` is a full window of one key holder. */
export type Refusal =
  | { code: "M004" | "M005" }
  /** `retryAfter`: whole seconds, 1..60. */
  | { code: "M201" | "M203" | "throttle"; retryAfter: number; limit: number }
  | { code: "M204"; limit: number; used: number }
  | BudgetRefusal;
