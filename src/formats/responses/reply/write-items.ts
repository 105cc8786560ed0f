/** The output items and message parts of a response object. */
import type { OpenCall } from "../../../core/events.ts";
import type { OpaqueState } from "../../../core/request.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import type { StateOwner } from "../../../translation/opaque-state.ts";
import { encryptedContent, stateless } from "../shared/reasoning-state.ts";
import { clientToolItem } from "../shared/client-tools.ts";

/** How far an item is. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** A message with its parts. */
export function messageItem(
  id: string,
  content: JsonObject[],
  rest: { status: ItemStatus; phase?: string },
): JsonObject {
  const { status, phase } = rest;
  return {
    id,
    type: "message",
    status,
    role: "assistant",
    content,
    ...(phase !== undefined && { phase }),
  };
}

/** A part of a message with text. */
export function textPart(text: string, annotations: JsonObject[]): JsonObject {
  return { type: "output_text", text, annotations, logprobs: [] };
}

/** A part of a message with a refusal. */
export function refusalPart(refusal: string): JsonObject {
  return { type: "refusal", refusal };
}

/** A reasoning item; `kept`: state that the client brings back, and whose it is. */
export function reasoningItem(
  id: string,
  text: string,
  kept?: { state: OpaqueState; owner: StateOwner },
): JsonObject {
  return {
    id,
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    encrypted_content: (kept && encryptedContent(kept.state, kept.owner)) ?? stateless,
  };
}

/** A call's item. `clientTool`: the type of client-run tool that the function stands for. */
export function callItem(
  call: OpenCall,
  rest: { id: string; input: string; status: ItemStatus; clientTool?: string },
): JsonObject {
  const { id, input, status, clientTool } = rest;
  const named = {
    call_id: call.id,
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
  };
  if (clientTool !== undefined)
    return { id, call_id: call.id, status, ...clientToolItem(clientTool, input)?.item };
  return call.call === "custom"
    ? { id, type: "custom_tool_call", status, ...named, input }
    : { id, type: "function_call", status, ...named, arguments: input };
}

/** An image that the model made. */
export function imageItem(id: string, image: { mime: string; data: string }): JsonObject {
  const format = image.mime.startsWith("image/") ? image.mime.slice("image/".length) : "png";
  return {
    id,
    type: "image_generation_call",
    status: "completed",
    result: image.data,
    output_format: format,
  };
}

/** A search of the web that another provider or the gateway ran. */
export function searchItem(id: string, { query = "", sources, fault }: WebSearchRun): JsonObject {
  const found = sources.map(({ url }) => ({ type: "url", url }));
  return {
    id,
    type: "web_search_call",
    status: fault === undefined ? "completed" : "failed",
    action: { type: "search", query, ...(found.length > 0 && { sources: found }) },
  };
}

/** Types of the items of tools that the service hosts. */
const hostedTypes = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "computer_call",
  "local_shell_call",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "tool_search_call",
  "tool_search_output",
  "program",
  "program_output",
  "compaction",
]);

/** A block's own object if it is an output item of this format; those of other formats have no such id and type. */
export function hostedItem(raw: JsonObject): JsonObject | undefined {
  const type = asString(raw["type"]) ?? "";
  return hostedTypes.has(type) && typeof raw["id"] === "string" ? raw : undefined;
}
