/** Events of the workspace: what webhooks are sent, and what the notices on the dashboard's pages say. */
import * as z from "zod";
import {
  type EventPage,
  eventTypes,
  type WorkspaceEvent,
} from "../../../workspace/contract/events.ts";
import { readCursor, writeCursor } from "../../shared/cursor.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { type AdminScope, askNewMethod } from "../../shared/scope.ts";

/** An event as the admin API shows it. */
export const eventViewSchema = z.strictObject({
  /** The same as in the header `webhook-id`. */
  id: z.string(),
  type: z.enum([...eventTypes, "test"]),
  time: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
/** One of them. */
export type EventView = z.infer<typeof eventViewSchema>;

/** Paging of events and deliveries; values arrive as text. */
export const eventPageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the page before. */
  before: z.string().max(64).optional(),
});
/** Which page is asked for. */
export type EventPageQuery = z.infer<typeof eventPageSchema>;

const eventListSchema = z.strictObject({
  data: z.array(eventViewSchema),
  /** For `before`; missing at the end. */
  next: z.string().optional(),
});

/** The page as the workspace's object is asked for it; 400 when `before` is no cursor. */
export function eventPageOf({ limit, before }: EventPageQuery): { limit: number; before?: number } {
  return { limit, ...(before !== undefined && { before: readCursor(before) }) };
}

/** Events as they are kept, newest first; none where the object is of the version before. */
export async function readEvents(scope: AdminScope, query: EventPageQuery): Promise<EventPage> {
  const asked = eventPageOf(query);
  return await askNewMethod<EventPage>(
    scope,
    (stub) => stub.events(asked),
    async () => ({ events: [], next: null }),
  );
}

/** Number of the newest event; 0 before the first. */
export async function readEventSeq(scope: AdminScope): Promise<number> {
  return await askNewMethod(
    scope,
    (stub) => stub.eventSeq(),
    async () => 0,
  );
}

/** What is shown of an event. */
export function eventView({ id, type, time, data }: WorkspaceEvent): EventView {
  return { id, type, time, data: { ...data } };
}

/** The route of events. */
export const adminEventRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/events",
      summary: "Events of the workspace, newest first, as sent to webhooks",
      access: "read",
      query: eventPageSchema,
      status: 200,
      answer: eventListSchema,
    },
    async ({ query }, { scope }) => {
      const { events, next } = await readEvents(scope, query);
      return { data: events.map(eventView), ...(next !== null && { next: writeCursor(next) }) };
    },
  ),
] as const;
