/** Reasoning as a workspace keeps it: sealed by the gateway, which alone reads it. */

/** Of one answer. */
export interface SealedReasoning {
  /** Id of the answer's first call. */
  call: string;
  sealed: string;
}

/** Characters of a call's id; an answer whose ids are longer is not kept. */
export const longestReasoningCall = 256;
/** Characters of one answer's reasoning, sealed. */
export const longestReasoning = 512 * 1024;
/** Answers that one request asks for. */
export const mostReasoningAsked = 256;
