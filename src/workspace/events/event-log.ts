/** The events of a workspace: kept for notices, and put into the outbox of its webhooks. */
import type { WorkspaceEvent } from "../contract/events.ts";
import { addEvent, type NewEvent } from "../storage/tables/events.ts";
import type { Outbox } from "./outbox.ts";

/** What adding events needs. */
export interface EventLogContext {
  workspace: string;
  sql: SqlStorage;
  outbox: Outbox;
}

/** Adds events, in the transaction of their cause: none is without the other. */
export class EventLog {
  readonly #context: EventLogContext;

  constructor(context: EventLogContext) {
    this.#context = context;
  }

  /** The workspace comes first in its data. */
  add({ type, time, data }: NewEvent): WorkspaceEvent {
    const { workspace, sql, outbox } = this.#context;
    const event = addEvent(sql, { type, time, data: { workspace, ...data } });
    outbox.add(event);
    return event;
  }
}
