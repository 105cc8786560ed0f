/** The response object: what the type requires, filled from the request or with the service's defaults. */
import type { ReplyEcho } from "../../../core/format.ts";
import type { StopReason } from "../../../core/events.ts";
import type { Usage } from "../../../core/usage.ts";
import { asObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { writeUsage } from "./usage.ts";

/** Identity of one answer: the same in every event. */
export interface Identity {
  id: string;
  createdAt: number;
}

export interface Outcome {
  status: "in_progress" | "completed" | "incomplete" | "failed";
  incomplete?: "max_output_tokens" | "content_filter";
  error?: { code: string; message: string };
  usage?: Usage;
}

/** An id of this dialect: the provider's own if it is one, else a new one. */
export function identity(start: { id?: string; created?: number }, echo: ReplyEcho): Identity {
  const own = start.id?.startsWith("resp_") === true ? start.id : undefined;
  return {
    id: own ?? echo.newId("resp_"),
    createdAt: start.created ?? echo.now,
  };
}

/** How an answer that stopped for this reason ends. */
export function outcomeOf(reason: StopReason, usage: Usage): Outcome {
  switch (reason) {
    case "length":
    case "context_full":
      return { status: "incomplete", incomplete: "max_output_tokens", usage };
    case "filter":
      return { status: "incomplete", incomplete: "content_filter", usage };
    case "error":
      return {
        status: "failed",
        error: { code: "server_error", message: "the model could not complete its answer" },
        usage,
      };
    case "end":
    case "stop_sequence":
    case "tools":
    case "pause":
      return { status: "completed", usage };
    default:
      return reason satisfies never;
  }
}

/** The members that tell how far the answer is; `output` and the echo come on top. */
export function progressMembers(id: Identity, outcome: Outcome, echo: ReplyEcho): JsonObject {
  const { status, incomplete, error, usage } = outcome;
  return {
    id: id.id,
    object: "response",
    created_at: id.createdAt,
    completed_at: status === "completed" ? Math.max(echo.now, id.createdAt) : null,
    status,
    error: error ? { ...error } : null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    model: echo.model,
    usage: usage ? writeUsage(usage) : null,
  };
}

/** Members of the request that an answer repeats, and what stands where the client said nothing. */
const defaults = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: "default",
  store: false,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
} satisfies Record<string, JsonValue>;

/** What the answer repeats of the request. */
export function echoMembers(request: JsonObject): JsonObject {
  const members: JsonObject = {};
  for (const [name, value] of Object.entries(defaults)) members[name] = request[name] ?? value;
  members["reasoning"] = { effort: null, summary: null, ...asObject(request["reasoning"]) };
  members["text"] = { format: { type: "text" }, ...asObject(request["text"]) };
  return members;
}
