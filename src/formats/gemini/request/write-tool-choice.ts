/** The choice among the tools, as Gemini's `functionCallingConfig`. */
import { invalid } from "../../../core/problem.ts";
import type { ToolChoice } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { toolsByName } from "../../../translation/tool-names.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** The choice is about functions: without any, saying it would be refused. */
export function writeToolChoice(
  has: { declared: boolean; builtIn: boolean },
  context: WriteContext,
): JsonObject | undefined {
  const { choice } = context.request;
  if (!choice) return undefined;
  if (choice.type === "hosted") {
    const path = context.request.paths.choice ?? "tool_choice";
    if (!has.builtIn) throw invalid(path, "it names a tool that this provider does not have");
    context.dropped.add(path);
    return undefined;
  }
  if (has.declared) return modeOf(choice, context);
  if (choice.type !== "auto" && choice.type !== "none") noteUnsupported("choice", context);
  return undefined;
}

function modeOf(
  choice: Exclude<ToolChoice, { type: "hosted" }>,
  context: WriteContext,
): JsonObject {
  switch (choice.type) {
    case "auto":
      return { mode: "AUTO" };
    case "none":
      return { mode: "NONE" };
    case "required":
      return { mode: "ANY" };
    case "tool":
      return {
        mode: "ANY",
        allowedFunctionNames: [context.names.toWire(choice.name, choice.namespace)],
      };
    case "allowed":
      // AUTO takes no list of names; VALIDATED is AUTO with one.
      return {
        mode: choice.mode === "required" ? "ANY" : "VALIDATED",
        allowedFunctionNames: allowedNames(choice.names, context),
      };
    default:
      return choice satisfies never;
  }
}

function allowedNames(allowed: readonly string[], { request, names }: WriteContext): string[] {
  const tools = toolsByName(request);
  return allowed.map((name) => names.toWire(name, tools.get(name)?.namespace));
}
