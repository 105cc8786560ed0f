/** What a workspace used in a month, signed for the billing system. */
import * as z from "zod";
import type { Env } from "../../../store/env.ts";
import { toDollars } from "../../../workspace/rules/sums/cost.ts";
import type { SumRow } from "../../../workspace/contract/reports.ts";
import type { Actor } from "../../../workspace/contract/audit.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellEntry } from "../../shared/audit.ts";
import { operatorActorOf } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { sumPages } from "./usage-sums.ts";

const monthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month like 2026-10");

const dayUsageSchema = z.strictObject({
  /** Of UTC, like 2026-10-31. */
  day: z.string(),
  model: z.string(),
  requests: z.number(),
  errors: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  /** USD. */
  cost: z.number(),
});

const monthUsageSchema = z.strictObject({
  workspace: z.string(),
  month: z.string(),
  plan: z.string().nullable(),
  requests: z.number(),
  /** USD. */
  cost: z.number(),
  data: z.array(dayUsageSchema),
});
type MonthUsage = z.infer<typeof monthUsageSchema>;

/** The month's sums by day and model, oldest first. Exact for the running month and the one before. */
async function monthUsage(
  { env, by: actor }: { env: Env; by: Actor },
  workspace: string,
  month: string,
): Promise<MonthUsage> {
  const record = await askDirectory(env, (directory) => directory.find(workspace));
  if (record === undefined) throw notFound(`There is no workspace ${JSON.stringify(workspace)}`);
  await tellEntry({ env, workspace }, { actor, reading: "GET /api/workspaces/{id}/usage" });
  const [year = 0, number = 0] = month.split("-").map(Number);
  const span = { from: Date.UTC(year, number - 1, 1), to: Date.UTC(year, number, 1) };
  const pages = sumPages({ env, workspace }, { ...span, group: "model", by: "hour" });
  const sums = new Map<string, SumRow>();
  for await (const page of pages) addDays(sums, page.filter(isBillable));
  const days = [...sums.values()];
  return {
    workspace,
    month,
    plan: record.plan,
    requests: days.reduce((sum, day) => sum + day.requests, 0),
    cost: toDollars(days.reduce((sum, day) => sum + day.cost, 0)),
    data: days.map(({ bucket, group, cost, blocked: _blocked, fallbacks: _none, ...counts }) => ({
      day: dayOf(bucket),
      model: group,
      ...counts,
      cost: toDollars(cost),
    })),
  };
}

/** Sums count refused requests too, which used nothing. */
function isBillable({ requests, input_tokens, output_tokens, cost }: SumRow): boolean {
  return requests + input_tokens + output_tokens + cost > 0;
}

function addDays(days: Map<string, SumRow>, rows: readonly SumRow[]): void {
  for (const row of rows) {
    const key = `${dayOf(row.bucket)} ${row.group}`;
    const sum = days.get(key);
    days.set(key, sum === undefined ? row : added(sum, row));
  }
}

function added(sum: SumRow, row: SumRow): SumRow {
  return {
    ...sum,
    requests: sum.requests + row.requests,
    errors: sum.errors + row.errors,
    input_tokens: sum.input_tokens + row.input_tokens,
    cached_tokens: sum.cached_tokens + row.cached_tokens,
    output_tokens: sum.output_tokens + row.output_tokens,
    cost: sum.cost + row.cost,
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The route of monthly usage. */
export const adminUsageExportRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/workspaces/{id}/usage",
      summary: "A month's usage by day and model, signed by X-Gateway-Signature",
      access: "operator",
      query: z.object({ month: monthSchema }),
      status: 200,
      answer: monthUsageSchema,
      signed: true,
    },
    ({ params, query }, { env, access }) =>
      monthUsage({ env, by: operatorActorOf(access) }, params.id, query.month),
  ),
] as const;
