/** Why an answer stopped: `status` with `incomplete_details`, and the neutral reason. */
import type { Stop, StopReason } from "../../../core/events.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";

/** How far a finished answer is. `deferred`: the client asks for the rest elsewhere. */
export type FinalStatus = "completed" | "incomplete" | "failed" | "deferred";

/**
 * The status of a finished answer. The response's own status counts more than the event's type; a whole answer that is
 * still in progress has failed. `eventType`: missing for a whole answer.
 */
export function readStatus(response: JsonObject, eventType: string | undefined): FinalStatus {
  switch (response["status"]) {
    case "failed":
    case "cancelled":
      return "failed";
    case "incomplete":
      return "incomplete";
    case "queued":
    case "in_progress":
      if (eventType === undefined) return response["background"] === true ? "deferred" : "failed";
      break;
    default:
  }
  if (eventType === "response.failed" || eventType === "response.cancelled") return "failed";
  return eventType === "response.incomplete" ? "incomplete" : "completed";
}

/** The neutral reason of an answer that did not fail. */
export function readStopReason(
  response: JsonObject,
  status: Exclude<FinalStatus, "failed">,
  hasActions: boolean,
): Stop {
  if (status === "deferred")
    return { reason: "pause", raw: asString(response["status"]) ?? status };
  if (status === "completed") return { reason: hasActions ? "tools" : "end", raw: status };
  const raw = asString(asObject(response["incomplete_details"])?.["reason"]) ?? "incomplete";
  return { reason: raw === "content_filter" ? "filter" : "length", raw };
}

/** `status` and the reason in `incomplete_details`. */
export interface WrittenStop {
  status: FinalStatus;
  incomplete?: "max_output_tokens" | "content_filter";
}

/** How an answer that stopped for this reason ends. */
export function writeStopReason(reason: StopReason): WrittenStop {
  switch (reason) {
    case "length":
    case "context_full":
      return { status: "incomplete", incomplete: "max_output_tokens" };
    case "filter":
      return { status: "incomplete", incomplete: "content_filter" };
    case "error":
      return { status: "failed" };
    case "end":
    case "stop_sequence":
    case "tools":
    case "pause":
      return { status: "completed" };
    default:
      return reason satisfies never;
  }
}
