/** Writes the response object: the members that its type requires, from the answer, the request or the defaults. */
import type { ReplyEcho } from "../../../core/format.ts";
import type { Usage } from "../../../core/usage.ts";
import { asObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import type { ResponseError } from "./errors.ts";
import type { WrittenStop } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";

/** Identity of one answer: the same in every event. */
export interface ResponseIdentity {
  id: string;
  /** Unix seconds. */
  createdAt: number;
}

/** How far an answer is, and how it ended. */
export interface Outcome extends Omit<WrittenStop, "status"> {
  status: WrittenStop["status"] | "in_progress";
  error?: ResponseError;
  usage?: Usage;
}

/** The identity of an answer: the provider's id is kept if it is one of this format. */
export function responseIdentity(
  start: { id?: string; created?: number },
  echo: ReplyEcho,
): ResponseIdentity {
  const ownId = start.id?.startsWith("resp_") === true ? start.id : undefined;
  return { id: ownId ?? echo.newId("resp_"), createdAt: start.created ?? echo.now };
}

/** The members that change while the answer is written. */
export function progressMembers(
  { id, createdAt }: ResponseIdentity,
  outcome: Outcome,
  echo: ReplyEcho,
): JsonObject {
  const { status, incomplete, error, usage } = outcome;
  return {
    id,
    object: "response",
    created_at: createdAt,
    completed_at: status === "completed" ? Math.max(echo.now, createdAt) : null,
    status,
    error: error ? { ...error } : null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    model: echo.model,
    usage: usage ? writeUsage(usage) : null,
  };
}

/** Members of the request that an answer repeats, with their defaults. */
const echoDefaults = {
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

/** The members of the request that the answer repeats. */
export function echoMembers(request: JsonObject): JsonObject {
  const members: JsonObject = {};
  for (const [name, value] of Object.entries(echoDefaults)) members[name] = request[name] ?? value;
  members["reasoning"] = { effort: null, summary: null, ...asObject(request["reasoning"]) };
  members["text"] = { format: { type: "text" }, ...asObject(request["text"]) };
  return members;
}
