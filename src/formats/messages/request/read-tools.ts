/** The tools of a Messages request. */
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Tool } from "../../../core/request.ts";
import { clientTool } from "./client-tools.ts";
import { readCacheMark } from "./read-cache-mark.ts";
import { newQueue, type Queue } from "../../../lib/lists.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";

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

/**
 * The tools that the model may call. Deferred ones are offered like any other: a provider that knows no deferring
 * could not load them, and conversations load them in ways that only the client understands. What merely holds
 * the place of tools to come is left out.
 */
export function readTools(value: JsonValue | undefined, context: RequestReadContext): Tool[] {
  const declared = asArray(value).map((raw) => declaredTool(raw, "tools[]"));
  return changedTools(declared, context)
    .filter((tool) => !isPlaceholder(tool) || context.loaded.has(tool.name))
    .map((tool) => readTool(tool, context));
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

/** The declared tools after the changes of the conversation: each takes away the first tool of its name. */
function changedTools(
  declared: Declared[],
  { changes, restored }: RequestReadContext,
): readonly Declared[] {
  if (changes.length === 0) return declared;
  const offered = new Set<Declared>();
  const byName = new Map<string, Queue<Declared>>();
  const offer = (tool: Declared): void => {
    const named = byName.get(tool.name) ?? newQueue();
    named.add(tool);
    byName.set(tool.name, named);
    offered.add(tool);
  };
  const withdraw = (name: string): void => {
    const first = byName.get(name)?.take();
    if (first) offered.delete(first);
  };
  declared.forEach(offer);
  changes.forEach((change, at) => {
    if ("add" in change) {
      const name = asString(change.add["name"]);
      if (name !== undefined) withdraw(name);
      offer(declaredTool(change.add, change.path));
    } else if (at >= (restored.get(change.remove) ?? 0)) withdraw(change.remove);
  });
  return [...offered];
}

function readTool(declared: Declared, context: RequestReadContext): Tool {
  const { raw, type, path } = declared;
  if (type === "custom") return readFunction(raw, path, context);
  const known = clientTool(type, raw);
  if (!known) return readHosted(declared);
  noteUnknown(raw, { path, known: clientToolKeys }, context);
  return {
    kind: "function",
    name: asString(raw["name"]) ?? known.name,
    description: known.description,
    schema: known.schema,
    ...readCacheMark(raw, path, context),
    path,
  };
}

function readFunction(raw: JsonObject, path: string, context: RequestReadContext): Tool {
  noteUnknown(raw, { path, known: toolKeys }, context);
  const description = asString(raw["description"]);
  const schema = raw["input_schema"];
  return {
    kind: "function",
    name: needString(raw, "name", path),
    ...(description !== undefined && { description }),
    ...(isObject(schema) && { schema }),
    ...(typeof raw["strict"] === "boolean" && { strict: raw["strict"] }),
    ...readCacheMark(raw, path, context),
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
