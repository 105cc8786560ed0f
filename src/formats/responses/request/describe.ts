/** What the gateway reads off a Responses request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import type { ToolUses } from "../../../core/usage.ts";
import { asArray, asCount, asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon } from "../../../translation/describe.ts";

/** Uses of a tool that are expected where the client sets no bound. */
const usualToolUses = 3;

/** Of output tokens. */
const limitNames = ["max_output_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const toolUses = toolUsesOf(body);
  const conversation = conversationOf(body);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: true,
    stored: body["store"] !== false,
    ...(addsInput(body) && { addsInput: true }),
    ...(toolUses && { toolUses }),
    ...(conversation !== undefined && { conversation }),
    ...marksOf(body),
  };
}

/** Members of `client_metadata` that stand for headers: over a WebSocket each request has only these. */
const markNames = [
  "session_id",
  "thread_id",
  "turn_id",
  "x-codex-turn-metadata",
  "x-codex-parent-thread-id",
  "x-openai-subagent",
  "x-openai-memgen-request",
];

function marksOf(body: JsonObject): Pick<RequestDescription, "marks"> {
  const metadata = asObject(body["client_metadata"]);
  if (metadata === undefined) return {};
  const marks: Record<string, string> = {};
  for (const name of markNames) {
    const text = asString(metadata[name]);
    if (text !== undefined) marks[name] = text;
  }
  return { marks };
}

/** Fields that stand for input which only the provider has. */
const keptInputs = ["previous_response_id", "conversation", "prompt"];

function addsInput(body: JsonObject): boolean {
  return (
    keptInputs.some((name) => body[name] !== undefined && body[name] !== null) ||
    asArray(body["input"]).some((item) => asObject(item)?.["type"] === "item_reference")
  );
}

function conversationOf(body: JsonObject): string | undefined {
  return (
    asString(body["conversation"]) ??
    asString(asObject(body["conversation"])?.["id"]) ??
    asString(body["prompt_cache_key"]) ??
    asString(asObject(body["metadata"])?.["session_id"])
  );
}

function toolUsesOf(body: JsonObject): ToolUses | undefined {
  const types = asArray(body["tools"]).map((tool) => asString(asObject(tool)?.["type"]) ?? "");
  const uses = asCount(body["max_tool_calls"]) ?? usualToolUses;
  const webSearch = types.some((type) => type.startsWith("web_search"));
  const fileSearch = types.includes("file_search");
  if (!webSearch && !fileSearch) return undefined;
  return { ...(webSearch && { webSearch: uses }), ...(fileSearch && { fileSearch: uses }) };
}
