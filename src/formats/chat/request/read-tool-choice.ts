/** The choice among the tools of a chat request. */
import type { ToolChoice } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";

/** `tool_choice` or the older `function_call`; undefined when it says nothing that is understood. */
export function readToolChoice(
  value: JsonValue | undefined,
  position: Position,
): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (value === "any") return { type: "required" };
  const choice = asObject(value);
  if (!choice) return undefined;
  const type = asString(choice["type"]);
  if (type === "allowed_tools") return readAllowed(choice, position);
  if (type !== undefined && type !== "function" && type !== "custom")
    return { type: "hosted", raw: choice };
  const name = chosenName(choice, position);
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
function chosenName(entry: JsonObject, position: Position): string | undefined {
  for (const kind of ["function", "custom"] as const) {
    const nested = asObject(entry[kind]);
    if (!nested) continue;
    noteUnknownMembers(entry, nestedNameMembers[kind], position);
    noteUnknownMembers(nested, nameMembers, within(position, kind));
    return asString(nested["name"]);
  }
  noteUnknownMembers(entry, flatNameMembers, position);
  return asString(entry["name"]);
}

const allowedMembers = new Set(["mode", "tools"]);
const flatAllowedMembers = new Set(["type", ...allowedMembers]);
const allowedNestingMembers = new Set(["type", "allowed_tools"]);

function readAllowed(choice: JsonObject, position: Position): ToolChoice {
  const nested = asObject(choice["allowed_tools"]);
  const allowed = nested ?? choice;
  const at = nested ? within(position, "allowed_tools") : position;
  noteUnknownMembers(choice, nested ? allowedNestingMembers : flatAllowedMembers, position);
  noteUnknownMembers(nested, allowedMembers, at);
  const each: Position = { path: `${at.path}.tools[]`, unsupported: position.unsupported };
  const names = asArray(allowed["tools"]).flatMap((tool) => {
    const name = isObject(tool) ? chosenName(tool, each) : undefined;
    if (name === undefined) each.unsupported.add(each.path);
    return name ?? [];
  });
  return { type: "allowed", mode: allowed["mode"] === "required" ? "required" : "auto", names };
}
