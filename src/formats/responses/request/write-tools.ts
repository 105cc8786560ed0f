/** Tools, for a Responses provider. */
import { freeformSchema } from "../../../translation/freeform.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { ModelRequest, Tool } from "../../../core/request.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { writeToolChoice } from "./write-tool-choice.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

type FunctionTool = Extract<Tool, { kind: "function" }>;
type CustomTool = Extract<Tool, { kind: "custom" }>;
type HostedTool = Extract<Tool, { kind: "hosted" }>;

export function writeTools(context: WriteContext): JsonObject {
  const { request } = context;
  const tools = toolList(offeredTools(context), context);
  const choice = writeToolChoice(tools, context);
  if (tools.length === 0) {
    if (request.choice && request.choice.type !== "auto" && request.choice.type !== "none")
      noteUnsupported("choice", context);
    if (request.parallelTools !== undefined && request.tools.length > 0)
      noteUnsupported("parallelTools", context);
    return {};
  }
  return {
    tools,
    ...(choice !== undefined && { tool_choice: choice }),
    ...(request.parallelTools !== undefined && { parallel_tool_calls: request.parallelTools }),
  };
}

/** A deferred tool is offered once the conversation loaded or called it, or when its own search is lost. */
function offeredTools({ request, dropped }: WriteContext): Tool[] {
  const searchIsLost = request.tools.some(
    (tool) => tool.kind === "hosted" && tool.type.includes("tool_search"),
  );
  return request.tools.filter((tool) => {
    if (tool.kind !== "function" || tool.deferred !== true) return true;
    dropped.add(`${tool.path}.defer_loading`);
    return searchIsLost || loadedTools(request).has(tool.name);
  });
}

const loaded = new WeakMap<ModelRequest, Set<string>>();

function loadedTools(request: ModelRequest): Set<string> {
  const known = loaded.get(request);
  if (known) return known;
  const names = new Set<string>();
  for (const message of request.messages)
    for (const block of message.blocks) {
      if (block.kind === "call") names.add(block.name);
      if (block.kind === "reference") names.add(block.tool);
      if (block.kind !== "result") continue;
      for (const part of block.blocks) if (part.kind === "reference") names.add(part.tool);
    }
  if (request.choice?.type === "tool") names.add(request.choice.name);
  loaded.set(request, names);
  return names;
}

function toolList(tools: readonly Tool[], context: WriteContext): JsonObject[] {
  const list: JsonObject[] = [];
  const namespaces = new Map<string, JsonObject[]>();
  for (const tool of tools) {
    const written = writeTool(tool, context);
    if (!written) continue;
    const namespace = tool.kind === "hosted" ? undefined : tool.namespace;
    if (namespace === undefined || !context.target.traits.namespaces) {
      list.push(written);
      continue;
    }
    const members = namespaces.get(namespace);
    if (members) members.push(written);
    else {
      const first = [written];
      namespaces.set(namespace, first);
      list.push({ type: "namespace", name: namespace, description: namespace, tools: first });
    }
  }
  return list;
}

function writeTool(tool: Tool, context: WriteContext): JsonObject | undefined {
  switch (tool.kind) {
    case "function":
      return writeFunction(tool, context);
    case "custom":
      return writeCustom(tool, context);
    case "hosted":
      return writeHosted(tool, context);
    default:
      return tool satisfies never;
  }
}

/** The service is strict unless told otherwise, and strictness refuses optional properties. */
function writeFunction(tool: FunctionTool, context: WriteContext): JsonObject {
  if (tool.cache) context.dropped.add(tool.cache.path);
  return {
    type: "function",
    name: context.names.toWire(tool.name, tool.namespace),
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: objectSchema(tool.schema ?? {}),
    strict: tool.strict ?? false,
  };
}

/** An object schema needs `type` and `properties`. */
function objectSchema(schema: JsonObject): JsonObject {
  if (schema["type"] === "object" && schema["properties"] !== undefined) return schema;
  return { ...schema, type: "object", properties: schema["properties"] ?? {} };
}

function writeCustom(tool: CustomTool, context: WriteContext): JsonObject {
  const named = {
    name: context.names.toWire(tool.name, tool.namespace),
    ...(tool.description !== undefined && { description: tool.description }),
  };
  if (context.target.traits.customTools)
    return { type: "custom", ...named, ...(tool.grammar && { format: tool.grammar }) };
  return { type: "function", ...named, parameters: freeformSchema(tool.grammar), strict: false };
}

function writeHosted(tool: HostedTool, context: WriteContext): JsonObject | undefined {
  if (tool.format === "responses") return tool.raw;
  if (tool.means === "web_search" && context.target.traits.webSearch)
    return webSearch(tool, context);
  if (tool.means === "code_execution" && tool.format === "gemini") {
    noteUnknownMembers(tool.raw, new Set(), { path: tool.path, unsupported: context.dropped });
    return { type: "code_interpreter", container: { type: "auto" } };
  }
  context.dropped.add(tool.path);
  return undefined;
}

function webSearch(tool: HostedTool, context: WriteContext): JsonObject {
  const { allowed, location, size } = readWebSearch(
    tool,
    ["allowed", "location", "size"],
    context.dropped,
  );
  return {
    type: "web_search",
    ...(allowed && { filters: { allowed_domains: allowed } }),
    ...(location && { user_location: { type: "approximate", ...location } }),
    ...(size !== undefined && { search_context_size: size }),
  };
}
