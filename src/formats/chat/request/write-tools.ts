/** Declared tools, the choice among them and the shape of the output, for a chat provider. */
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { OutputShape, Tool, ToolChoice, ModelRequest } from "../../../core/request.ts";
import { noteCache } from "./write-content.ts";
import type { Writing } from "./write-context.ts";

type NamedTool = Exclude<Tool, { kind: "hosted" }>;

/** `tools`, `tool_choice`, `parallel_tool_calls` and `web_search_options`. */
export function writeTools(request: ModelRequest, writing: Writing): JsonObject {
  const search = writeHosted(request, writing);
  const offered = offeredTools(request, writing);
  const chosen = allowedOnly(offered, request.choice, writing);
  if (chosen.length === 0) {
    // Without tools, only a demand for one is a loss.
    if (request.choice && request.choice.type !== "auto" && request.choice.type !== "none")
      noteUnsupported(request, "choice", writing);
    return search;
  }
  const choice = writeChoice(request, writing);
  return {
    tools: chosen.map((tool) => writeTool(tool, writing)),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(request.parallelTools !== undefined && { parallel_tool_calls: request.parallelTools }),
    ...search,
  };
}

/** Reports a neutral field that the client set and that is left out. */
export function noteUnsupported(
  request: ModelRequest,
  field: keyof ModelRequest["paths"],
  writing: Writing,
): void {
  const path = request.paths[field];
  if (path !== undefined) writing.dropped.add(path);
}

function writeHosted(request: ModelRequest, writing: Writing): JsonObject {
  const body: JsonObject = {};
  for (const tool of request.tools) {
    if (tool.kind !== "hosted") continue;
    if (tool.means === "web_search" && writing.traits.webSearch) {
      body["web_search_options"] =
        tool.type === "web_search_options" ? tool.raw : writeSearch(tool, writing);
    } else writing.dropped.add(tool.path);
  }
  return body;
}

function writeSearch(tool: Extract<Tool, { kind: "hosted" }>, writing: Writing): JsonObject {
  const { place, size } = readWebSearch(tool, ["place", "size"], writing.dropped);
  return {
    ...(place && { user_location: { type: "approximate", approximate: place } }),
    ...(size !== undefined && { search_context_size: size }),
  };
}

/** Deferred tools are offered once the conversation loaded them, or when their own search tool cannot be. */
function offeredTools(request: ModelRequest, writing: Writing): NamedTool[] {
  const named = request.tools.filter((tool) => tool.kind !== "hosted");
  if (!named.some((tool) => tool.kind === "function" && tool.deferred === true)) return named;
  const loaded = new Set<string>();
  for (const message of request.messages) {
    for (const block of message.blocks) {
      const inner = block.kind === "result" ? block.blocks : [block];
      for (const part of inner) if (part.kind === "reference") loaded.add(part.tool);
    }
  }
  const searchIsLost = request.tools.some(
    (tool) => tool.kind === "hosted" && tool.type.includes("tool_search"),
  );
  return named.filter((tool) => {
    if (tool.kind !== "function" || tool.deferred !== true || searchIsLost || loaded.has(tool.name))
      return true;
    writing.dropped.add(tool.path);
    return false;
  });
}

/** Servers that don't know `allowed_tools` are offered the allowed ones alone. */
function allowedOnly(
  tools: NamedTool[],
  choice: ToolChoice | undefined,
  writing: Writing,
): NamedTool[] {
  if (choice?.type !== "allowed" || writing.traits.openAiFields) return tools;
  return tools.filter((tool) => choice.names.includes(tool.name));
}

function writeTool(tool: NamedTool, writing: Writing): JsonObject {
  const name = writing.names.toWire(tool.name, tool.namespace);
  const described = tool.description === undefined ? {} : { description: tool.description };
  if (tool.kind === "function") {
    noteCache(tool, writing);
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
  if (!writing.traits.customTools) {
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

function writeChoice(request: ModelRequest, writing: Writing): JsonObject | string | undefined {
  const { choice } = request;
  switch (choice?.type) {
    case undefined:
      return undefined;
    case "auto":
    case "none":
    case "required":
      return choice.type;
    case "tool":
      return writeName(choice, writing);
    case "allowed":
      if (!writing.traits.openAiFields) return choice.mode;
      return {
        type: "allowed_tools",
        allowed_tools: {
          mode: choice.mode,
          tools: choice.names.map((name) => allowedName(name, request, writing)),
        },
      };
    case "hosted":
      throw invalid(
        request.paths.choice ?? "tool_choice",
        "names a tool that this model does not have",
      );
    default:
      return choice satisfies never;
  }
}

function allowedName(name: string, request: ModelRequest, writing: Writing): JsonObject {
  const tool = request.tools.find((entry) => entry.kind !== "hosted" && entry.name === name);
  const custom = tool?.kind === "custom";
  const namespace = tool?.kind === "hosted" ? undefined : tool?.namespace;
  return writeName({ name, custom, ...(namespace !== undefined && { namespace }) }, writing);
}

function writeName(
  choice: { name: string; namespace?: string; custom?: boolean },
  writing: Writing,
): JsonObject {
  const name = writing.names.toWire(choice.name, choice.namespace);
  return choice.custom === true && writing.traits.customTools
    ? { type: "custom", custom: { name } }
    : { type: "function", function: { name } };
}

/** `response_format`. A server without schemas is asked for JSON, and the loss is reported. */
export function writeOutput(request: ModelRequest, writing: Writing): JsonObject {
  const { output } = request;
  if (!output) return {};
  if (output.type === "json") return { response_format: { type: "json_object" } };
  if (writing.traits.schemaOutput)
    return { response_format: { type: "json_schema", json_schema: shapeOf(output) } };
  noteUnsupported(request, "output", writing);
  return { response_format: { type: "json_object" } };
}

function shapeOf(output: Extract<OutputShape, { type: "schema" }>): JsonObject {
  const name = (output.name ?? "output").replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 64);
  return {
    name: name === "" ? "output" : name,
    ...(output.description !== undefined && { description: output.description }),
    schema: output.schema,
    ...(output.strict !== undefined && { strict: output.strict }),
  };
}
