/**
 * How the id of a session changes while it is used. The browser is offered a new id, and only when it comes back with it
 * the old one is replaced: an answer that never arrives signs nobody out. Requests that were under way with the old
 * one are served for some seconds more.
 */

/** The ids under which a session is known, as hashes. */
export interface SessionIds {
  readonly id: string;
  /** Given to the browser, which has not come back with it yet. */
  readonly offered: string | null;
  /** The one before. */
  readonly replaced: string | null;
  /** Epoch ms of the last offer or change. */
  readonly changed: number;
}

/** A request with one of them. */
export interface SessionPresence {
  readonly presented: string;
  /** A fresh one. */
  readonly next: string;
  /** Whether somebody is there. */
  readonly active: boolean;
}

/** After so long an id is replaced, ms. */
const idTime = 15 * 60_000;
/** So long the one before is good beside the new one, and an offer is waited for, ms. */
const graceTime = 15_000;

/** The ids from now on, and whether the fresh one is offered; undefined when the one presented is too old. */
export function rotate(
  ids: SessionIds,
  { presented, next, active }: SessionPresence,
  now: number,
): { ids: SessionIds; rotated: boolean } | undefined {
  const age = now - ids.changed;
  if (presented === ids.offered) {
    return {
      ids: { id: presented, offered: null, replaced: ids.id, changed: now },
      rotated: false,
    };
  }
  if (presented !== ids.id) return age < graceTime ? { ids, rotated: false } : undefined;
  const due = age >= (ids.offered === null ? idTime : graceTime);
  if (!active || !due) return { ids, rotated: false };
  return { ids: { ...ids, offered: next, changed: now }, rotated: true };
}
