/** The choice among the tools, as the `tool_choice` of Responses. */
import { invalid } from "../../../core/problem.ts";
import type { ToolChoice } from "../../../core/request.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

const choiceMembers = new Set(["type", "name", "disable_parallel_tool_use"]);

/** `tools`: those that are offered. Throws M300 for a tool of another provider. */
export function writeToolChoice(
  tools: readonly JsonObject[],
  context: WriteContext,
): JsonValue | undefined {
  const { names, request } = context;
  const { choice } = request;
  if (!choice) return undefined;
  const path = request.paths.choice ?? "tool_choice";
  switch (choice.type) {
    case "auto":
    case "none":
    case "required":
      return choice.type;
    case "tool":
      return namedTool(choice, context);
    case "allowed":
      return {
        type: "allowed_tools",
        mode: choice.mode,
        tools: choice.names.map((name) => ({ type: "function", name: names.toWire(name) })),
      };
    case "hosted":
      if (request.format === "responses") return choice.raw;
      if (tools.some((tool) => tool["type"] === "web_search")) {
        noteUnknownMembers(choice.raw, choiceMembers, { path, unsupported: context.dropped });
        return { type: "web_search" };
      }
      throw invalid(path, "names a tool that this model's provider does not have");
    default:
      return choice satisfies never;
  }
}

function namedTool(
  choice: Extract<ToolChoice, { type: "tool" }>,
  context: WriteContext,
): JsonObject {
  const { names, target } = context;
  const custom = choice.custom === true && target.traits.customTools;
  return {
    type: custom ? "custom" : "function",
    name: names.toWire(choice.name, choice.namespace),
    ...(choice.namespace !== undefined &&
      target.traits.namespaces && { namespace: choice.namespace }),
  };
}
