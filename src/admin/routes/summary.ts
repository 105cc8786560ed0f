/** A span of time in a few numbers: use, errors, first bytes, and what routing and caches saved. */
import * as z from "zod";
import type { Prices } from "../../core/model.ts";
import type { Directory } from "../../providers/models/directory.ts";
import { tierTable } from "../../routing/models/tier-candidates.ts";
import { ratesFor, toDollars } from "../../workspace/rules/cost.ts";
import { defineRoute } from "../shared/define-route.ts";
import { type AdminScope, readSnapshot } from "../shared/scope.ts";
import { timeSchema } from "../shared/time.ts";
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
  /** USD, estimated at today's prices. `against` is the model that would have served everything. */
  saved: z.strictObject({
    by_routing: z.number(),
    by_cache: z.number(),
    against: z.string().nullable(),
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
  const [byModel, byTier, { config }] = await Promise.all([
    usageTotals(scope, { ...span, group: "model" }),
    usageTotals(scope, { ...span, group: "tier" }),
    readSnapshot(scope),
  ]);
  const routing = config.harnesses?.[0]?.routing;
  const strongest = tierTable(directory.models, routing).reasoning.models[0];
  return {
    ...byModel.total,
    saved: {
      by_routing: savedByRouting(byTier.groups, strongest?.info.prices),
      by_cache: savedByCache(byModel.groups, directory),
      against: strongest?.id ?? null,
    },
  };
}

/** What the routed requests would have cost on the strongest tier's first model, less what they did cost. */
function savedByRouting(rows: readonly UsageTotal[], prices: Prices | undefined): number {
  const rates = ratesFor(prices, 0);
  if (rates === undefined) return 0;
  let saved = 0;
  for (const row of rows) {
    if (row.group === "direct" || row.group === "default" || row.group === "") continue;
    const fresh = row.input_tokens - row.cached_tokens;
    const there =
      fresh * rates.input + row.cached_tokens * rates.cacheRead + row.output_tokens * rates.output;
    saved += toDollars(there) - row.cost;
  }
  return Math.max(0, saved);
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
      summary: "A span of time in a few numbers; the last day unless `from` says otherwise",
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
