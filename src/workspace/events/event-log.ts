/** The events of a workspace: kept for notices, and put into the outbox of its webhooks. */
import type { WorkspaceEvent } from "../contract/events.ts";
import { addEvent, newestEventSeq, type NewEvent } from "../storage/tables/events.ts";
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

  /** Events that wait, oldest first, as they will be. */
  foreseen(waiting: readonly NewEvent[]): WorkspaceEvent[] {
    const { workspace, sql } = this.#context;
    const newest = newestEventSeq(sql);
    return waiting.map(({ id = "", type, time, data }, index) => ({
      seq: newest + 1 + index,
      id,
      type,
      time: new Date(time).toISOString(),
      data: { workspace, ...data },
    }));
  }

  /** The workspace comes first in its data. */
  add({ data, ...rest }: NewEvent): WorkspaceEvent {
    const { workspace, sql, outbox } = this.#context;
    const event = addEvent(sql, { ...rest, data: { workspace, ...data } });
    outbox.add(event);
    return event;
  }
}
