/** Declared tools, the choice among them and the shape of the output. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { readGrammar } from "../../../translation/freeform.ts";
import type { OutputShape, Tool, ToolChoice } from "../../../core/request.ts";
import { noteUnknownMembers, isSet, within, type Place } from "../../../translation/unsupported.ts";
import { readCache } from "./read-content.ts";

/** `tools`, the older `functions`, and `web_search_options`, which asks for a hosted tool. */
export function readTools(body: JsonObject, unsupported: Set<string>): Tool[] {
  const list = (name: "tools" | "functions", read: ToolReader): Tool[] =>
    asArray(body[name]).flatMap((entry) => {
      const place: Place = { path: `${name}[]`, unsupported };
      const tool = isObject(entry) ? read(entry, place) : undefined;
      if (!tool) unsupported.add(place.path);
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

type ToolReader = (entry: JsonObject, place: Place) => Tool | undefined;

function readTool(tool: JsonObject, place: Place): Tool | undefined {
  const type = asString(tool["type"]) ?? "function";
  if (type === "function") return readFunction(tool, place);
  if (type === "custom") return readCustom(tool, place);
  return { kind: "hosted", format: "chat", type, raw: tool, path: place.path, ...meaning(type) };
}

function meaning(type: string): { means?: "web_search" | "code_execution" } {
  if (/(^|:)web_search/.test(type)) return { means: "web_search" };
  return /^code_(interpreter|execution)/.test(type) ? { means: "code_execution" } : {};
}

const functionMembers = new Set(["name", "description", "parameters", "strict", "cache_control"]);
const flatFunctionMembers = new Set(["type", ...functionMembers]);
const nestingMembers = new Set(["type", "function", "cache_control"]);

function readFunction(tool: JsonObject, place: Place): Tool | undefined {
  const nested = asObject(tool["function"]);
  const made = nested ?? tool;
  const at = nested ? within(place, "function") : place;
  noteUnknownMembers(tool, nested ? nestingMembers : flatFunctionMembers, place);
  noteUnknownMembers(nested, functionMembers, at);
  const cache = readCache(tool, place) ?? readCache(made, at);
  const name = asString(made["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(made["description"]);
  const schema = asObject(made["parameters"]);
  const strict = made["strict"];
  return {
    kind: "function",
    name,
    path: place.path,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(typeof strict === "boolean" && { strict }),
    ...(cache && { cache }),
  };
}

const customMembers = new Set(["name", "description", "format"]);
const flatCustomMembers = new Set(["type", ...customMembers]);
const customNestingMembers = new Set(["type", "custom"]);

function readCustom(tool: JsonObject, place: Place): Tool | undefined {
  const nested = asObject(tool["custom"]);
  const custom = nested ?? tool;
  const at = nested ? within(place, "custom") : place;
  noteUnknownMembers(tool, nested ? customNestingMembers : flatCustomMembers, place);
  noteUnknownMembers(nested, customMembers, at);
  const name = asString(custom["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(custom["description"]);
  const grammar = readGrammar(asObject(custom["format"]), within(at, "format"));
  return {
    kind: "custom",
    name,
    path: place.path,
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

/** `tool_choice` or the older `function_call`; undefined when it says nothing that is understood. */
export function readChoice(value: JsonValue | undefined, place: Place): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (value === "any") return { type: "required" };
  const choice = asObject(value);
  if (!choice) return undefined;
  const type = asString(choice["type"]);
  if (type === "allowed_tools") return readAllowed(choice, place);
  if (type !== undefined && type !== "function" && type !== "custom")
    return { type: "hosted", raw: choice };
  const name = chosenName(choice, place);
  const custom = type === "custom";
  return name === undefined ? undefined : { type: "tool", name, ...(custom && { custom }) };
}

const nameMembers = new Set(["name"]);
const flatNameMembers = new Set(["type", "name"]);
const nestedNameMembers = {
  function: new Set(["type", "function"]),
  custom: new Set(["type", "custom"]),
};

/** Chat nests the name under the tool's type; some clients write it flat. */
function chosenName(entry: JsonObject, place: Place): string | undefined {
  for (const kind of ["function", "custom"] as const) {
    const nested = asObject(entry[kind]);
    if (!nested) continue;
    noteUnknownMembers(entry, nestedNameMembers[kind], place);
    noteUnknownMembers(nested, nameMembers, within(place, kind));
    return asString(nested["name"]);
  }
  noteUnknownMembers(entry, flatNameMembers, place);
  return asString(entry["name"]);
}

const allowedMembers = new Set(["mode", "tools"]);
const flatAllowedMembers = new Set(["type", ...allowedMembers]);
const allowedNestingMembers = new Set(["type", "allowed_tools"]);

function readAllowed(choice: JsonObject, place: Place): ToolChoice {
  const nested = asObject(choice["allowed_tools"]);
  const allowed = nested ?? choice;
  const at = nested ? within(place, "allowed_tools") : place;
  noteUnknownMembers(choice, nested ? allowedNestingMembers : flatAllowedMembers, place);
  noteUnknownMembers(nested, allowedMembers, at);
  const each: Place = { path: `${at.path}.tools[]`, unsupported: place.unsupported };
  const names = asArray(allowed["tools"]).flatMap((tool) => {
    const name = isObject(tool) ? chosenName(tool, each) : undefined;
    if (name === undefined) each.unsupported.add(each.path);
    return name ?? [];
  });
  return { type: "allowed", mode: allowed["mode"] === "required" ? "required" : "auto", names };
}

const plainMembers = new Set(["type"]);
const shapeMembers = new Set(["name", "description", "schema", "strict"]);
const flatShapeMembers = new Set(["type", ...shapeMembers]);
const shapeNestingMembers = new Set(["type", "json_schema"]);

/** `response_format`; undefined for plain text. */
export function readOutput(value: JsonValue | undefined, place: Place): OutputShape | undefined {
  const format = asObject(value);
  if (format?.["type"] !== "json_schema") {
    noteUnknownMembers(format, plainMembers, place);
    return format?.["type"] === "json_object" ? { type: "json" } : undefined;
  }
  const nested = asObject(format["json_schema"]);
  noteUnknownMembers(format, nested ? shapeNestingMembers : flatShapeMembers, place);
  noteUnknownMembers(nested, shapeMembers, within(place, "json_schema"));
  const shape = nested ?? format;
  const [name, description] = [asString(shape["name"]), asString(shape["description"])];
  const strict = shape["strict"];
  return {
    type: "schema",
    schema: asObject(shape["schema"]) ?? {},
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(typeof strict === "boolean" && { strict }),
  };
}
