/** The choice among the tools of a Responses request. */
import { invalid } from "../../../core/problem.ts";
import type { ToolChoice } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { member, type IndexedPosition } from "./position.ts";

/** The neutral choice; undefined when the client made none. */
export function readToolChoice(
  choice: JsonValue | undefined,
  position: IndexedPosition,
  clientTools: ReadonlySet<string>,
): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  if (!isObject(choice))
    throw invalid(position.indexedPath, "must be auto, none, required or an object");
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
      return readAllowed(choice, position, clientTools);
    default:
      if (!clientTools.has(type)) return { type: "hosted", raw: choice };
      noteUnknownMembers(choice, clientToolChoiceMembers, position);
      return { type: "tool", name: type };
  }
}

const clientToolChoiceMembers = new Set(["type"]);
const namedChoiceMembers = new Set(["type", "name", "namespace"]);
const nestedChoiceMembers = new Set(["type", "function"]);
const innerChoiceMembers = new Set(["name"]);
const allowedChoiceMembers = new Set(["type", "mode", "tools"]);

function readNamed(choice: JsonObject, position: IndexedPosition, custom: boolean): ToolChoice {
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

function readAllowed(
  choice: JsonObject,
  position: IndexedPosition,
  clientTools: ReadonlySet<string>,
): ToolChoice {
  noteUnknownMembers(choice, allowedChoiceMembers, position);
  const at = { ...position, path: `${position.path}.tools[]` };
  const names: string[] = [];
  for (const tool of asArray(choice["tools"])) {
    const entry = asObject(tool) ?? {};
    const type = asString(entry["type"]) ?? "function";
    const name = clientTools.has(type) ? type : asString(entry["name"]);
    if (name !== undefined && (type === "function" || type === "custom" || name === type))
      names.push(name);
    else position.unsupported.add(at.path);
    noteUnknownMembers(entry, namedChoiceMembers, at);
  }
  return { type: "allowed", mode: choice["mode"] === "required" ? "required" : "auto", names };
}
