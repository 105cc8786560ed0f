/** The tools that a chat request declares. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { readGrammar } from "../../../translation/freeform.ts";
import type { Tool } from "../../../core/request.ts";
import {
  noteUnknownMembers,
  isSet,
  within,
  type Position,
} from "../../../translation/unsupported.ts";
import { readCacheMark } from "./read-cache-mark.ts";

/** `tools`, the older `functions`, and `web_search_options`, which asks for a hosted tool. */
export function readTools(body: JsonObject, unsupported: Set<string>): Tool[] {
  const list = (name: "tools" | "functions", read: ToolReader): Tool[] =>
    asArray(body[name]).flatMap((entry) => {
      const position: Position = { path: `${name}[]`, unsupported };
      const tool = isObject(entry) ? read(entry, position) : undefined;
      if (!tool) unsupported.add(position.path);
      return tool ?? [];
    });
  const options = body["web_search_options"];
  const search = asObject(options);
  if (!search && isSet(options)) unsupported.add("web_search_options");
  return [
    ...list("tools", readTool),
    ...list("functions", readFunction),
    ...(search ? [webSearch(search)] : []),
  ];
}

type ToolReader = (entry: JsonObject, position: Position) => Tool | undefined;

function readTool(tool: JsonObject, position: Position): Tool | undefined {
  const type = asString(tool["type"]) ?? "function";
  if (type === "function") return readFunction(tool, position);
  if (type === "custom") return readCustom(tool, position);
  return { kind: "hosted", format: "chat", type, raw: tool, path: position.path, ...meaning(type) };
}

function meaning(type: string): { means?: "web_search" | "code_execution" } {
  if (/(^|:)web_search/.test(type)) return { means: "web_search" };
  return /^code_(interpreter|execution)/.test(type) ? { means: "code_execution" } : {};
}

const functionMembers = new Set(["name", "description", "parameters", "strict", "cache_control"]);
const flatFunctionMembers = new Set(["type", ...functionMembers]);
const nestingMembers = new Set(["type", "function", "cache_control"]);

function readFunction(tool: JsonObject, position: Position): Tool | undefined {
  const nested = asObject(tool["function"]);
  const made = nested ?? tool;
  const at = nested ? within(position, "function") : position;
  noteUnknownMembers(tool, nested ? nestingMembers : flatFunctionMembers, position);
  noteUnknownMembers(nested, functionMembers, at);
  const cache = readCacheMark(tool, position) ?? readCacheMark(made, at);
  const name = asString(made["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(made["description"]);
  const schema = asObject(made["parameters"]);
  const strict = made["strict"];
  return {
    kind: "function",
    name,
    path: position.path,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(typeof strict === "boolean" && { strict }),
    ...(cache && { cache }),
  };
}

const customMembers = new Set(["name", "description", "format"]);
const flatCustomMembers = new Set(["type", ...customMembers]);
const customNestingMembers = new Set(["type", "custom"]);

function readCustom(tool: JsonObject, position: Position): Tool | undefined {
  const nested = asObject(tool["custom"]);
  const custom = nested ?? tool;
  const at = nested ? within(position, "custom") : position;
  noteUnknownMembers(tool, nested ? customNestingMembers : flatCustomMembers, position);
  noteUnknownMembers(nested, customMembers, at);
  const name = asString(custom["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(custom["description"]);
  const grammar = readGrammar(asObject(custom["format"]), within(at, "format"));
  return {
    kind: "custom",
    name,
    path: position.path,
    ...(description !== undefined && { description }),
    ...(grammar && { grammar }),
  };
}

function webSearch(options: JsonObject): Tool {
  return {
    kind: "hosted",
    format: "chat",
    type: "web_search_options",
    means: "web_search",
    raw: options,
    path: "web_search_options",
  };
}
