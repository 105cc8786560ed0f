/** The request log: pages of it, one row, and what is new in it. */
import { meetsConditions } from "../../workspace/rules/row-conditions.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { exportFormatOf } from "../shared/export.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";
import { exportRequests } from "./request-export.ts";
import { isSeenBy, pageOfRequests, type RequestPage, requestPageSchema } from "./request-pages.ts";
import { conditionsOf, type RequestsQuery, requestsQuerySchema } from "./request-query.ts";
import { requestView, type RequestView, requestViewSchema } from "./request-view.ts";

/** One page of the log, of a member their own rows; 400 when `before` is not a cursor of this list. */
export async function listRequests(
  scope: AdminScope,
  query: Partial<RequestsQuery>,
): Promise<RequestPage> {
  return await pageOfRequests(scope, { limit: 50, ...query }, { texts: false });
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

/** Rows of the log that came after `seq` and match; memory only, cheap enough to ask every second. */
export async function changesSince(
  scope: AdminScope,
  after: number,
  query: Partial<RequestsQuery> = {},
): Promise<RecentChanges> {
  const conditions = conditionsOf(scope, { limit: 50, ...query });
  const { seq, generation, rows } = await askWorkspace(scope, (stub) => stub.changesSince(after));
  return {
    seq,
    generation,
    rows: rows
      .filter(({ record }) => isSeenBy(scope, record) && meetsConditions(record, conditions))
      .map((row) => ({ seq: row.seq, record: requestView(row.record) })),
  };
}

/** The routes of the request log. */
export const adminRequestRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/requests",
      summary:
        "The request log, newest first; as text/csv or application/x-ndjson all that matches",
      access: "read-own",
      query: requestsQuerySchema,
      status: 200,
      answer: requestPageSchema,
      exports: true,
    },
    async ({ query }, { scope, accept }) => {
      const format = exportFormatOf(accept);
      return format === undefined
        ? await listRequests(scope, query)
        : exportRequests(scope, query, format);
    },
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
