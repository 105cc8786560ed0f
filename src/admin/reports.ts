/** The request log and the usage sums, as the admin API and the pages show them. */
import { invalid } from "../core/problem.ts";
import { base64url, fromBase64url } from "../lib/ids.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import { toDollars } from "../workspace/rules/cost.ts";
import type { RowFilter, SumRow } from "../workspace/contract/reports.ts";
import { calendarOf } from "../workspace/rules/period.ts";
import { calling, workspaceStub } from "../workspace/remote.ts";
import { bucketLength, bucketOf } from "../workspace/rules/rollup.ts";
import { notFound, type Office, readSnapshot } from "./actions.ts";
import type { RequestsQuery, UsageQuery } from "./schemas.ts";

const day = 86_400_000;

export interface UsageRow {
  /** Beginning of the hour or day, ISO 8601 UTC. Days are those of the workspace's time zone. */
  time: string;
  group: string;
  requests: number;
  errors: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** USD. */
  cost: number;
}

/** Sums by hour or day and group, oldest first. Without `from`: the last day by hour, the last 30 days by day. */
export async function usageReport(office: Office, query: UsageQuery): Promise<UsageRow[]> {
  const now = Date.now();
  const from =
    query.from === undefined
      ? now - (query.by === "hour" ? day : 30 * day)
      : Date.parse(query.from);
  const to = query.to === undefined ? now : Date.parse(query.to);
  if (to < from) throw invalid("to", "lies before from");
  const question = {
    from: bucketOf(from),
    to: bucketOf(to - 1) + bucketLength,
    group: query.group,
  };
  const rows = await calling(
    () => workspaceStub(office.env, office.workspace),
    (stub) => stub.sums(question),
  );
  const { config } = await readSnapshot(office);
  const calendar = calendarOf(query.by === "hour" ? "UTC" : (config.timezone ?? "UTC"));
  return together(rows, (bucket) => calendar.span(query.by, bucket).start);
}

function together(rows: readonly SumRow[], startOf: (bucket: number) => number): UsageRow[] {
  const sums = new Map<string, SumRow>();
  for (const row of rows) {
    const bucket = startOf(row.bucket);
    const key = `${bucket} ${row.group}`;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { ...row, bucket });
      continue;
    }
    sum.requests += row.requests;
    sum.errors += row.errors;
    sum.input_tokens += row.input_tokens;
    sum.cached_tokens += row.cached_tokens;
    sum.output_tokens += row.output_tokens;
    sum.cost += row.cost;
  }
  return [...sums.values()].map(({ bucket, cost, ...sum }) => ({
    time: new Date(bucket).toISOString(),
    ...sum,
    cost: toDollars(cost),
  }));
}

/** A row of the log, newest first in lists; texts only where one row is asked for. */
export type ShownRequest = Omit<RequestRecord, "session">;

export interface RequestPage {
  data: ShownRequest[];
  /** For `before`; null at the end. */
  next: string | null;
}

export async function listRequests(office: Office, query: RequestsQuery): Promise<RequestPage> {
  const filter: RowFilter = {
    limit: query.limit + 1,
    ...(query.before === undefined ? {} : { before: readCursor(query.before) }),
    ...(query.harness === undefined ? {} : { harness: query.harness }),
    ...(query.status === undefined ? {} : { status: statusRange(query.status) }),
    ...(query.model === undefined ? {} : { model: query.model }),
  };
  const rows = await calling(
    () => workspaceStub(office.env, office.workspace),
    (stub) => stub.listRequests(filter),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => row.record),
    next: rows.length > query.limit && last !== undefined ? writeCursor(last.seq) : null,
  };
}

export async function findRequest(office: Office, id: string): Promise<ShownRequest> {
  const record = await calling(
    () => workspaceStub(office.env, office.workspace),
    (stub) => stub.findRequest(id),
  );
  if (record === undefined) throw notFound(`there is no request ${JSON.stringify(id)}`);
  return record;
}

/** From (inclusive) and to (exclusive) of `404`, `4xx`, `ok` or `error`. */
function statusRange(text: string): readonly [number, number] {
  if (text === "ok") return [100, 400];
  if (text === "error") return [400, 1000];
  const first = Number(text.slice(0, 1)) * 100;
  return text.endsWith("xx") ? [first, first + 100] : [Number(text), Number(text) + 1];
}

function writeCursor(seq: number): string {
  return base64url(new TextEncoder().encode(`s${seq}`));
}

function readCursor(text: string): number {
  const bytes = fromBase64url(text);
  const seq = /^s(\d{1,15})$/.exec(bytes === undefined ? "" : new TextDecoder().decode(bytes))?.[1];
  if (seq === undefined) throw invalid("before", "is not a cursor of this list");
  return Number(seq);
}
