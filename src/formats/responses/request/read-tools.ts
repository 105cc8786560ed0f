/** `tools` and `tool_choice` -> neutral tools and choice. */
import { readGrammar } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import type { Tool, ToolChoice } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { specialFunction } from "../client-tools.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import { element, member, type Position } from "./read-position.ts";

/** What a list of tools is read with: the client-run types that are offered as functions. */
export interface ToolReader {
  specials: ReadonlySet<string>;
}

/** The tools of one list (`tools`, or those of an item), namespaces laid open. */
export function readTools(list: JsonValue | undefined, position: Position, reader: ToolReader): Tool[] {
  return asArray(list).flatMap((tool, index) => {
    const at = element(position, index);
    if (!isObject(tool)) throw invalid(at.indexedPath, "must be an object");
    return readTool(tool, at, reader);
  });
}

function readTool(tool: JsonObject, position: Position, reader: ToolReader): Tool[] {
  const type = asString(tool["type"]) ?? (isSet(tool["name"]) ? "function" : undefined);
  if (type === undefined) throw invalid(`${position.indexedPath}.type`, "must be a string");
  switch (type) {
    case "function":
      return [readFunction(tool, position)];
    case "custom":
      return [readCustom(tool, position)];
    case "namespace":
      return readNamespace(tool, position, reader);
    default:
      return [
        reader.specials.has(type) ? readSpecial(tool, type, position) : readHosted(tool, type, position),
      ];
  }
}

const nestingMembers = new Set(["type", "function"]);
const functionMembers = new Set(["type", "name", "description", "parameters", "strict"]);
const customMembers = new Set(["type", "name", "description", "format"]);
const namespaceMembers = new Set(["type", "name", "tools"]);
const specialMembers = new Set(["type", "description", "parameters", "execution"]);

function nameOf(tool: JsonObject, position: Position): string {
  const name = tool["name"];
  if (typeof name !== "string" || name === "")
    throw invalid(`${position.indexedPath}.name`, "must be a non-empty string");
  return name;
}

function readFunction(outer: JsonObject, position: Position): Tool {
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

function readCustom(tool: JsonObject, position: Position): Tool {
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

function readNamespace(tool: JsonObject, position: Position, reader: ToolReader): Tool[] {
  noteUnknownMembers(tool, namespaceMembers, position);
  const namespace = nameOf(tool, position);
  return readTools(tool["tools"], member(position, "tools"), reader).map((inner) =>
    inner.kind === "hosted" ? inner : { ...inner, namespace },
  );
}

function readSpecial(tool: JsonObject, type: string, position: Position): Tool {
  noteUnknownMembers(tool, specialMembers, position);
  return { kind: "function", name: type, ...specialFunction(type, tool), path: position.path };
}

function readHosted(tool: JsonObject, type: string, position: Position): Tool {
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

/** The neutral choice; undefined when the client made none. */
export function readChoice(
  choice: JsonValue | undefined,
  position: Position,
  reader: ToolReader,
): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  if (!isObject(choice)) throw invalid(position.indexedPath, "must be auto, none, required or an object");
  const type = asString(choice["type"]) ?? "";
  switch (type) {
    case "auto":
    case "none":
    case "required":
      return { type };
    case "function":
    case "custom":
      return readNamed(choice, position, type === "custom");
    case "allowed_tools":
      return readAllowed(choice, position, reader);
    default:
      if (!reader.specials.has(type)) return { type: "hosted", raw: choice };
      noteUnknownMembers(choice, specialChoiceMembers, position);
      return { type: "tool", name: type };
  }
}

const specialChoiceMembers = new Set(["type"]);
const namedChoiceMembers = new Set(["type", "name", "namespace"]);
const nestedChoiceMembers = new Set(["type", "function"]);
const innerChoiceMembers = new Set(["name"]);
const allowedChoiceMembers = new Set(["type", "mode", "tools"]);

function readNamed(choice: JsonObject, position: Position, custom: boolean): ToolChoice {
  const nested = asObject(choice["function"]);
  noteUnknownMembers(choice, nested ? nestedChoiceMembers : namedChoiceMembers, position);
  noteUnknownMembers(nested, innerChoiceMembers, member(position, "function"));
  const name = asString(choice["name"]) ?? asString(nested?.["name"]);
  if (name === undefined) throw invalid(`${position.indexedPath}.name`, "must be a string");
  const namespace = asString(choice["namespace"]);
  return {
    type: "tool",
    name,
    ...(namespace !== undefined && { namespace }),
    ...(custom && { custom }),
  };
}

function readAllowed(choice: JsonObject, position: Position, reader: ToolReader): ToolChoice {
  noteUnknownMembers(choice, allowedChoiceMembers, position);
  const at = { ...position, path: `${position.path}.tools[]` };
  const names: string[] = [];
  for (const tool of asArray(choice["tools"])) {
    const entry = asObject(tool) ?? {};
    const type = asString(entry["type"]) ?? "function";
    const name = reader.specials.has(type) ? type : asString(entry["name"]);
    if (name !== undefined && (type === "function" || type === "custom" || name === type))
      names.push(name);
    else position.unsupported.add(at.path);
    noteUnknownMembers(entry, namedChoiceMembers, at);
  }
  return { type: "allowed", mode: choice["mode"] === "required" ? "required" : "auto", names };
}
