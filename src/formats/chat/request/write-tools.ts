/** Tools, for a chat provider. */
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { ModelRequest, Tool, ToolChoice } from "../../../core/request.ts";
import {
  noteCacheMark,
  noteUnsupported,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { writeToolChoice } from "./write-tool-choice.ts";

type NamedTool = Exclude<Tool, { kind: "hosted" }>;

/** `tools`, `tool_choice`, `parallel_tool_calls` and `web_search_options`. */
export function writeTools(context: WriteContext): JsonObject {
  const { request } = context;
  const search = writeHosted(context);
  const offered = offeredTools(context);
  const chosen = allowedOnly(offered, request.choice, context);
  if (chosen.length === 0) {
    // Without tools, only a demand for one is a loss.
    if (request.choice && request.choice.type !== "auto" && request.choice.type !== "none")
      noteUnsupported("choice", context);
    return search;
  }
  const choice = writeToolChoice(context);
  return {
    tools: chosen.map((tool) => writeTool(tool, context)),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(request.parallelTools !== undefined && { parallel_tool_calls: request.parallelTools }),
    ...search,
  };
}

function writeHosted(context: WriteContext): JsonObject {
  const body: JsonObject = {};
  for (const tool of context.request.tools) {
    if (tool.kind !== "hosted") continue;
    if (tool.means === "web_search" && context.target.traits.webSearch) {
      body["web_search_options"] =
        tool.type === "web_search_options" ? tool.raw : writeSearch(tool, context);
    } else context.dropped.add(tool.path);
  }
  return body;
}

function writeSearch(tool: Extract<Tool, { kind: "hosted" }>, context: WriteContext): JsonObject {
  const { location, size } = readWebSearch(tool, ["location", "size"], context.dropped);
  return {
    ...(location && { user_location: { type: "approximate", approximate: location } }),
    ...(size !== undefined && { search_context_size: size }),
  };
}

/** Deferred tools are offered once the conversation loaded them, or when their own search tool cannot be. */
function offeredTools(context: WriteContext): NamedTool[] {
  const { request } = context;
  const named = request.tools.filter((tool) => tool.kind !== "hosted");
  if (!named.some((tool) => tool.kind === "function" && tool.deferred === true)) return named;
  const loaded = loadedTools(request);
  const searchIsLost = request.tools.some(
    (tool) => tool.kind === "hosted" && tool.type.includes("tool_search"),
  );
  return named.filter((tool) => {
    if (tool.kind !== "function" || tool.deferred !== true || searchIsLost || loaded.has(tool.name))
      return true;
    context.dropped.add(tool.path);
    return false;
  });
}

/** Names of the deferred tools that the conversation loaded. */
function loadedTools(request: ModelRequest): Set<string> {
  const blocks = request.messages.flatMap((message) => message.blocks);
  const parts = blocks.flatMap((block) => (block.kind === "result" ? block.blocks : [block]));
  return new Set(parts.flatMap((part) => (part.kind === "reference" ? [part.tool] : [])));
}

/** Servers that don't know `allowed_tools` are offered the allowed ones alone. */
function allowedOnly(
  tools: NamedTool[],
  choice: ToolChoice | undefined,
  context: WriteContext,
): NamedTool[] {
  if (choice?.type !== "allowed" || context.target.traits.openAiFields) return tools;
  const allowed = new Set(choice.names);
  return tools.filter((tool) => allowed.has(tool.name));
}

function writeTool(tool: NamedTool, context: WriteContext): JsonObject {
  const name = context.names.toWire(tool.name, tool.namespace);
  const described = tool.description === undefined ? {} : { description: tool.description };
  if (tool.kind === "function") {
    noteCacheMark(tool, context);
    const parameters = tool.schema && withProperties(tool.schema);
    return {
      type: "function",
      function: {
        name,
        ...described,
        ...(parameters && { parameters }),
        ...(tool.strict === true && { strict: true }),
      },
    };
  }
  if (!context.target.traits.customTools) {
    return {
      type: "function",
      function: { name, ...described, parameters: freeformSchema(tool.grammar) },
    };
  }
  const format = tool.grammar && nestedGrammar(tool.grammar);
  return { type: "custom", custom: { name, ...described, ...(format && { format }) } };
}

/** OpenAI refuses an object schema without `properties`. */
function withProperties(schema: JsonObject): JsonObject {
  const isPlainObject = schema["type"] === "object" && !isObject(schema["properties"]);
  return isPlainObject ? { ...schema, properties: {} } : schema;
}

/** Responses has flat what chat nests: `{type: grammar, grammar: {syntax, definition}}`. */
function nestedGrammar(grammar: JsonObject): JsonObject {
  const { type, ...rest } = grammar;
  return type === "grammar" && !isObject(rest["grammar"]) ? { type, grammar: rest } : grammar;
}
