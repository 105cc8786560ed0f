/** Why an answer stopped: `stop_reason` and the neutral reason. */
import type { Stop, StopReason } from "../../../core/events.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";

const reasons: Readonly<Record<string, StopReason>> = {
  end_turn: "end",
  stop_sequence: "stop_sequence",
  tool_use: "tools",
  max_tokens: "length",
  model_context_window_exceeded: "context_full",
  refusal: "filter",
  pause_turn: "pause",
  compaction: "pause",
};

const wireReasons: Readonly<Record<Exclude<StopReason, "error">, string>> = {
  end: "end_turn",
  stop_sequence: "stop_sequence",
  tools: "tool_use",
  length: "max_tokens",
  context_full: "model_context_window_exceeded",
  filter: "refusal",
  pause: "pause_turn",
};

/** `hasCalls`: whether the answer holds calls for the client. Unknown and missing reasons are an ordinary end. */
export function readStopReason(delta: JsonObject, hasCalls: boolean): Stop {
  const raw = typeof delta["stop_reason"] === "string" ? delta["stop_reason"] : undefined;
  const known = raw !== undefined && Object.hasOwn(reasons, raw) ? reasons[raw] : undefined;
  const sequence = delta["stop_sequence"];
  const details = delta["stop_details"];
  const stop: Stop = { reason: matchCalls(known ?? "end", hasCalls) };
  if (raw !== undefined) stop.raw = raw;
  if (typeof sequence === "string") stop.sequence = sequence;
  if (isObject(details)) stop.details = details;
  return stop;
}

/** An ordinary end after calls means the calls; a stop for tools that the provider ran itself is an ordinary end. */
function matchCalls<Reason extends StopReason>(
  reason: Reason,
  hasCalls: boolean,
): Reason | "tools" | "end" {
  if (reason === "end" && hasCalls) return "tools";
  return reason === "tools" && !hasCalls ? "end" : reason;
}

/** Which kinds of blocks an answer holds, as far as its stop reason depends on them. */
export interface WrittenKinds {
  calls: boolean;
  refusal: boolean;
}

/** The three members that tell a client why an answer stopped; undefined for a broken answer. */
export function writeStopReason(stop: Stop, kinds: WrittenKinds): JsonObject | undefined {
  if (stop.reason === "error") return undefined;
  const reason = matchCalls(stop.reason, kinds.calls);
  const wire = wireReasons[reason === "end" && kinds.refusal ? "filter" : reason];
  const ownDetails = stop.details?.["type"] === "refusal" ? stop.details : undefined;
  return {
    stop_reason: wire,
    stop_sequence: stop.sequence ?? null,
    stop_details:
      wire === wireReasons.filter
        ? (ownDetails ?? { type: "refusal", category: null, explanation: null })
        : null,
  };
}
