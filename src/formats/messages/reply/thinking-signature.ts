/**
 * The `signature` of thinking blocks. Clients hand it back unread, so it carries other providers' state. A state
 * that belongs to a call travels in an empty thinking block next to that call. Thinking without any state is marked
 * too, so that it never reaches a provider that would check its signature.
 */
import type { OpaqueState } from "../../../core/request.ts";
import { stateTag, wrapOwnedState, type StateOwner } from "../../../translation/opaque-state.ts";

/** Signature of thinking that has no state. */
export const unsigned = `${stateTag}unsigned`;

/** Anthropic's own state goes to its own clients as it is. */
export function signatureOf(state: OpaqueState, owner: StateOwner): string {
  return state.format === "messages" ? state.data : wrapOwnedState(state, owner);
}

/** Whether the state is thinking that Anthropic hid on purpose. */
export function isRedacted(state: OpaqueState): boolean {
  return state.format === "messages" && state.type === "redacted";
}
