/**
 * How events of the audit log are chained: each carries the hash of itself and of the one before. Whoever keeps a copy of
 * the newest hash can prove later that nothing before it was altered or left out.
 */
import { sha256 } from "../../../lib/sha256.ts";
import type { LoggedEvent } from "../../contract/audit.ts";

/** An event without its hash, as it is shown. */
export type UnhashedEvent = Omit<LoggedEvent, "seq" | "hash">;

/** The hash before the first event. */
export const firstHash = "";

/** Hex SHA-256 of the hash before, a line feed, and the event's JSON text (which exports write, `hash` added last). */
export function chainedHash(before: string, event: UnhashedEvent): string {
  return sha256(`${before}\n${JSON.stringify(shownEvent(event))}`);
}

/** The event's members in the order in which they are hashed and exported. */
export function shownEvent(event: UnhashedEvent): UnhashedEvent {
  const { id, time, actor, action, target, before, after } = event;
  const { type, id: actorId, email } = actor;
  return {
    id,
    time,
    actor: { type, id: actorId, ...(email !== undefined && { email }) },
    action,
    target,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}
