/** Why an answer stopped: `finish_reason` and the neutral reason. */
import type { StopReason } from "../../../core/events.ts";

const reasons: Record<string, StopReason> = {
  stop: "end",
  stop_sequence: "stop_sequence",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  tool_calls: "tools",
  function_call: "tools",
  tool_use: "tools",
  content_filter: "filter",
  safety: "filter",
  sensitive: "filter",
  refusal: "filter",
  error: "error",
  abort: "error",
  network_error: "error",
  insufficient_system_resource: "error",
};

/** The neutral reason. An ordinary end after calls means the calls; an unknown reason is an ordinary end. */
export function readStopReason(raw: string | undefined, hasCalls: boolean): StopReason {
  const known = raw !== undefined && Object.hasOwn(reasons, raw) ? reasons[raw] : undefined;
  const reason = known ?? "end";
  if (hasCalls && (reason === "end" || reason === "stop_sequence")) return "tools";
  return reason === "tools" && !hasCalls ? "end" : reason;
}

/** Chat's `finish_reason`; undefined for a broken answer, which has none. */
export function writeStopReason(reason: StopReason, hasCalls: boolean): string | undefined {
  switch (reason) {
    case "end":
    case "stop_sequence":
    case "pause":
    case "tools":
      return hasCalls ? "tool_calls" : "stop";
    case "length":
    case "context_full":
      return "length";
    case "filter":
      return "content_filter";
    case "error":
      return undefined;
    default:
      return reason satisfies never;
  }
}
