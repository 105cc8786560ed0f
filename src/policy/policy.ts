/** What the two variants of the service differ in. Nothing outside this folder asks which one runs. */
import type { Failure } from "../core/failure.ts";
import type { Problem } from "../core/problem.ts";
import type { VariantName } from "../store/env.ts";
import type { Limits } from "./limits.ts";
import type { BudgetRefusal, LimitNode, Refusal, SessionBudgetRefusal } from "./refusal.ts";

/** Every difference of the variants: errors, parameters, fallbacks and limits. */
export interface Policy extends Limits {
  readonly name: VariantName;
  /** What pages and messages call the holder of a key. */
  readonly holder: "harness" | "agent";
  /** Whether the gateway's own errors may be rendered as an assistant's answer. */
  readonly rendersErrors: boolean;
  /** Whether every answer has routing headers, refusals included. */
  readonly headersAlways: boolean;
  /** Whether answers of `auto` say what the request was for. */
  readonly namesRole: boolean;
  /** Whether saved parameters and renames are applied to a request that is already in the provider's format. */
  readonly adaptsRelays: boolean;
  /** Seconds without content after which a client's stream begins before its answer, where no setting says; 0: never. */
  readonly keepAliveAfter: number;
  /** Whether a key holder can keep the responses that providers store for it to itself. */
  readonly ownsResponses: boolean;
  /** `error.message` as callers see it. */
  message(problem: Problem): string;
  /** `error.code` of the gateway's own errors and of providers' failures. */
  code(word: string, status: number): string | number;
  /** The problem that a refused admission becomes; with a status where the caller wants errors so. */
  refusal(refusal: Refusal, errors: ErrorDelivery): Problem;
  /** Whether a failed attempt lets the next candidate try. `larger`: a later one has a larger context window. */
  fallsBack(failure: Failure, larger: boolean): boolean;
  /** After a context overflow, candidates whose window is no larger are left out. */
  readonly overflowNeedsLarger: boolean;
  /** `error.type` of an exhausted chain, where it is not the primary's. */
  readonly exhaustedType: string | undefined;
  /** Status of an exhausted chain of two or more, by the primary's. */
  exhaustedStatus(primary: number): number;
}

/** How the gateway's own errors reach a client: as an answer where it reads one, or always with their status. */
export type ErrorDelivery = "spoken" | "status";

const metricNames = { cost: "cost", tokens: "token use", requests: "requests" } as const;

const periodWords = {
  hour: "this hour",
  day: "today",
  week: "this week",
  month: "this month",
} as const satisfies Record<BudgetRefusal["period"], string>;

/** Amounts as people read them: dollars with cents or finer, counts whole. */
function amount(metric: BudgetRefusal["metric"], value: number): string {
  if (metric !== "cost") return String(Math.round(value));
  return `$${value >= 1 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(3)).toString()}`;
}

/** The message of a hard limit's block: whose limit, metric, use, limit, period, and when it resets. */
export function limitMessage(refusal: BudgetRefusal, holder: Policy["holder"]): string {
  const { metric, period } = refusal;
  const used = amount(metric, refusal.used);
  const limit = amount(metric, refusal.limit);
  const node = nodeWord(refusal.node, holder);
  if (refusal.bound !== undefined) {
    const { most, left, output } = refusal.bound;
    const isShared = refusal.limit - refusal.used > left * 1.000001;
    const aside = isShared ? ", the rest is set aside for running requests" : "";
    const wait = isShared ? "Try again when they have ended. " : "";
    return `This request may use up to ${amount(metric, most)}, with ${output} output tokens at most, and ${amount(metric, left)} is left under the hard limit on ${metricNames[metric]} of this ${node}: ${used} used of ${limit} ${periodWords[period]}${aside}. ${wait}Ask for less output (the output limit of the request). ${advice(refusal)}`;
  }
  return `The hard limit on ${metricNames[metric]} of this ${node} is reached: ${used} used of ${limit} ${periodWords[period]}, and this request would exceed it. ${advice(refusal)}`;
}

/** The message where a conversation has cost what its client lets it cost. */
export function sessionBudgetMessage({ used, limit }: SessionBudgetRefusal): string {
  return `The budget of this conversation is spent: ${amount("cost", used)} of ${amount("cost", limit)}. Ask for \`auto\` with a higher amount, or for \`auto\` alone, to go on.`;
}

function nodeWord(node: LimitNode = "harness", holder: Policy["holder"]): string {
  return node === "harness" ? holder : node;
}

function advice({ period, resets_at: resets }: BudgetRefusal): string {
  if (resets === undefined) return `Raise the limit or wait until the ${period} ends.`;
  return `Raise the limit or wait until it resets at ${resets.replace(".000Z", "Z")} (UTC).`;
}

/** Statuses of a fault in the request's body: every provider would answer so. */
export const bodyFaults: ReadonlySet<number> = new Set([400, 413, 422]);

/** Statuses after which a retry cannot help. */
export const permanentStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 422]);
