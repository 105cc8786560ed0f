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
import { element, member, type Place } from "./read-place.ts";

/** What a list of tools is read with: the client-run types that are offered as functions. */
export interface ToolReader {
  specials: ReadonlySet<string>;
}

/** The tools of one list (`tools`, or those of an item), namespaces laid open. */
export function readTools(list: JsonValue | undefined, place: Place, reader: ToolReader): Tool[] {
  return asArray(list).flatMap((tool, index) => {
    const at = element(place, index);
    if (!isObject(tool)) throw invalid(at.where, "must be an object");
    return readTool(tool, at, reader);
  });
}

function readTool(tool: JsonObject, place: Place, reader: ToolReader): Tool[] {
  const type = asString(tool["type"]) ?? (isSet(tool["name"]) ? "function" : undefined);
  if (type === undefined) throw invalid(`${place.where}.type`, "must be a string");
  switch (type) {
    case "function":
      return [readFunction(tool, place)];
    case "custom":
      return [readCustom(tool, place)];
    case "namespace":
      return readNamespace(tool, place, reader);
    default:
      return [
        reader.specials.has(type) ? readSpecial(tool, type, place) : readHosted(tool, type, place),
      ];
  }
}

const nestingMembers = new Set(["type", "function"]);
const functionMembers = new Set(["type", "name", "description", "parameters", "strict"]);
const customMembers = new Set(["type", "name", "description", "format"]);
const namespaceMembers = new Set(["type", "name", "tools"]);
const specialMembers = new Set(["type", "description", "parameters", "execution"]);

function nameOf(tool: JsonObject, place: Place): string {
  const name = tool["name"];
  if (typeof name !== "string" || name === "")
    throw invalid(`${place.where}.name`, "must be a non-empty string");
  return name;
}

function readFunction(outer: JsonObject, place: Place): Tool {
  // Chat's nested shape is common among clients that were moved over.
  const nested = asObject(outer["function"]);
  if (nested) noteUnknownMembers(outer, nestingMembers, place);
  const tool = nested ?? outer;
  const at = nested ? member(place, "function") : place;
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
    path: place.path,
  };
}

function readCustom(tool: JsonObject, place: Place): Tool {
  noteUnknownMembers(tool, customMembers, place);
  const description = asString(tool["description"]);
  const grammar = readGrammar(asObject(tool["format"]), member(place, "format"));
  return {
    kind: "custom",
    name: nameOf(tool, place),
    ...(description !== undefined && { description }),
    ...(grammar && { grammar }),
    path: place.path,
  };
}

function readNamespace(tool: JsonObject, place: Place, reader: ToolReader): Tool[] {
  noteUnknownMembers(tool, namespaceMembers, place);
  const namespace = nameOf(tool, place);
  return readTools(tool["tools"], member(place, "tools"), reader).map((inner) =>
    inner.kind === "hosted" ? inner : { ...inner, namespace },
  );
}

function readSpecial(tool: JsonObject, type: string, place: Place): Tool {
  noteUnknownMembers(tool, specialMembers, place);
  return { kind: "function", name: type, ...specialFunction(type, tool), path: place.path };
}

function readHosted(tool: JsonObject, type: string, place: Place): Tool {
  const means = meaningOf(type);
  return {
    kind: "hosted",
    format: "responses",
    type,
    ...(means && { means }),
    raw: tool,
    path: place.path,
  };
}

function meaningOf(type: string): "web_search" | "code_execution" | undefined {
  if (type.startsWith("web_search")) return "web_search";
  return type === "code_interpreter" ? "code_execution" : undefined;
}

/** Adds tools to those known so far; a later declaration of the same name replaces the earlier one in its place. */
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
  place: Place,
  reader: ToolReader,
): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  if (!isObject(choice)) throw invalid(place.where, "must be auto, none, required or an object");
  const type = asString(choice["type"]) ?? "";
  switch (type) {
    case "auto":
    case "none":
    case "required":
      return { type };
    case "function":
    case "custom":
      return readNamed(choice, place, type === "custom");
    case "allowed_tools":
      return readAllowed(choice, place, reader);
    default:
      if (!reader.specials.has(type)) return { type: "hosted", raw: choice };
      noteUnknownMembers(choice, specialChoiceMembers, place);
      return { type: "tool", name: type };
  }
}

const specialChoiceMembers = new Set(["type"]);
const namedChoiceMembers = new Set(["type", "name", "namespace"]);
const nestedChoiceMembers = new Set(["type", "function"]);
const innerChoiceMembers = new Set(["name"]);
const allowedChoiceMembers = new Set(["type", "mode", "tools"]);

function readNamed(choice: JsonObject, place: Place, custom: boolean): ToolChoice {
  const nested = asObject(choice["function"]);
  noteUnknownMembers(choice, nested ? nestedChoiceMembers : namedChoiceMembers, place);
  noteUnknownMembers(nested, innerChoiceMembers, member(place, "function"));
  const name = asString(choice["name"]) ?? asString(nested?.["name"]);
  if (name === undefined) throw invalid(`${place.where}.name`, "must be a string");
  const namespace = asString(choice["namespace"]);
  return {
    type: "tool",
    name,
    ...(namespace !== undefined && { namespace }),
    ...(custom && { custom }),
  };
}

function readAllowed(choice: JsonObject, place: Place, reader: ToolReader): ToolChoice {
  noteUnknownMembers(choice, allowedChoiceMembers, place);
  const at = { ...place, path: `${place.path}.tools[]` };
  const names: string[] = [];
  for (const tool of asArray(choice["tools"])) {
    const entry = asObject(tool) ?? {};
    const type = asString(entry["type"]) ?? "function";
    const name = reader.specials.has(type) ? type : asString(entry["name"]);
    if (name !== undefined && (type === "function" || type === "custom" || name === type))
      names.push(name);
    else place.unsupported.add(at.path);
    noteUnknownMembers(entry, namedChoiceMembers, at);
  }
  return { type: "allowed", mode: choice["mode"] === "required" ? "required" : "auto", names };
}
