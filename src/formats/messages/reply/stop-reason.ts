/** Why an answer stopped. */
import { isObject, type JsonObject } from "../../../lib/json.ts";
import type { StopReason } from "../../../core/events.ts";
import type { Reply } from "../../../core/reply.ts";

const reasons: Record<string, StopReason> = {
  end_turn: "end",
  stop_sequence: "stop_sequence",
  tool_use: "tools",
  max_tokens: "length",
  model_context_window_exceeded: "context_full",
  refusal: "filter",
  pause_turn: "pause",
  compaction: "pause",
};

const words: Record<Exclude<StopReason, "error">, string> = {
  end: "end_turn",
  stop_sequence: "stop_sequence",
  tools: "tool_use",
  length: "max_tokens",
  context_full: "model_context_window_exceeded",
  filter: "refusal",
  pause: "pause_turn",
};

/** `calls`: whether the answer holds calls for the client. Unknown and missing reasons are an ordinary end. */
export function readStop(delta: JsonObject, calls: boolean): Reply["stop"] {
  const raw = typeof delta["stop_reason"] === "string" ? delta["stop_reason"] : undefined;
  const known = raw !== undefined && Object.hasOwn(reasons, raw) ? reasons[raw] : undefined;
  const sequence = delta["stop_sequence"];
  const details = delta["stop_details"];
  return {
    reason: settled(known ?? "end", calls),
    ...(raw !== undefined && { raw }),
    ...(typeof sequence === "string" && { sequence }),
    ...(isObject(details) && { details }),
  };
}

/** Calls make a plain end a stop for tools; tools that the provider ran itself do not. */
function settled(reason: StopReason, calls: boolean): StopReason {
  if (reason === "end" && calls) return "tools";
  return reason === "tools" && !calls ? "end" : reason;
}

export interface Spoken {
  calls: boolean;
  refusal: boolean;
}

/** The three members that tell a client why an answer stopped; undefined for a broken answer. */
export function writeStop(stop: Reply["stop"], spoken: Spoken): JsonObject | undefined {
  if (stop.reason === "error") return undefined;
  const reason = settled(stop.reason, spoken.calls);
  const word =
    reason === "end" && spoken.refusal ? words.filter : words[reason === "error" ? "end" : reason];
  const own = stop.details?.["type"] === "refusal" ? stop.details : undefined;
  return {
    stop_reason: word,
    stop_sequence: stop.sequence ?? null,
    stop_details:
      word === words.filter
        ? (own ?? { type: "refusal", category: null, explanation: null })
        : null,
  };
}
