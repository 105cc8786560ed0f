/** The contract of the service's two variants. Nothing outside this folder asks which one runs. */
import type { Failure } from "../core/failure.ts";
import type { Problem } from "../core/problem.ts";
import type { Refusal } from "../workspace/contract/contract.ts";

export interface Policy {
  readonly name: "A" | "B";
  /** What pages and messages call the holder of a key. */
  readonly holder: "harness" | "agent";
  /** Whether the gateway's own errors may be spoken as an assistant's words. */
  readonly rendersErrors: boolean;
  /** Whether routing headers stand on every answer, refusals included. */
  readonly headersAlways: boolean;
  /** Whether saved parameters and renames are applied to a request whose dialect the provider speaks. */
  readonly adaptsRelays: boolean;
  /** `error.message` as callers see it. */
  message(problem: Problem): string;
  /** `error.code` of the gateway's own errors and of providers' failures. */
  code(word: string, status: number): string | number;
  /** The problem that a refused admission becomes. */
  refusal(refusal: Refusal): Problem;
  /** Whether a failed attempt lets the next candidate try. `larger`: a later one has a larger context window. */
  fallsBack(failure: Failure, larger: boolean): boolean;
  /** After a context overflow, candidates whose window is no larger are left out. */
  readonly overflowNeedsLarger: boolean;
  /** `error.type` of an exhausted chain, where it is not the primary's. */
  readonly exhaustedType: string | undefined;
  /** Status of an exhausted chain of two or more, by the primary's. */
  exhaustedStatus(primary: number): number;
}

/** Amounts as people read them: dollars with cents or finer, counts whole. */
export function amount(metric: "cost" | "tokens" | "requests", value: number): string {
  if (metric !== "cost") return String(Math.round(value));
  return `$${value >= 1 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(3)).toString()}`;
}

/** The words of a hard limit's block; they name metric, use, limit and period. */
export function limitWords(refusal: Extract<Refusal, { code: "M200" }>, holder: string): string {
  const { metric, period } = refusal;
  const used = amount(metric, refusal.used);
  const limit = amount(metric, refusal.limit);
  if (refusal.unpriced !== undefined) {
    return `The price of ${refusal.unpriced} is unknown, and this ${holder} has a cost limit (${used} used of ${limit} this ${period}). To use it, set its "cost" in the provider's "models" (input and output, USD per million tokens; 0 means free).`;
  }
  return `The limit on ${metric} of this ${holder} is reached: ${used} used of ${limit} this ${period}, and this request would exceed it. Raise the limit or wait until the ${period} ends.`;
}

/** Statuses that the same body would meet anywhere. */
export const bodyFaults: ReadonlySet<number> = new Set([400, 413, 422]);

/** Statuses after which a retry cannot help. */
export const permanentStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 422]);
