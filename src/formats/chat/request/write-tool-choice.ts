/** The choice among the tools, as chat's `tool_choice`. */
import { invalid } from "../../../core/problem.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { toolsByName } from "../../../translation/tool-names.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

/** Undefined when the client made none. Throws M300 for a tool of another provider. */
export function writeToolChoice(context: WriteContext): JsonObject | string | undefined {
  const { request } = context;
  const { choice } = request;
  switch (choice?.type) {
    case undefined:
      return undefined;
    case "auto":
    case "none":
    case "required":
      return choice.type;
    case "tool":
      return writeName(choice, context);
    case "allowed":
      if (!context.target.traits.openAiFields) return choice.mode;
      return {
        type: "allowed_tools",
        allowed_tools: {
          mode: choice.mode,
          tools: allowedNames(choice.names, context),
        },
      };
    case "hosted":
      throw invalid(
        request.paths.choice ?? "tool_choice",
        "names a tool that this model does not have",
      );
    default:
      return choice satisfies never;
  }
}

function allowedNames(names: readonly string[], context: WriteContext): JsonObject[] {
  const tools = toolsByName(context.request);
  return names.map((name) => {
    const { kind, namespace } = tools.get(name) ?? {};
    const custom = kind === "custom";
    return writeName({ name, custom, ...(namespace !== undefined && { namespace }) }, context);
  });
}

function writeName(
  choice: { name: string; namespace?: string; custom?: boolean },
  context: WriteContext,
): JsonObject {
  const name = context.names.toWire(choice.name, choice.namespace);
  return choice.custom === true && context.target.traits.customTools
    ? { type: "custom", custom: { name } }
    : { type: "function", function: { name } };
}
