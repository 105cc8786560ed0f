/**
 * Thought signatures and the part that each belongs to. A signature is only good on the part that it came with, so
 * the state's type remembers which part that was.
 */
import type { OpaqueState } from "../../core/request.ts";

export const signatureTypes = {
  /** The `functionCall` part that the state's block is, or that follows it. */
  call: "thought_signature",
  /** The thought part itself. */
  thought: "thought_signature.thought",
  /** The text part that follows. */
  text: "thought_signature.text",
  /** An empty text part of its own. */
  empty: "thought_signature.empty",
} as const;

export type SignaturePlace = keyof typeof signatureTypes;

/** What Google documents for calls that another model made: a signature that is not checked. */
export const unchecked = "skip_thought_signature_validator";

export function signatureState(data: string, place: SignaturePlace, origin: string): OpaqueState {
  return { format: "gemini", origin, type: signatureTypes[place], data };
}

export function placeOf(state: OpaqueState): SignaturePlace {
  switch (state.type) {
    case signatureTypes.thought:
      return "thought";
    case signatureTypes.text:
      return "text";
    case signatureTypes.empty:
      return "empty";
    default:
      return "call";
  }
}
