/** Tools and tool choice of a Messages request. */
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Tool, ToolChoice } from "../../../core/request.ts";
import { clientTool } from "./client-tools.ts";
import { needString, readCache } from "./members.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";

const toolKeys = new Set([
  "type",
  "name",
  "description",
  "input_schema",
  "strict",
  "cache_control",
]);
const clientToolKeys = new Set([
  "type",
  "name",
  "strict",
  "cache_control",
  "display_width_px",
  "display_height_px",
]);
const choiceKeys = new Set(["type", "name", "disable_parallel_tool_use"]);

/**
 * The tools that the model may call. Deferred ones are offered like any other: a provider that knows no deferring
 * could not load them, and conversations load them in ways that only the client understands. What merely holds
 * the place of tools to come is left out.
 */
export function readTools(value: JsonValue | undefined, notes: Notes): Tool[] {
  const declared = asArray(value).map((raw) => declaredTool(raw, "tools[]"));
  for (const change of notes.changes) applyChange(declared, change);
  return declared
    .filter((tool) => !isPlaceholder(tool) || notes.loaded.has(tool.name))
    .map((tool) => readTool(tool, notes));
}

function isPlaceholder({ raw, name }: Declared): boolean {
  return raw["defer_loading"] === true && /placeholder$/i.test(name);
}

interface Declared {
  raw: JsonObject;
  type: string;
  name: string;
  path: string;
}

function declaredTool(raw: JsonValue, path: string): Declared {
  if (!isObject(raw)) throw invalid(path, "must be an object");
  const type = asString(raw["type"]) ?? "custom";
  return { raw, type, name: asString(raw["name"]) ?? type, path };
}

function applyChange(declared: Declared[], change: Notes["changes"][number]): void {
  const name = "remove" in change ? change.remove : asString(change.add["name"]);
  const at = declared.findIndex((tool) => tool.name === name);
  if (at >= 0) declared.splice(at, 1);
  if ("add" in change) declared.push(declaredTool(change.add, change.path));
}

function readTool(declared: Declared, notes: Notes): Tool {
  const { raw, type, path } = declared;
  if (type === "custom") return readFunction(raw, path, notes);
  const known = clientTool(type, raw);
  if (!known) return readHosted(declared);
  noteUnknownMembers(notes, raw, { path, known: clientToolKeys });
  return {
    kind: "function",
    name: asString(raw["name"]) ?? known.name,
    description: known.description,
    schema: known.schema,
    ...readCache(raw, path, notes),
    path,
  };
}

function readFunction(raw: JsonObject, path: string, notes: Notes): Tool {
  noteUnknownMembers(notes, raw, { path, known: toolKeys });
  const description = asString(raw["description"]);
  const schema = raw["input_schema"];
  return {
    kind: "function",
    name: needString(raw, "name", path),
    ...(description !== undefined && { description }),
    ...(isObject(schema) && { schema }),
    ...(typeof raw["strict"] === "boolean" && { strict: raw["strict"] }),
    ...readCache(raw, path, notes),
    path,
  };
}

function readHosted({ raw, type, path }: Declared): Tool {
  return {
    kind: "hosted",
    format: "messages",
    type,
    ...(type.startsWith("web_search_") && { means: "web_search" as const }),
    ...(type.startsWith("code_execution_") && { means: "code_execution" as const }),
    raw,
    path,
  };
}

export interface ReadChoice {
  choice?: ToolChoice;
  parallelTools?: boolean;
}

export function readChoice(
  value: JsonValue | undefined,
  tools: readonly Tool[],
  notes: Notes,
): ReadChoice {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid("tool_choice", "must be an object");
  noteUnknownMembers(notes, value, { path: "tool_choice", known: choiceKeys });
  const serial = value["disable_parallel_tool_use"] === true;
  return { choice: choiceOf(value, tools), ...(serial && { parallelTools: false }) };
}

function choiceOf(value: JsonObject, tools: readonly Tool[]): ToolChoice {
  switch (value["type"]) {
    case "auto":
      return { type: "auto" };
    case "none":
      return { type: "none" };
    case "any":
      return { type: "required" };
    case "tool": {
      const name = needString(value, "name", "tool_choice");
      const hosted = tools.some((tool) => tool.kind === "hosted" && tool.raw["name"] === name);
      return hosted ? { type: "hosted", raw: value } : { type: "tool", name };
    }
    default:
      throw invalid("tool_choice.type", "must be one of auto, any, tool, none");
  }
}
