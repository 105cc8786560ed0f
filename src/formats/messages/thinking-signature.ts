/**
 * The `signature` of thinking blocks. Clients hand it back unread, so it carries other providers' state. A state
 * that belongs to a call travels in an empty thinking block next to that call, which a suffix tells. Thinking
 * without any state is marked too, so that it never reaches a provider that would check its signature.
 */
import { stateTag, unwrapState, wrapState } from "../../translation/opaque-state.ts";
import type { OpaqueState } from "../../core/request.ts";

/** Whose state it is: the thinking block's own, or that of the call after or before it. */
export type Owner = "self" | "next" | "previous";

const suffixes: Record<Owner, string> = { self: "", next: ".next", previous: ".prev" };

/** Signature of thinking that has no state. */
export const unsigned = `${stateTag}unsigned`;

/** Whether this gateway made the text. */
export function isTagged(text: string): boolean {
  return text.startsWith(stateTag);
}

/** Anthropic's own state goes to its own clients as it is. */
export function signatureOf(state: OpaqueState, owner: Owner): string {
  return state.format === "messages" ? state.data : wrapState(state) + suffixes[owner];
}

export function isRedacted(state: OpaqueState): boolean {
  return state.format === "messages" && state.type === "redacted";
}

/** What a tagged signature carries; undefined when it carries nothing. */
export function readSignature(text: string): { state: OpaqueState; owner: Owner } | undefined {
  const owner = text.endsWith(suffixes.next)
    ? "next"
    : text.endsWith(suffixes.previous)
      ? "previous"
      : "self";
  const state = unwrapState(text.slice(0, text.length - suffixes[owner].length));
  return state && { state, owner };
}
