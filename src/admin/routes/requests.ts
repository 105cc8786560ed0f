/** The request log: pages of it, one row, and what is new in it. */
import * as z from "zod";
import type { RowFilter } from "../../workspace/contract/reports.ts";
import type { RequestRecord } from "../../workspace/contract/request-record.ts";
import { ownOnly } from "../shared/caller.ts";
import { readCursor, writeCursor } from "../shared/cursor.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { type AdminScope, askNewMethod, askWorkspace } from "../shared/scope.ts";
import { requestView, type RequestView, requestViewSchema } from "./request-view.ts";

/** Filters and paging of the log; values arrive as text. */
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

const requestPageSchema = z.strictObject({
  data: z.array(requestViewSchema),
  /** For `before`; null at the end. */
  next: z.string().nullable(),
});
/** Rows of the log, newest first. */
export type RequestPage = z.infer<typeof requestPageSchema>;

/** One page of the log, of a member their own rows; 400 when `before` is not a cursor of this list. */
export async function listRequests(scope: AdminScope, query: RequestsQuery): Promise<RequestPage> {
  const own = ownOnly(scope.caller);
  const filter: RowFilter = {
    limit: query.limit,
    ...(own !== undefined && { person: own }),
    ...(query.before !== undefined && { before: readCursor(query.before) }),
    ...(query.harness !== undefined && { harness: query.harness }),
    ...(query.status !== undefined && { status: statusRange(query.status) }),
    ...(query.model !== undefined && { model: query.model }),
  };
  const { rows, more } = await askNewMethod(
    scope,
    (stub) => stub.pageRequests(filter),
    async (stub) => {
      const found = await stub.listRequests(filter);
      return { rows: found, more: found.length === query.limit };
    },
  );
  const last = rows.at(-1);
  return {
    // An object of the version before does not filter by person.
    data: rows
      .filter(({ record }) => isSeenBy(scope, record))
      .map(({ record }) => requestView(record)),
    next: more && last !== undefined ? writeCursor(last.seq) : null,
  };
}

/** Members see rows of their own keys alone. */
function isSeenBy({ caller }: AdminScope, { person }: RequestRecord): boolean {
  const own = ownOnly(caller);
  return own === undefined || person === own;
}

/** One row of the log, with its texts where they are kept; 404 when there is none that the caller sees. */
export async function findRequest(scope: AdminScope, id: string): Promise<RequestView> {
  const record = await askWorkspace(scope, (stub) => stub.findRequest(id));
  if (record === undefined || !isSeenBy(scope, record))
    throw notFound(`there is no request ${JSON.stringify(id)}`);
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
    rows: rows
      .filter(({ record }) => isSeenBy(scope, record))
      .map((row) => ({ seq: row.seq, record: requestView(row.record) })),
  };
}

/** From (inclusive) and to (exclusive) of `404`, `4xx`, `ok` or `error`. */
function statusRange(text: string): readonly [number, number] {
  if (text === "ok") return [100, 400];
  if (text === "error") return [400, 1000];
  const first = Number(text.slice(0, 1)) * 100;
  return text.endsWith("xx") ? [first, first + 100] : [Number(text), Number(text) + 1];
}

/** The routes of the request log. */
export const adminRequestRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/requests",
      summary: "The request log, newest first",
      access: "read-own",
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
      access: "read-own",
      status: 200,
      answer: requestViewSchema,
    },
    ({ params }, { scope }) => findRequest(scope, params.id),
  ),
] as const;
