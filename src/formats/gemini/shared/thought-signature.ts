/**
 * Thought signatures and the part that each belongs to. A signature is only good on the part that it came with, so
 * the state's type remembers which part that was.
 */
import type { OpaqueState } from "../../../core/request.ts";

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

/** The kind of part that a signature came with. */
export type SignedPart = keyof typeof signatureTypes;

/** What Google documents for calls that another model made: a signature that is not checked. */
export const skipValidation = "skip_thought_signature_validator";

/** The state of a signature that the connection `origin` gave with such a part. */
export function signatureState(data: string, part: SignedPart, origin: string): OpaqueState {
  return { format: "gemini", origin, type: signatureTypes[part], data };
}

/** The kind of part that the state came with. */
export function signedPartOf(state: OpaqueState): SignedPart {
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
