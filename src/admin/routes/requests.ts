/** The request log. */
import { z } from "zod";
import { invalid } from "../../core/problem.ts";
import { base64url, fromBase64url } from "../../lib/ids.ts";
import type {
  AttemptRecord,
  BookedUsage,
  RequestRecord,
} from "../../workspace/contract/contract.ts";
import type { RowFilter } from "../../workspace/storage/ledger.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";
import { routingExplanationSchema } from "./routing.ts";

export const requestsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** The `next` of the page before. */
  before: z.string().max(64).optional(),
  harness: z.string().max(64).optional(),
  status: z
    .string()
    .regex(/^(\d{3}|[1-5]xx|ok|error)$/, "must be a status, a class like 4xx, ok or error")
    .optional(),
  model: z.string().max(512).optional(),
});
/** Which rows of the log are asked for. */
export type RequestsQuery = z.infer<typeof requestsQuerySchema>;

/** Tokens: input includes cached and cache-write, output includes reasoning. */
const usageViewSchema = z.strictObject({
  input_tokens: z.number(),
  cached_tokens: z.number(),
  cache_write_tokens: z.number(),
  cache_write_1h_tokens: z.number().exactOptional(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  estimated: z.boolean(),
});
type UsageView = z.infer<typeof usageViewSchema>;

const attemptViewSchema = z.strictObject({
  model: z.string(),
  status: z.number(),
  ms: z.number(),
  usage: usageViewSchema.exactOptional(),
  /** USD. */
  cost: z.number().exactOptional(),
  outcome: z.enum(["ok", "failed", "neutral"]),
  error: z.string().exactOptional(),
});
type AttemptView = z.infer<typeof attemptViewSchema>;

const requestViewSchema = z.strictObject({
  id: z.string(),
  time: z.string(),
  harness: z.string(),
  key_id: z.string().exactOptional(),
  format: z.enum(["chat", "responses", "messages"]),
  requested_model: z.string(),
  tier: z.string().nullable(),
  reason: z.string().nullable(),
  confidence: z.number().nullable(),
  attempts: z.array(attemptViewSchema),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  status: z.number(),
  stream: z.boolean(),
  usage: usageViewSchema.nullable(),
  /** USD. */
  cost: z.number().nullable(),
  dropped: z.array(z.string()),
  first_byte_ms: z.number().nullable(),
  total_ms: z.number(),
  error: z.string().nullable(),
  /** Why `auto` chose this model. */
  routing: routingExplanationSchema.exactOptional(),
  /** Only where the harness logs texts, and only for one request. */
  text: z.strictObject({ request: z.string(), answer: z.string() }).exactOptional(),
});
/** A row of the log. */
export type RequestView = z.infer<typeof requestViewSchema>;

const requestPageSchema = z.strictObject({
  data: z.array(requestViewSchema),
  /** For `before`; null at the end. */
  next: z.string().nullable(),
});
/** Rows of the log, newest first. */
export type RequestPage = z.infer<typeof requestPageSchema>;

/** One page of the log; 400 when `before` is not a cursor of this list. */
export async function listRequests(scope: AdminScope, query: RequestsQuery): Promise<RequestPage> {
  const filter: RowFilter = {
    limit: query.limit + 1,
    ...(query.before !== undefined && { before: readCursor(query.before) }),
    ...(query.harness !== undefined && { harness: query.harness }),
    ...(query.status !== undefined && { status: statusRange(query.status) }),
    ...(query.model !== undefined && { model: query.model }),
  };
  const rows = await askWorkspace(scope, (stub) => stub.listRequests(filter));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    data: page.map(({ record }) => requestView(record)),
    next: rows.length > query.limit && last !== undefined ? writeCursor(last.seq) : null,
  };
}

/** One row of the log, with its texts where they are kept; 404 when there is none. */
export async function findRequest(scope: AdminScope, id: string): Promise<RequestView> {
  const record = await askWorkspace(scope, (stub) => stub.findRequest(id));
  if (record === undefined) throw notFound(`there is no request ${JSON.stringify(id)}`);
  return requestView(record);
}

/** What is new in the log and in the document. */
export interface RecentChanges {
  /** For the next question. */
  readonly seq: number;
  /** Of the document. */
  readonly generation: number;
  /** Oldest first. */
  readonly rows: readonly { readonly seq: number; readonly record: RequestView }[];
}

/** Rows of the log that came after `seq`; memory only, cheap enough to ask every second. */
export async function changesSince(scope: AdminScope, after: number): Promise<RecentChanges> {
  const { seq, generation, rows } = await askWorkspace(scope, (stub) => stub.changesSince(after));
  return {
    seq,
    generation,
    rows: rows.map((row) => ({ seq: row.seq, record: requestView(row.record) })),
  };
}

function requestView(record: RequestRecord): RequestView {
  const { text } = record;
  return {
    id: record.id,
    time: record.time,
    harness: record.harness,
    ...(record.key_id !== undefined && { key_id: record.key_id }),
    format: record.format,
    requested_model: record.requested_model,
    tier: record.tier,
    reason: record.reason,
    confidence: record.confidence,
    attempts: record.attempts.map(attemptView),
    model: record.model,
    provider: record.provider,
    status: record.status,
    stream: record.stream,
    usage: record.usage === null ? null : usageView(record.usage),
    cost: record.cost,
    dropped: record.dropped,
    first_byte_ms: record.first_byte_ms,
    total_ms: record.total_ms,
    error: record.error,
    ...routingView(record.routing),
    ...(text !== undefined && { text: { request: text.request, answer: text.answer } }),
  };
}

function attemptView(attempt: AttemptRecord): AttemptView {
  const { model, status, ms, usage, cost, outcome, error } = attempt;
  return {
    model,
    status,
    ms,
    ...(usage !== undefined && { usage: usageView(usage) }),
    ...(cost !== undefined && { cost }),
    outcome,
    ...(error !== undefined && { error }),
  };
}

function usageView(usage: BookedUsage): UsageView {
  const { cache_write_1h_tokens: longWrites } = usage;
  return {
    input_tokens: usage.input_tokens,
    cached_tokens: usage.cached_tokens,
    cache_write_tokens: usage.cache_write_tokens,
    ...(longWrites !== undefined && { cache_write_1h_tokens: longWrites }),
    output_tokens: usage.output_tokens,
    reasoning_tokens: usage.reasoning_tokens,
    estimated: usage.estimated,
  };
}

/** The explanation as it was logged; left out where an older version wrote it differently. */
function routingView(routing: unknown): Pick<RequestView, "routing"> {
  if (routing === undefined) return {};
  const { data } = routingExplanationSchema.safeParse(routing);
  return data === undefined ? {} : { routing: data };
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

export const requestRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/requests",
      summary: "The request log, newest first",
      access: "workspace",
      query: requestsQuerySchema,
      status: 200,
      answer: requestPageSchema,
    },
    ({ query }, { scope }) => listRequests(scope, query),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/requests/{id}",
      summary: "One request",
      access: "workspace",
      status: 200,
      answer: requestViewSchema,
    },
    ({ params }, { scope }) => findRequest(scope, params.id),
  ),
] as const;
