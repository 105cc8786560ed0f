/** The choice among the tools, as the `tool_choice` of Messages. */
import { invalid } from "../../../core/problem.ts";
import type { ToolChoice } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** Name of the hosted search. */
export const hostedSearchName = "web_search";

/** `tools`: those that are offered. Throws M300 for a tool of another provider. */
export function writeToolChoice(
  tools: readonly JsonObject[],
  context: WriteContext,
): JsonObject | undefined {
  const { choice } = context.request;
  if (!choice) return undefined;
  if (choice.type === "hosted") return hostedChoice(choice, tools, context);
  if (tools.length > 0) return choiceOf(choice, context);
  if (choice.type !== "auto" && choice.type !== "none") noteUnsupported("choice", context);
  return undefined;
}

function choiceOf(
  choice: Exclude<ToolChoice, { type: "hosted" }>,
  context: WriteContext,
): JsonObject {
  switch (choice.type) {
    case "auto":
    case "none":
      return { type: choice.type };
    case "required":
      return { type: "any" };
    case "tool":
      return { type: "tool", name: context.names.toWire(choice.name, choice.namespace) };
    case "allowed":
      return { type: choice.mode === "required" ? "any" : "auto" };
    default:
      return choice satisfies never;
  }
}

const choiceMembers = new Set(["type", "name"]);

function hostedChoice(
  choice: Extract<ToolChoice, { type: "hosted" }>,
  tools: readonly JsonObject[],
  context: WriteContext,
): JsonObject {
  const search = String(choice.raw["type"]).startsWith(hostedSearchName);
  const offered = tools.some(
    (tool) => tool["type"] !== undefined && tool["name"] === hostedSearchName,
  );
  const path = context.request.paths.choice ?? "tool_choice";
  if (!search || !offered) throw invalid(path, "it names a tool that this provider does not have");
  noteUnknownMembers(choice.raw, choiceMembers, { path, unsupported: context.dropped });
  return { type: "tool", name: hostedSearchName };
}
