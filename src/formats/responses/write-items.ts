/** Output items as they stand on the wire. */
import type { OpenBlock } from "../../core/reply.ts";
import type { OpaqueState } from "../../core/request.ts";
import { asString, type JsonObject } from "../../lib/json.ts";
import type { StateOwner } from "../../translation/opaque-state.ts";
import { encryptedContent, stateless } from "./reasoning-state.ts";
import { clientToolItem } from "./client-tools.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";
export type CallHead = Extract<OpenBlock, { kind: "call" }>;

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

export function textPart(text: string, annotations: JsonObject[]): JsonObject {
  return { type: "output_text", text, annotations, logprobs: [] };
}

export function refusalPart(refusal: string): JsonObject {
  return { type: "refusal", refusal };
}

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

/** `special`: the type of client-run tool that the function stands for. */
export function callItem(
  head: CallHead,
  rest: { id: string; input: string; status: ItemStatus; special?: string },
): JsonObject {
  const { id, input, status, special } = rest;
  const named = {
    call_id: head.id,
    name: head.name,
    ...(head.namespace !== undefined && { namespace: head.namespace }),
  };
  if (special !== undefined)
    return { id, call_id: head.id, status, ...clientToolItem(special, input)?.item };
  return head.call === "custom"
    ? { id, type: "custom_tool_call", status, ...named, input }
    : { id, type: "function_call", status, ...named, arguments: input };
}

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

const hosted = new Set([
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

/** The block's own object when it is an output item of this dialect; other dialects' items carry no such id and type. */
export function hostedItem(raw: JsonObject): JsonObject | undefined {
  const type = asString(raw["type"]) ?? "";
  return hosted.has(type) && typeof raw["id"] === "string" ? raw : undefined;
}
