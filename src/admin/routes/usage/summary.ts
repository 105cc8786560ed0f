/** A span of time in a few numbers: use, errors, first bytes, and what routing and caches saved. */
import * as z from "zod";
import type { Directory } from "../../../providers/models/directory.ts";
import type { Config } from "../../../store/config.ts";
import { ratesFor, toDollars } from "../../../workspace/rules/sums/cost.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { choiceOf, type RoutingSavings, routingSavings } from "../../shared/routing-savings.ts";
import { type AdminScope, readSnapshot } from "../../shared/scope.ts";
import { timeSchema } from "../../shared/time.ts";
import { choiceSums, spanSums } from "./usage-sums.ts";
import { firstByteSchema, type UsageTotal, usageTotals } from "./usage.ts";

const summaryQuerySchema = z.object({ from: timeSchema.optional(), to: timeSchema.optional() });
type SummaryQuery = z.infer<typeof summaryQuerySchema>;

const summarySchema = z.strictObject({
  requests: z.number(),
  errors: z.number(),
  /** Refused by a limit or window; not among `requests`. */
  blocked: z.number(),
  /** Answered by a fallback. */
  fallbacks: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  /** USD. */
  cost: z.number(),
  first_byte_ms: firstByteSchema,
  /** USD, estimated at today's prices. */
  saved: z.strictObject({
    /** What the requests of `auto` would have cost on the best model, less what they did; below 0: routing cost more. */
    by_routing: z.number(),
    by_cache: z.number(),
    /** The best model: the highest rated of those that serve a tier. */
    against: z.string().nullable(),
    /** What it would have cost for the requests that are compared. */
    best_cost: z.number(),
    compared: z.number(),
    /** Requests of `auto` that are not compared: their model, or the best one, has no known price. */
    unpriced: z.number(),
  }),
});
/** The span in a few numbers. */
export type Summary = z.infer<typeof summarySchema>;

const day = 86_400_000;

/** Sums up the span; the last day unless `from` says otherwise. */
export async function readSummary(
  scope: AdminScope,
  query: SummaryQuery,
  directory: Directory,
): Promise<Summary> {
  const from = query.from ?? new Date(Date.now() - day).toISOString();
  const span = { from, ...(query.to !== undefined && { to: query.to }) };
  const { config } = await readSnapshot(scope);
  // One reading tells both; an object of the version before cannot.
  const choices = await choiceSums(scope, span);
  const byModel = usageTotals(
    choices?.map((row) => ({ ...row, group: choiceOf(row).model })) ??
      (await spanSums(scope, { ...span, group: "model" })),
  );
  const savings = routingSavings(choices ?? [], { config, directory });
  const { best, cost, bestCost, requests, unpriced } = savings;
  return {
    ...byModel.total,
    saved: {
      by_routing: bestCost - cost,
      by_cache: savedByCache(byModel.groups, directory),
      against: best,
      best_cost: bestCost,
      compared: requests,
      unpriced,
    },
  };
}

/** What always the best model would have cost in the span. */
export async function readSavings(
  scope: AdminScope,
  span: SummaryQuery,
  known: { readonly config: Config; readonly directory: Directory },
): Promise<RoutingSavings> {
  return routingSavings((await choiceSums(scope, span)) ?? [], known);
}

/** Cached tokens at the price of fresh ones, less at their own. */
function savedByCache(rows: readonly UsageTotal[], directory: Directory): number {
  let saved = 0;
  for (const row of rows) {
    const rates = ratesFor(directory.byId.get(row.group)?.info.prices, 0);
    if (rates !== undefined) saved += row.cached_tokens * (rates.input - rates.cacheRead);
  }
  return Math.max(0, toDollars(saved));
}

/** The route of the summary. */
export const adminSummaryRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/summary",
      summary: "Totals of a time range; the last day unless `from` is given",
      access: "read",
      query: summaryQuerySchema,
      status: 200,
      answer: summarySchema,
    },
    async ({ query }, { scope, services, waitUntil }) => {
      const directory = await services.freshDirectory(await readSnapshot(scope), waitUntil);
      return await readSummary(scope, query, directory);
    },
  ),
] as const;
