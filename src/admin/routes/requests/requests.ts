/** The request log: pages of it, one row, and what is new in it. */
import type { Problem } from "../../../core/problem.ts";
import type { NameOf } from "../../../routing/explanation/told-decision.ts";
import { meetsConditions } from "../../../workspace/rules/row-conditions.ts";
import { feedbackOwner } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { exportFormatOf } from "../../shared/export/export.ts";
import { displayNames } from "../../shared/model-names.ts";
import { type AdminScope, askWorkspace, readSnapshot } from "../../shared/scope.ts";
import { exportRequests } from "./request-export.ts";
import { isSeenBy, pageOfRequests, type RequestPage, requestPageSchema } from "./request-pages.ts";
import { conditionsOf, type RequestsQuery, requestsQuerySchema } from "./request-query.ts";
import { requestView, type RequestView, requestViewSchema } from "./request-view.ts";

/** One page of the log, of a member their own rows; 400 when `before` is not a cursor of this list. */
export async function listRequests(
  scope: AdminScope,
  query: Partial<RequestsQuery>,
  nameOf?: NameOf,
): Promise<RequestPage> {
  return await pageOfRequests(scope, { limit: 50, ...query }, { texts: false, nameOf });
}

/** One row of the log, with its texts where they are kept; 404 when there is none that the caller sees. */
export async function findRequest(
  scope: AdminScope,
  id: string,
  nameOf?: NameOf,
): Promise<RequestView> {
  const record = await askWorkspace(scope, (stub) => stub.findRequest(id));
  if (record === undefined || !isSeenBy(scope, record)) throw missingRequest(id);
  return requestView(record, { nameOf, who: feedbackOwner(scope.caller) });
}

/** 404: no such request, or none that the caller sees. */
export function missingRequest(id: string): Problem {
  return notFound(`There is no request ${JSON.stringify(id)}`);
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
        "The request log, newest first; text/csv or application/x-ndjson exports everything that matches",
      access: "read-own",
      query: requestsQuerySchema,
      status: 200,
      answer: requestPageSchema,
      exports: true,
    },
    async ({ query }, { scope, services, waitUntil, accept }) => {
      const format = exportFormatOf(accept);
      if (format !== undefined) return exportRequests(scope, query, format);
      const directory = await services.directory(await readSnapshot(scope), waitUntil);
      return await listRequests(scope, query, displayNames(directory));
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
    async ({ params }, { scope, services, waitUntil }) => {
      const directory = await services.directory(await readSnapshot(scope), waitUntil);
      return await findRequest(scope, params.id, displayNames(directory));
    },
  ),
] as const;
