/** Sums of requests, tokens, cost and times until the first byte by quarter-hour, hour or day. */
import * as z from "zod";
import { toDollars } from "../../../workspace/rules/sums/cost.ts";
import { percentilesOf } from "../../../workspace/rules/sums/histogram.ts";
import { addSumRow, addToSums, emptySumRow } from "../../../workspace/rules/sums/sum-rows.ts";
import { logGroups, type SumRow } from "../../../workspace/contract/reports.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { exportFormatOf, exportResponse, type ExportFormat } from "../../shared/export/export.ts";
import { inSlices, pacedTexts, pacedStream } from "../../shared/export/paced-text.ts";
import type { AdminScope } from "../../shared/scope.ts";
import { timeSchema } from "../../shared/time.ts";
import { readUsageSums, sumGroups, onePage } from "./usage-sums.ts";

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

/** Sums of a whole span by group, from rows of which several may be of one group. */
export function usageTotals(rows: readonly SumRow[]): {
  groups: UsageTotal[];
  total: UsageReport["total"];
} {
  return { groups: groupsOf(rows).map(usageTotal), total: totalOf(sumOf(rows)) };
}

/**
 * Sums by quarter-hour, hour or day and group. Without `from`: the last day, by day the last 30. Groups beyond the 500
 * with the most requests are `other`.
 */
export async function usageReport(scope: AdminScope, query: UsageQuery): Promise<UsageReport> {
  const growing = await growingReport(scope, query);
  const data: UsageRow[] = [];
  for await (const rows of growing.pages) data.push(...rows);
  return { data, ...(await growing.rest()) };
}

/** A report that is read as far as it is taken. */
interface GrowingReport {
  /** Of its `data`. */
  readonly pages: AsyncIterable<readonly UsageRow[]>;
  /** Everything else, when all pages were taken. */
  rest(): Promise<Omit<UsageReport, "data">>;
}

/** Throws where the first rows cannot be read. */
async function growingReport(scope: AdminScope, query: UsageQuery): Promise<GrowingReport> {
  const { pages, names, totals, completeFrom } = await readUsageSums(scope, query);
  const groups = new Map<string, SumRow>();
  const times = new Map<string, SumRow>();
  const named = (row: SumRow): UsageTotal => {
    const name = names[row.group];
    return name === undefined ? usageTotal(row) : { ...usageTotal(row), name };
  };
  return {
    pages: (async function* () {
      for await (const rows of inSlices(scope.workspace, pages)) {
        for (const row of rows) {
          addToSums(groups, { ...row, bucket: 0 });
          if (totals === undefined) addToSums(times, { ...row, group: "" });
        }
        yield rows.map((row) => ({ time: timeOf(row), ...named(row) }));
      }
    })(),
    async rest() {
      const all = totals ?? [...times.values()];
      const shown: UsageReport["times"] = [];
      for await (const rows of inSlices(scope.workspace, onePage(all)))
        shown.push(...rows.map((row) => ({ time: timeOf(row), ...totalOf(row) })));
      return {
        groups: [...groups.values()].sort(byGroup).map(named),
        times: shown,
        total: totalOf(sumOf(all)),
        complete_from: completeFrom === null ? null : new Date(completeFrom).toISOString(),
      };
    },
  };
}

/** The report as JSON text, written while it is read. */
async function* reportTexts(scope: AdminScope, report: GrowingReport): AsyncGenerator<string> {
  yield '{"data":[';
  let separator = "";
  const write = (row: UsageRow): string => {
    const text = `${separator}${JSON.stringify(row)}`;
    separator = ",";
    return text;
  };
  for await (const rows of report.pages) yield rows.map(write).join("");
  const { groups, times, total, complete_from } = await report.rest();
  yield `],"groups":${JSON.stringify(groups)},"times":[`;
  separator = "";
  yield* pacedTexts(scope.workspace, onePage(times), (row) => {
    const text = `${separator}${JSON.stringify(row)}`;
    separator = ",";
    return text;
  });
  yield `],"total":${JSON.stringify(total)},"complete_from":${JSON.stringify(complete_from)}}`;
}

function timeOf({ bucket }: SumRow): string {
  return new Date(bucket).toISOString();
}

/** One row a group, in the order of their names. */
function groupsOf(rows: readonly SumRow[]): SumRow[] {
  const sums = new Map<string, SumRow>();
  for (const row of rows) addToSums(sums, { ...row, bucket: 0 });
  return [...sums.values()].sort(byGroup);
}

function byGroup(a: SumRow, b: SumRow): number {
  return a.group < b.group ? -1 : 1;
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
  const { pages } = await growingReport(scope, query);
  const list = { name: "usage", columns: usageColumns, cells: usageCells, pages };
  return exportResponse(scope, format, list);
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
      if (format !== undefined) return await exportUsage(scope, query, format);
      const texts = reportTexts(scope, await growingReport(scope, query));
      const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
      return new Response(pacedStream(texts), { headers });
    },
  ),
] as const;
