/** The workspace's audit log: who changed what. Events are added; nothing alters or removes one. */
import { newId } from "../lib/ids.ts";
import type { Actor, AuditEvent, AuditFilter, AuditPage } from "./contract/audit.ts";
import { chainedHash } from "./rules/audit/audit-chain.ts";
import { keptEvent, systemActor } from "./rules/audit/audit-event.ts";
import {
  appendEvent,
  hasEventSince,
  newestEmailOf,
  pageAudit,
  readAuditHead,
} from "./storage/tables/audit.ts";

/** Milliseconds in which `noteHourly` writes the same event once. */
const hour = 3600_000;

/** What was done, without who did it. */
export type Deed = Omit<AuditEvent, "actor">;

/** Writes and reads events. */
export class AuditLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds an event, at once. To be called inside the transaction that makes the change, so that none is without the other.
   * `by` is missing where the version before called.
   */
  note(by: Actor | undefined, deed: Deed): void {
    const head = readAuditHead(this.#sql);
    const time = new Date(Math.max(Date.now(), head.time)).toISOString();
    const event = { id: newId("evt_"), time, ...keptEvent({ actor: by ?? systemActor, ...deed }) };
    const hash = chainedHash(head.hash, event);
    appendEvent(this.#sql, { seq: head.seq + 1, ...event, hash });
  }

  /** The same, unless it was written within the last hour already. */
  noteHourly(event: AuditEvent): void {
    const { actor, ...deed } = keptEvent(event);
    if (!hasEventSince(this.#sql, { actor, ...deed }, Date.now() - hour)) this.note(actor, deed);
  }

  /** E-mail address with which the person signed in or changed something lately; undefined where they did neither. */
  emailOf(person: string): string | undefined {
    return newestEmailOf(this.#sql, person);
  }

  /** Newest first. */
  async page(filter: AuditFilter): Promise<AuditPage> {
    return await pageAudit(this.#sql, filter);
  }
}
