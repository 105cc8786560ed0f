/**
 * The `encrypted_content` of reasoning items. Clients hand it back unread, so it carries other providers' state. A
 * state that belongs to a call travels in a reasoning item of its own next to that call.
 */
import type { OpaqueState } from "../../../core/request.ts";
import { stateTag, wrapOwnedState, type StateOwner } from "../../../translation/opaque-state.ts";

/** Marks reasoning that has no state, so that scrubbing finds it before a provider looks its id up. */
export const stateless = `${stateTag}stateless`;

/** The text that goes to the client; undefined for state that nobody could take back. */
export function encryptedContent(state: OpaqueState, owner: StateOwner): string | undefined {
  return state.origin === undefined ? undefined : wrapOwnedState(state, owner);
}
