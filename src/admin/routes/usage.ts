/** Sums of requests, tokens and cost by hour or day. */
import * as z from "zod";
import { invalid } from "../../core/problem.ts";
import { toDollars } from "../../workspace/rules/cost.ts";
import { calendarOf } from "../../workspace/rules/period.ts";
import { bucketLength, bucketOf } from "../../workspace/rules/rollup.ts";
import type { SumPage, SumQuestion, SumRow } from "../../workspace/contract/reports.ts";
import { personNode } from "../../workspace/rules/nodes.ts";
import { ownOnly } from "../shared/caller.ts";
import { defineRoute } from "../shared/define-route.ts";
import { type AdminScope, askNewMethod, readSnapshot } from "../shared/scope.ts";
import { timeSchema } from "../shared/time.ts";

const day = 86_400_000;

const usageQuerySchema = z.object({
  from: timeSchema.optional(),
  to: timeSchema.optional(),
  by: z.enum(["hour", "day"]).default("hour"),
  group: z.enum(["model", "harness", "provider", "tier"]).default("model"),
});
/** Which span of time is summed, and by what. */
export type UsageQuery = z.infer<typeof usageQuerySchema>;

const usageRowSchema = z.strictObject({
  /** Beginning of the hour or day, ISO 8601 UTC. Days are those of the workspace's time zone. */
  time: z.string(),
  group: z.string(),
  requests: z.number(),
  errors: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  /** USD. */
  cost: z.number(),
});
/** The sums of one hour or day and group. */
export type UsageRow = z.infer<typeof usageRowSchema>;

/** Sums of the whole span by group. */
export async function usageTotals(
  scope: AdminScope,
  query: Omit<UsageQuery, "by">,
): Promise<UsageRow[]> {
  const span = spanOf({ ...query, by: "hour" });
  const rows = await allPages(scope, { ...span, group: query.group, by: "span" });
  return accumulate(rows, () => span.from).map(usageRow);
}

/** Sums by hour or day and group, oldest first. Without `from`: the last day by hour, the last 30 days by day. */
export async function usageReport(scope: AdminScope, query: UsageQuery): Promise<UsageRow[]> {
  const { by } = query;
  const rows = await allPages(scope, { ...spanOf(query), group: query.group, by });
  const { config } = await readSnapshot(scope);
  const calendar = calendarOf(by === "hour" ? "UTC" : (config.timezone ?? "UTC"));
  return accumulate(rows, (bucket) => calendar.span(by, bucket).start).map(usageRow);
}

/** Of a member what their own keys used. */
async function allPages(scope: AdminScope, question: SumQuestion): Promise<SumRow[]> {
  const own = ownOnly(scope.caller);
  const holder = own === undefined ? {} : { holder: personNode(own) };
  const rows: SumRow[] = [];
  for (let from: number | null = question.from; from !== null;) {
    const ask: SumQuestion = { ...question, ...holder, from };
    const page: SumPage = await askNewMethod(
      scope,
      (stub) => stub.pageSums(ask),
      async (stub) => ({ rows: await stub.sums(ask), next: null }),
    );
    for (const row of page.rows) rows.push(row);
    from = page.next;
  }
  return rows;
}

function spanOf(query: UsageQuery): { from: number; to: number } {
  const now = Date.now();
  const to = query.to === undefined ? now : Date.parse(query.to);
  const usual = query.by === "hour" ? day : 30 * day;
  const from = query.from === undefined ? now - usual : Date.parse(query.from);
  if (to < from) throw invalid("to", "lies before from");
  return { from: bucketOf(from), to: bucketOf(to - 1) + bucketLength };
}

/** One row for all buckets with the same start and group. */
function accumulate(rows: readonly SumRow[], startOf: (bucket: number) => number): SumRow[] {
  const sums = new Map<string, SumRow>();
  for (const row of rows) {
    const bucket = startOf(row.bucket);
    const key = `${bucket} ${row.group}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...row, bucket });
    else addTo(sum, row);
  }
  return [...sums.values()];
}

function addTo(sum: SumRow, row: SumRow): void {
  sum.requests += row.requests;
  sum.errors += row.errors;
  sum.input_tokens += row.input_tokens;
  sum.cached_tokens += row.cached_tokens;
  sum.output_tokens += row.output_tokens;
  sum.cost += row.cost;
}

function usageRow(sum: SumRow): UsageRow {
  return {
    time: new Date(sum.bucket).toISOString(),
    group: sum.group,
    requests: sum.requests,
    errors: sum.errors,
    input_tokens: sum.input_tokens,
    cached_tokens: sum.cached_tokens,
    output_tokens: sum.output_tokens,
    cost: toDollars(sum.cost),
  };
}

/** The route of usage sums. */
export const adminUsageRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/usage",
      summary: "Sums by hour or day",
      access: "read-own",
      query: usageQuerySchema,
      status: 200,
      answer: z.strictObject({ data: z.array(usageRowSchema) }),
    },
    async ({ query }, { scope }) => ({ data: await usageReport(scope, query) }),
  ),
] as const;
