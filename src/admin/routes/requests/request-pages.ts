/** Pages of the request log, by conditions, and what the rows that match come to. */
import * as z from "zod";
import type {
  LoggedRow,
  RowFilter,
  RowPage,
  RowTotals,
} from "../../../workspace/contract/reports.ts";
import type { RequestRecord } from "../../../workspace/contract/request-record.ts";
import type { WorkspaceStub } from "../../../workspace/remote.ts";
import { meetsConditions } from "../../../workspace/rules/row-conditions.ts";
import type { NameOf } from "../../../routing/explanation/told-decision.ts";
import { feedbackOwner, ownOnly } from "../../shared/caller.ts";
import { readCursor, writeCursor } from "../../shared/cursor.ts";
import { type AdminScope, askNewMethod } from "../../shared/scope.ts";
import { conditionsOf, type RequestsQuery } from "./request-query.ts";
import { requestView, requestViewSchema } from "./request-view.ts";

/** Rows of the log, newest first, with the cursor of the page after them. */
export const requestPageSchema = z.strictObject({
  data: z.array(requestViewSchema),
  /** For `before`; null at the end. */
  next: z.string().nullable(),
});
/** Rows of the log, newest first. */
export type RequestPage = z.infer<typeof requestPageSchema>;

/**
 * One page of the log, of a member their own rows, with the texts of requests and answers where they are asked for and
 * kept; 400 when `before` is not a cursor of this list.
 */
export async function pageOfRequests(
  scope: AdminScope,
  query: RequestsQuery,
  { texts, nameOf }: { texts: boolean; nameOf?: NameOf | undefined },
): Promise<RequestPage> {
  const filter: RowFilter = {
    ...conditionsOf(scope, query),
    limit: query.limit,
    ...(query.before !== undefined && { before: readCursor(query.before) }),
    ...(texts && { texts }),
  };
  const { rows, next } = await askNewMethod(
    scope,
    async (stub) => pageWithNext(await stub.searchRequests(filter)),
    (stub) => pageAsBefore(stub, filter),
  );
  return {
    data: rows
      .filter(({ record }) => isSeenBy(scope, record))
      .map(({ record }) => requestView(record, { nameOf, who: feedbackOwner(scope.caller) })),
    next: next === null ? null : writeCursor(next),
  };
}

/** Rows with the place of the page after them. */
interface PlacedRows {
  readonly rows: readonly LoggedRow[];
  readonly next: number | null;
}

function pageWithNext({ rows, more, next }: RowPage): PlacedRows {
  return { rows, next: more ? (next ?? rows.at(-1)?.seq ?? null) : null };
}

/** An object of the version before knows few of the conditions: its pages may be left with fewer rows, or none. */
async function pageAsBefore(stub: WorkspaceStub, filter: RowFilter): Promise<PlacedRows> {
  const texts = filter.texts === true || filter.text !== undefined;
  const found = await stub.listRequests({ ...filter, texts });
  const { next } = pageWithNext({ rows: found, more: found.length === filter.limit });
  const rows = found.filter(({ record }) => meetsConditions(record, filter));
  return { rows: filter.texts === true ? rows : rows.map(withoutText), next };
}

function withoutText({ seq, record }: LoggedRow): LoggedRow {
  const { text: _, ...rest } = record;
  return { seq, record: rest };
}

/** What all rows that match come to, of a member's their own; undefined where the object cannot say it yet. */
export async function totalsOf(
  scope: AdminScope,
  query: Partial<RequestsQuery>,
): Promise<RowTotals | undefined> {
  const conditions = conditionsOf(scope, { limit: 50, ...query });
  return await askNewMethod<RowTotals | undefined>(
    scope,
    (stub) => stub.addUpRequests(conditions),
    async () => undefined,
  );
}

/** Members see rows of their own keys alone. */
export function isSeenBy({ caller }: AdminScope, { person }: RequestRecord): boolean {
  const own = ownOnly(caller);
  return own === undefined || person === own;
}
