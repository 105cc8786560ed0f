/**
 * The `encrypted_content` of reasoning items. Clients hand it back unread, so it carries other providers' state.
 * A state that belongs to a call travels in a reasoning item of its own next to that call; a suffix tells which.
 */
import { stateTag, unwrapState, wrapState } from "../../translation/opaque-state.ts";
import type { OpaqueState } from "../../core/request.ts";

/** Whose state it is: the reasoning item's own, or that of the call after or before it. */
export type Owner = "self" | "next" | "previous";

const suffixes: Record<Owner, string> = { self: "", next: ".next", previous: ".prev" };

/** Marks reasoning that has no state, so that scrubbing finds it before a provider looks its id up. */
export const stateless = `${stateTag}stateless`;

/** The text that goes to the client; undefined for state that nobody could take back. */
export function carry(state: OpaqueState, owner: Owner): string | undefined {
  return state.origin === undefined ? undefined : wrapState(state) + suffixes[owner];
}

/** Whether this gateway made the text. */
export function isCarried(text: string): boolean {
  return text.startsWith(stateTag);
}

/** What such a text carries; undefined when it is damaged. */
export function carried(text: string): { state: OpaqueState; owner: Owner } | undefined {
  const owner =
    (["next", "previous"] as const).find((name) => text.endsWith(suffixes[name])) ?? "self";
  const state = unwrapState(text.slice(0, text.length - suffixes[owner].length));
  return state && { state, owner };
}
