/** The tools of a Responses request. */
import { readGrammar } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import type { Tool } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { clientToolFunction } from "../shared/client-tools.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import { element, member, type IndexedPosition } from "./position.ts";

/** What the tools of a list are read with. */
interface ToolScope {
  /** Types of client-run tools that are offered as functions. */
  readonly clientTools: ReadonlySet<string>;
  /** The outermost namespace that the list stands in. */
  readonly namespace?: string;
}

/** The tools of one list (`tools`, or those of an item), those of namespaces among them. */
export function readTools(
  list: JsonValue | undefined,
  position: IndexedPosition,
  scope: ToolScope,
): Tool[] {
  return asArray(list).flatMap((tool, index) => {
    const at = element(position, index);
    if (!isObject(tool)) throw invalid(at.indexedPath, "must be an object");
    return readTool(tool, at, scope);
  });
}

function readTool(tool: JsonObject, position: IndexedPosition, scope: ToolScope): Tool[] {
  const type = asString(tool["type"]) ?? (isSet(tool["name"]) ? "function" : undefined);
  if (type === undefined) throw invalid(`${position.indexedPath}.type`, "must be a string");
  switch (type) {
    case "function":
      return [inNamespace(readFunction(tool, position), scope)];
    case "custom":
      return [inNamespace(readCustom(tool, position), scope)];
    case "namespace":
      return readNamespace(tool, position, scope);
    default:
      return scope.clientTools.has(type)
        ? [inNamespace(readClientTool(tool, type, position), scope)]
        : [readHosted(tool, type, position)];
  }
}

function inNamespace(tool: Tool, { namespace }: ToolScope): Tool {
  return namespace === undefined || tool.kind === "hosted" ? tool : { ...tool, namespace };
}

const nestingMembers = new Set(["type", "function"]);
const functionMembers = new Set(["type", "name", "description", "parameters", "strict"]);
const customMembers = new Set(["type", "name", "description", "format"]);
const namespaceMembers = new Set(["type", "name", "tools"]);
const clientToolMembers = new Set(["type", "description", "parameters", "execution"]);

function nameOf(tool: JsonObject, position: IndexedPosition): string {
  const name = tool["name"];
  if (typeof name !== "string" || name === "")
    throw invalid(`${position.indexedPath}.name`, "must be a non-empty string");
  return name;
}

function readFunction(outer: JsonObject, position: IndexedPosition): Tool {
  // Chat's nested shape is common among clients that were moved over.
  const nested = asObject(outer["function"]);
  if (nested) noteUnknownMembers(outer, nestingMembers, position);
  const tool = nested ?? outer;
  const at = nested ? member(position, "function") : position;
  noteUnknownMembers(tool, functionMembers, at);
  const description = asString(tool["description"]);
  const schema = asObject(tool["parameters"]);
  const strict = tool["strict"];
  return {
    kind: "function",
    name: nameOf(tool, at),
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(typeof strict === "boolean" && { strict }),
    path: position.path,
  };
}

function readCustom(tool: JsonObject, position: IndexedPosition): Tool {
  noteUnknownMembers(tool, customMembers, position);
  const description = asString(tool["description"]);
  const grammar = readGrammar(asObject(tool["format"]), member(position, "format"));
  return {
    kind: "custom",
    name: nameOf(tool, position),
    ...(description !== undefined && { description }),
    ...(grammar && { grammar }),
    path: position.path,
  };
}

/** Longest name of a namespace: each of its tools carries it. */
const longestNamespace = 512;

function readNamespace(tool: JsonObject, position: IndexedPosition, scope: ToolScope): Tool[] {
  noteUnknownMembers(tool, namespaceMembers, position);
  const name = nameOf(tool, position);
  if (name.length > longestNamespace)
    throw invalid(
      `${position.indexedPath}.name`,
      `must have at most ${longestNamespace} characters`,
    );
  return readTools(tool["tools"], member(position, "tools"), {
    ...scope,
    namespace: scope.namespace ?? name,
  });
}

function readClientTool(tool: JsonObject, type: string, position: IndexedPosition): Tool {
  noteUnknownMembers(tool, clientToolMembers, position);
  return { kind: "function", name: type, ...clientToolFunction(type, tool), path: position.path };
}

function readHosted(tool: JsonObject, type: string, position: IndexedPosition): Tool {
  const means = meaningOf(type);
  return {
    kind: "hosted",
    format: "responses",
    type,
    ...(means && { means }),
    raw: tool,
    path: position.path,
  };
}

function meaningOf(type: string): "web_search" | "code_execution" | undefined {
  if (type.startsWith("web_search")) return "web_search";
  return type === "code_interpreter" ? "code_execution" : undefined;
}

/** Adds tools to those known so far; a later declaration of the same name replaces the earlier one in its position. */
export function mergeTools(known: readonly Tool[], added: readonly Tool[]): Tool[] {
  const merged = [...known];
  const places = new Map<string, number>();
  known.forEach((tool, index) => places.set(keyOf(tool), index));
  for (const tool of added) {
    const at = places.get(keyOf(tool));
    if (at === undefined) {
      places.set(keyOf(tool), merged.length);
      merged.push(tool);
    } else merged[at] = tool;
  }
  return merged;
}

function keyOf(tool: Tool): string {
  return tool.kind === "hosted"
    ? `hosted\n${JSON.stringify(tool.raw)}`
    : `${tool.namespace ?? ""}\n${tool.name}`;
}
