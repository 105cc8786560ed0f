/** Declared tools, the choice among them and the shape of the output. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import type { OutputShape, Tool, ToolChoice } from "../../core/turn.ts";

/** `tools`, the older `functions`, and `web_search_options`, which asks for a hosted tool. */
export function readTools(body: JsonObject, unsaid: Set<string>): Tool[] {
  const tools = asArray(body["tools"]).flatMap((tool) => {
    const read = isObject(tool) ? readTool(tool) : undefined;
    if (!read) unsaid.add("tools[]");
    return read ? [read] : [];
  });
  const older = asArray(body["functions"]).flatMap((made) => {
    const read = isObject(made) ? readFunction(made, "functions[]") : undefined;
    return read ? [read] : [];
  });
  const search = asObject(body["web_search_options"]);
  return [...tools, ...older, ...(search ? [webSearch(search)] : [])];
}

function readTool(tool: JsonObject): Tool | undefined {
  const type = asString(tool["type"]) ?? "function";
  if (type === "function") return readFunction(asObject(tool["function"]) ?? tool, "tools[]");
  if (type === "custom") return readCustom(asObject(tool["custom"]) ?? tool);
  return { kind: "hosted", format: "chat", type, raw: tool, path: "tools[]", ...meaning(type) };
}

function meaning(type: string): { means?: "web_search" | "code_execution" } {
  if (/(^|:)web_search/.test(type)) return { means: "web_search" };
  return /^code_(interpreter|execution)/.test(type) ? { means: "code_execution" } : {};
}

function readFunction(made: JsonObject, path: string): Tool | undefined {
  const name = asString(made["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(made["description"]);
  const schema = asObject(made["parameters"]);
  const strict = made["strict"];
  return {
    kind: "function",
    name,
    path,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(typeof strict === "boolean" && { strict }),
  };
}

function readCustom(custom: JsonObject): Tool | undefined {
  const name = asString(custom["name"]);
  if (name === undefined || name === "") return undefined;
  const description = asString(custom["description"]);
  const grammar = flatGrammar(asObject(custom["format"]));
  return {
    kind: "custom",
    name,
    path: "tools[]",
    ...(description !== undefined && { description }),
    ...(grammar && { grammar }),
  };
}

/** Chat nests what Responses has flat: `{type: grammar, grammar: {syntax, definition}}`. */
function flatGrammar(format: JsonObject | undefined): JsonObject | undefined {
  const inner = asObject(format?.["grammar"]);
  return inner ? { type: "grammar", ...inner } : format;
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
export function readChoice(value: JsonValue | undefined): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (value === "any") return { type: "required" };
  const choice = asObject(value);
  if (!choice) return undefined;
  const type = asString(choice["type"]);
  if (type === "allowed_tools") return readAllowed(asObject(choice["allowed_tools"]) ?? choice);
  if (type === "custom") return named(asObject(choice["custom"]) ?? choice, true);
  if (type === undefined || type === "function")
    return named(asObject(choice["function"]) ?? choice, false);
  return { type: "hosted", raw: choice };
}

function named(choice: JsonObject, custom: boolean): ToolChoice | undefined {
  const name = asString(choice["name"]);
  return name === undefined ? undefined : { type: "tool", name, ...(custom && { custom }) };
}

function readAllowed(allowed: JsonObject): ToolChoice {
  const names = asArray(allowed["tools"]).flatMap((tool) => {
    const entry = asObject(tool);
    const inner = asObject(entry?.["function"]) ?? asObject(entry?.["custom"]) ?? entry;
    const name = asString(inner?.["name"]);
    return name === undefined ? [] : [name];
  });
  return { type: "allowed", mode: allowed["mode"] === "required" ? "required" : "auto", names };
}

/** `response_format`; undefined for plain text. */
export function readOutput(value: JsonValue | undefined): OutputShape | undefined {
  const format = asObject(value);
  if (format?.["type"] === "json_object") return { type: "json" };
  if (format?.["type"] !== "json_schema") return undefined;
  const shape = asObject(format["json_schema"]) ?? format;
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
