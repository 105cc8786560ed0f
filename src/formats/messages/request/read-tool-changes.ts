/** Blocks with which a conversation loads, adds or removes tools. */
import type { Block } from "../../../core/request.ts";
import { asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";

const referenceKeys = new Set(["type", "tool_name", "cache_control"]);
const changeKeys = new Set(["type", "tool"]);
const changedKeys = new Set(["type", "name", "definition"]);

/** A deferred tool that was found and is offered from here on. */
export function readReference(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): Block[] {
  noteUnknown(part, { path, known: referenceKeys }, context);
  const tool = needString(part, "tool_name", path);
  context.loaded.add(tool);
  return [{ kind: "reference", tool }];
}

/** A tool that the conversation adds (by name or with its definition) or takes away. */
export function readToolChange(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): Block[] {
  noteUnknown(part, { path, known: changeKeys }, context);
  const tool = isObject(part["tool"]) ? part["tool"] : {};
  const definition = isObject(tool["definition"]) ? tool["definition"] : undefined;
  const name = asString(definition?.["name"]) ?? asString(tool["name"]);
  if (name === undefined || String(tool["type"]).startsWith("mcp_")) {
    context.unsupported.add(path);
    return [];
  }
  noteUnknown(tool, { path: `${path}.tool`, known: changedKeys }, context);
  if (part["type"] === "tool_removal") {
    context.changes.push({ remove: name });
    return [];
  }
  if (definition) context.changes.push({ add: definition, path: `${path}.tool.definition` });
  // Offered again after all: as if it had never been withdrawn.
  else context.restored.set(name, context.changes.length);
  context.loaded.add(name);
  return [{ kind: "reference", tool: name }];
}
