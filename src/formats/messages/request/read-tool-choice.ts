/** The choice among the tools of a Messages request, which also says whether calls may be parallel. */
import { invalid } from "../../../core/problem.ts";
import type { ModelRequest, Tool, ToolChoice } from "../../../core/request.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";

const choiceKeys = new Set(["type", "name", "disable_parallel_tool_use"]);

/** Empty when the client made none. */
export function readToolChoice(
  value: JsonValue | undefined,
  tools: readonly Tool[],
  context: RequestReadContext,
): Pick<ModelRequest, "choice" | "parallelTools"> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid("tool_choice", "must be an object");
  noteUnknown(value, { path: "tool_choice", known: choiceKeys }, context);
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
