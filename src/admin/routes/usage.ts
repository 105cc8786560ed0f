/** Sums of requests, tokens, cost and times until the first byte by quarter-hour, hour or day. */
import * as z from "zod";
import { invalid } from "../../core/problem.ts";
import { toDollars } from "../../workspace/rules/cost.ts";
import { percentilesOf } from "../../workspace/rules/histogram.ts";
import { bucketLength, bucketOf } from "../../workspace/rules/rollup.ts";
import { addSumRow, addToSums, emptySumRow, withOther } from "../../workspace/rules/sum-rows.ts";
import {
  logGroups,
  type LogSumQuestion,
  type LogSums,
  type SumPage,
  type SumQuestion,
  type SumRow,
} from "../../workspace/contract/reports.ts";
import { personNode } from "../../workspace/rules/nodes.ts";
import { ownOnly } from "../shared/caller.ts";
import { defineRoute } from "../shared/define-route.ts";
import { exportFormatOf, exportResponse, type ExportFormat } from "../shared/export.ts";
import { type AdminScope, askNewMethod } from "../shared/scope.ts";
import { timeSchema } from "../shared/time.ts";

const day = 86_400_000;
/** Groups of one answer. */
const mostGroups = 500;

const sumGroups = ["model", "harness", "provider", "tier"] as const;
/** By what usage is added up: what sums tell apart, then what only rows of the log do. */
export const usageGroups = [...sumGroups, ...logGroups] as const;

const usageQuerySchema = z.object({
  from: timeSchema.optional(),
  to: timeSchema.optional(),
  by: z.enum(["quarter", "hour", "day"]).default("hour"),
  group: z.enum(usageGroups).default("model"),
  /** With `group=tag`: by the values of this tag. */
  tag_name: z.string().max(64).optional(),
});
/** Which span of time is summed, and by what. */
export type UsageQuery = z.infer<typeof usageQuerySchema>;

/** Milliseconds, each at most a tenth off; null without an answer, or from before they were kept. */
export const firstByteSchema = z
  .strictObject({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable();

const usageTotalSchema = z.strictObject({
  group: z.string(),
  /** Of the key, where they are grouped by key. */
  name: z.string().optional(),
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
});
/** The sums of one group. */
export type UsageTotal = z.infer<typeof usageTotalSchema>;

const usageRowSchema = z.strictObject({
  /** Beginning of the quarter-hour, hour or day, ISO 8601 UTC. Days are those of the workspace's time zone. */
  time: z.string(),
  ...usageTotalSchema.shape,
});
/** The sums of one bucket of time and group. */
export type UsageRow = z.infer<typeof usageRowSchema>;

const usageReportSchema = z.strictObject({
  /** Oldest first. */
  data: z.array(usageRowSchema),
  /** The whole span by group. A request with several tags is in several groups. */
  groups: z.array(usageTotalSchema),
  /** All groups together by bucket, every request once; oldest first. */
  times: z.array(usageRowSchema.omit({ group: true, name: true })),
  /** The whole span, every request once. */
  total: usageTotalSchema.omit({ group: true, name: true }),
  /** Requests that began earlier may be missing, ISO 8601 UTC; null: none is. */
  complete_from: z.string().nullable(),
});
/** What was used, over time, by group and in all. */
export type UsageReport = z.infer<typeof usageReportSchema>;

/** Sums of the whole span by group. */
export async function usageTotals(
  scope: AdminScope,
  query: Pick<UsageQuery, "from" | "to"> & { group: SumQuestion["group"] },
): Promise<{ groups: UsageTotal[]; total: UsageReport["total"] }> {
  const span = spanOf({ ...query, by: "hour" });
  const rows = await callersSums(scope, { ...span, group: query.group, by: "span", times: true });
  return { groups: groupsOf(rows).map(usageTotal), total: totalOf(sumOf(rows)) };
}

/**
 * Sums by quarter-hour, hour or day and group. Without `from`: the last day, by day the last 30. Groups beyond the 500
 * with the most requests are `other`.
 */
export async function usageReport(scope: AdminScope, query: UsageQuery): Promise<UsageReport> {
  const { rows, totals, names, completeFrom } = await readUsage(scope, query);
  const name = ({ group }: SumRow): { name?: string } =>
    names[group] === undefined ? {} : { name: names[group] };
  return {
    data: rows.map((row) => ({
      time: timeOf(row),
      ...usageTotal(row),
      ...name(row),
    })),
    groups: groupsOf(rows).map((row) => ({ ...usageTotal(row), ...name(row) })),
    times: totals.map((row) => ({ time: timeOf(row), ...totalOf(row) })),
    total: totalOf(sumOf(totals)),
    complete_from: completeFrom === null ? null : new Date(completeFrom).toISOString(),
  };
}

function timeOf({ bucket }: SumRow): string {
  return new Date(bucket).toISOString();
}

async function readUsage(scope: AdminScope, query: UsageQuery): Promise<LogSums> {
  const group = sumGroups.find((name) => name === query.group);
  return group === undefined ? await readLog(scope, query) : await readSums(scope, query, group);
}

async function readSums(
  scope: AdminScope,
  query: UsageQuery,
  group: SumQuestion["group"],
): Promise<LogSums> {
  const asked = { ...spanOf(query), ...lengthOf(query), group, times: true } as const;
  const rows = withOther(await callersSums(scope, asked), mostGroups);
  const totals = new Map<string, SumRow>();
  for (const row of rows) addToSums(totals, { ...row, group: "" });
  return { rows, totals: [...totals.values()], names: {}, completeFrom: null };
}

async function readLog(scope: AdminScope, query: UsageQuery): Promise<LogSums> {
  const group = logGroups.find((name) => name === query.group) ?? "key";
  const person = ownOnly(scope.caller);
  const question: LogSumQuestion = {
    ...spanOf(query),
    ...lengthOf(query),
    group,
    ...(query.tag_name !== undefined && { tagName: query.tag_name }),
    ...(person !== undefined && { person }),
  };
  return await askNewMethod(
    scope,
    (stub) => stub.logSums(question),
    async () => ({ rows: [], totals: [], names: {}, completeFrom: question.to }),
  );
}

function lengthOf({ by }: UsageQuery): Pick<SumQuestion, "by"> {
  return by === "quarter" ? {} : { by };
}

/** Every row that answers the question, oldest first; of a member what their own keys used. */
async function callersSums(scope: AdminScope, question: SumQuestion): Promise<SumRow[]> {
  const own = ownOnly(scope.caller);
  const holder = own === undefined ? {} : { holder: personNode(own) };
  return await usageSums(scope, { ...question, ...holder });
}

/** Every row that answers the question, oldest first. */
export async function usageSums(
  scope: Pick<AdminScope, "env" | "workspace">,
  question: SumQuestion,
): Promise<SumRow[]> {
  const rows: SumRow[] = [];
  for (let from: number | null = question.from; from !== null;) {
    const ask: SumQuestion = { ...question, from };
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

function spanOf(query: Pick<UsageQuery, "from" | "to" | "by">): { from: number; to: number } {
  const now = Date.now();
  const to = query.to === undefined ? now : Date.parse(query.to);
  const usual = query.by === "day" ? 30 * day : day;
  const from = query.from === undefined ? now - usual : Date.parse(query.from);
  if (to < from) throw invalid("to", "lies before from");
  return { from: bucketOf(from), to: bucketOf(to - 1) + bucketLength };
}

/** One row a group, in the order of their names. */
function groupsOf(rows: readonly SumRow[]): SumRow[] {
  const sums = new Map<string, SumRow>();
  for (const row of rows) addToSums(sums, { ...row, bucket: 0 });
  return [...sums.values()].sort((a, b) => (a.group < b.group ? -1 : 1));
}

function sumOf(rows: readonly SumRow[]): SumRow {
  const sum = emptySumRow(0, "");
  for (const row of rows) addSumRow(sum, row);
  return sum;
}

function totalOf(sum: SumRow): UsageReport["total"] {
  const { group: _group, ...total } = usageTotal(sum);
  return total;
}

function usageTotal(sum: SumRow): UsageTotal {
  return {
    group: sum.group,
    requests: sum.requests,
    errors: sum.errors,
    blocked: sum.blocked ?? 0,
    fallbacks: sum.fallbacks ?? 0,
    input_tokens: sum.input_tokens,
    cached_tokens: sum.cached_tokens,
    output_tokens: sum.output_tokens,
    cost: toDollars(sum.cost),
    first_byte_ms: percentilesOf(sum.first_bytes ?? ""),
  };
}

const usageColumns = [
  "time",
  "group",
  "name",
  "requests",
  "errors",
  "blocked",
  "fallbacks",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "cost",
  "first_byte_p50_ms",
  "first_byte_p95_ms",
  "first_byte_p99_ms",
] as const;

function usageCells(row: UsageRow): string[] {
  const { first_byte_ms: first, ...rest } = row;
  const times = [first?.p50, first?.p95, first?.p99];
  const counts = usageColumns.slice(3, -3).map((name) => Reflect.get(rest, name) as number);
  return [
    row.time,
    row.group,
    row.name ?? "",
    ...[...counts, ...times].map((value) => `${value ?? ""}`),
  ];
}

/** The rows over time as a file. */
export async function exportUsage(
  scope: AdminScope,
  query: UsageQuery,
  format: ExportFormat,
): Promise<Response> {
  const { data } = await usageReport(scope, query);
  const pages = (async function* () {
    yield data;
  })();
  return exportResponse(format, { name: "usage", columns: usageColumns, cells: usageCells, pages });
}

/** The route of usage sums. */
export const adminUsageRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/usage",
      summary:
        "Sums by quarter-hour, hour or day and group; keys, sessions, agents, roles and tags as far back as the request log",
      access: "read-own",
      query: usageQuerySchema,
      status: 200,
      answer: usageReportSchema,
      exports: true,
    },
    async ({ query }, { scope, accept }) => {
      const format = exportFormatOf(accept);
      return format === undefined
        ? await usageReport(scope, query)
        : await exportUsage(scope, query, format);
    },
  ),
] as const;
