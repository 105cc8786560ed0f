/** Why an answer stopped: `finishReason` and the neutral reason. */
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

/**
 * The neutral reason; `error` when the answer is broken. An unknown reason is an ordinary end, and so is a call that the
 * service did not expect, where it came whole (`called`): clients run it, and the model goes on.
 */
export function readStopReason(finishReason: string, called: boolean): StopReason {
  if (called && finishReason === "UNEXPECTED_TOOL_CALL") return "end";
  return Object.hasOwn(reasons, finishReason) ? (reasons[finishReason] ?? "end") : "end";
}

/** Whether an enumeration's member stands for no value. */
export function isUnspecified(name: string): boolean {
  return name === "" || name.endsWith("_UNSPECIFIED");
}

const wireReasons: Readonly<Record<Exclude<StopReason, "error">, string>> = {
  end: "STOP",
  stop_sequence: "STOP",
  tools: "STOP",
  length: "MAX_TOKENS",
  context_full: "MAX_TOKENS",
  filter: "SAFETY",
  pause: "CONTINUATION",
};

/** `finishReason`; undefined for a broken answer. `refused`: the answer holds a refusal. */
export function writeStopReason(reason: StopReason, refused: boolean): string | undefined {
  if (reason === "error") return undefined;
  return wireReasons[reason === "end" && refused ? "filter" : reason];
}
