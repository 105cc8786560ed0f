/** The audit log: who changed what, and who signed in. */
import * as z from "zod";
import { actorTypes } from "../../../workspace/contract/audit.ts";
import type { AuditFilter, LoggedEvent } from "../../../workspace/contract/audit.ts";
import { shownEvent } from "../../../workspace/rules/audit/audit-chain.ts";
import { readCursor, writeCursor } from "../../shared/cursor.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { type ExportFormat, exportFormatOf, exportResponse } from "../../shared/export/export.ts";
import { type AdminScope, askNewMethod } from "../../shared/scope.ts";
import { timeSchema } from "../../shared/time.ts";

/** Events of one page of an export. */
const exportedPage = 500;

/** Filters and paging of the audit log; values arrive as text. */
export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** The `next` of the page before. */
  before: z.string().max(64).optional(),
  /** An actor's id, e-mail address or type. */
  actor: z.string().max(320).optional(),
  /** An action, or the part before its dot. */
  action: z.string().max(64).optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
});
/** Which events are asked for. */
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** The actor of an event or a version. */
export const actorSchema = z.strictObject({
  type: z.enum(actorTypes),
  id: z.string(),
  email: z.string().optional(),
});

/** Who did it, as it is shown. */
export type ActorView = z.infer<typeof actorSchema>;

const auditViewSchema = z.strictObject({
  id: z.string(),
  time: z.string(),
  actor: actorSchema,
  action: z.string(),
  target: z.string(),
  before: z.json().optional(),
  after: z.json().optional(),
  /** Hex SHA-256 of the hash before, a line feed, and this event's JSON without `hash`. */
  hash: z.string(),
});
/** An event as it is shown. */
export type AuditView = z.infer<typeof auditViewSchema>;

const auditListSchema = z.strictObject({
  data: z.array(auditViewSchema),
  /** For `before`; missing at the end. */
  next: z.string().optional(),
});
/** Events, newest first. */
export type AuditList = z.infer<typeof auditListSchema>;

/** One page of the log; 400 when `before` is not a cursor of this list. */
export async function listAudit(scope: AdminScope, query: AuditQuery): Promise<AuditList> {
  const filter = filterOf(query);
  const { events, next } = await askNewMethod(
    scope,
    (stub) => stub.pageAudit(filter),
    async () => ({ events: [], next: null }),
  );
  return {
    data: events.map(auditView),
    ...(next !== null && { next: writeCursor(next) }),
  };
}

/** Every event that matches, newest first, as a file. */
export function exportAudit(scope: AdminScope, query: AuditQuery, format: ExportFormat): Response {
  return exportResponse(scope, format, {
    name: "audit",
    columns: auditColumns,
    cells: auditCells,
    pages: allPages(scope, query),
  });
}

async function* allPages(scope: AdminScope, query: AuditQuery): AsyncGenerator<AuditView[]> {
  const { before: _, ...rest } = query;
  let page = await listAudit(scope, { ...rest, limit: exportedPage });
  yield page.data;
  while (page.next !== undefined) {
    page = await listAudit(scope, { ...rest, limit: exportedPage, before: page.next });
    yield page.data;
  }
}

function filterOf({ limit, before, actor, action, from, to }: AuditQuery): AuditFilter {
  return {
    limit,
    ...(before !== undefined && { before: readCursor(before) }),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}

/** In the order of members in which the event was hashed. */
function auditView({ hash, ...event }: LoggedEvent): AuditView {
  // `before` and `after` were read from JSON text.
  return { ...(shownEvent(event) as Omit<AuditView, "hash">), hash };
}

const auditColumns = [
  "id",
  "time",
  "actor_type",
  "actor_id",
  "actor_email",
  "action",
  "target",
  "before",
  "after",
  "hash",
] as const;

function auditCells(event: AuditView): string[] {
  const { id, time, actor, action, target, before, after, hash } = event;
  const whose = [actor.type, actor.id, actor.email ?? ""];
  return [id, time, ...whose, action, target, jsonCell(before), jsonCell(after), hash];
}

function jsonCell(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** The route of the audit log. */
export const adminAuditRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/audit",
      summary:
        "The audit log, newest first; text/csv or application/x-ndjson exports everything that matches",
      access: "write",
      query: auditQuerySchema,
      status: 200,
      answer: auditListSchema,
      exports: true,
    },
    async ({ query }, { scope, accept }) => {
      const format = exportFormatOf(accept);
      return format === undefined
        ? await listAudit(scope, query)
        : exportAudit(scope, query, format);
    },
  ),
] as const;
