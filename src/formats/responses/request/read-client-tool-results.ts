/** Outputs of client-run tools with an item type of their own -> the text that a model reads as result. */
import type { Tool } from "../../../core/request.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
} from "../../../lib/json.ts";

/** Ids tell which call is answered, and what is sent back is over. */
const outputMembers = new Set(["type", "id", "call_id", "status", "output"]);
const searchMembers = new Set(["type", "id", "call_id", "status", "execution", "tools"]);
const partMembers = new Set(["stdout", "stderr", "outcome"]);
const outcomeMembers = new Set(["type", "exit_code"]);

/** `tools`: what a tool search found. */
export function readSpecialOutput(
  item: JsonObject,
  tools: readonly Tool[],
  position: Position,
): { text: string; isError: boolean } {
  switch (item["type"]) {
    case "tool_search_output":
      noteUnknownMembers(item, searchMembers, position);
      return { text: foundTools(tools), isError: false };
    case "shell_call_output": {
      noteUnknownMembers(item, outputMembers, position);
      const parts = asArray(item["output"]).filter(isObject);
      const at: Position = { path: `${position.path}.output[]`, unsupported: position.unsupported };
      return { text: parts.map((part) => shellText(part, at)).join("\n"), isError: false };
    }
    case "apply_patch_call_output":
      noteUnknownMembers(item, outputMembers, position);
      return {
        text: asString(item["output"]) ?? asString(item["status"]) ?? "",
        isError: item["status"] === "failed",
      };
    default:
      noteUnknownMembers(item, outputMembers, position);
      return { text: plainText(item), isError: false };
  }
}

function plainText(item: JsonObject): string {
  const output = item["output"];
  if (output === undefined || output === null) return "";
  return typeof output === "string" ? output : JSON.stringify(output);
}

function foundTools(tools: readonly Tool[]): string {
  const names = tools.map((tool) => {
    if (tool.kind === "hosted") return tool.type;
    return tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`;
  });
  return names.length === 0 ? "No tools found." : `Loaded tools: ${names.join(", ")}`;
}

function shellText(part: JsonObject, position: Position): string {
  const outcome = asObject(part["outcome"]);
  noteUnknownMembers(part, partMembers, position);
  noteUnknownMembers(outcome, outcomeMembers, within(position, "outcome"));
  const code = asNumber(outcome?.["exit_code"]);
  const end = outcome?.["type"] === "timeout" ? "timed out" : `exit code ${code ?? 0}`;
  const streams = [asString(part["stdout"]), asString(part["stderr"])];
  return [...streams.filter((text) => text !== undefined && text !== ""), `[${end}]`].join("\n");
}
