/** Why Gemini stopped, in the hub's words. */
import type { StopReason } from "../../../core/events.ts";

const reasons: Record<string, StopReason> = {
  STOP: "end",
  MAX_TOKENS: "length",
  SAFETY: "filter",
  RECITATION: "filter",
  LANGUAGE: "filter",
  BLOCKLIST: "filter",
  PROHIBITED_CONTENT: "filter",
  SPII: "filter",
  MODEL_ARMOR: "filter",
  IMAGE_SAFETY: "filter",
  IMAGE_PROHIBITED_CONTENT: "filter",
  IMAGE_RECITATION: "filter",
  IMAGE_OTHER: "filter",
  CONTINUATION: "pause",
  MALFORMED_FUNCTION_CALL: "error",
  UNEXPECTED_TOOL_CALL: "error",
  TOO_MANY_TOOL_CALLS: "error",
  MISSING_THOUGHT_SIGNATURE: "error",
  MALFORMED_RESPONSE: "error",
  OTHER: "error",
};

/** The neutral reason; `error` when the answer is broken. An unknown word counts as a natural end. */
export function stopReason(finishReason: string): StopReason {
  return Object.hasOwn(reasons, finishReason) ? (reasons[finishReason] ?? "end") : "end";
}

/** The name of an enumeration's member that says nothing. */
export function isUnspecified(word: string): boolean {
  return word === "" || word.endsWith("_UNSPECIFIED");
}
