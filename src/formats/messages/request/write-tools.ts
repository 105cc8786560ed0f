/** Tool declarations and the choice among them. */
import type { JsonObject } from "../../../lib/json.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { Tool, ToolChoice } from "../../../core/request.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { isStrictlySayable, toolSchema } from "./write-schema.ts";
import { dropField, marked, type WriteContext } from "./write-context.ts";

type HostedTool = Extract<Tool, { kind: "hosted" }>;
type OwnTool = Exclude<Tool, HostedTool>;

const searchName = "web_search";

export interface WrittenTools {
  /** `tools` and `tool_choice`. */
  body: JsonObject;
  /** The choice forces a tool. */
  forced: boolean;
}

export function writeTools(context: WriteContext): WrittenTools {
  const offered = context.request.tools.filter((tool) => isOffered(tool, context));
  const tools = offered.flatMap((tool) => writeTool(tool, offered, context));
  const choice = writeChoice(tools, context);
  const { parallelTools } = context.request;
  if (tools.length === 0) return { body: {}, forced: false };
  const serial = parallelTools === false && choice?.["type"] !== "none";
  const tool_choice = serial
    ? { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true }
    : choice;
  return {
    body: { tools, ...(tool_choice && { tool_choice }) },
    forced: choice?.["type"] === "any" || choice?.["type"] === "tool",
  };
}

/** A deferred tool waits to be named; a list of allowed tools leaves out the rest. */
function isOffered(tool: Tool, context: WriteContext): boolean {
  if (tool.kind === "function" && tool.deferred === true) return false;
  const { choice } = context.request;
  if (choice?.type !== "allowed") return true;
  if (tool.kind === "hosted") {
    const allowed = choice.names.includes(tool.type);
    if (!allowed) context.dropped.add(tool.path);
    return allowed;
  }
  return (
    choice.names.includes(tool.name) ||
    choice.names.includes(context.names.toWire(tool.name, tool.namespace))
  );
}

function writeTool(tool: Tool, offered: readonly Tool[], context: WriteContext): JsonObject[] {
  if (tool.kind !== "hosted") return [writeOwn(tool, context)];
  const taken = offered.some((other) => other.kind !== "hosted" && other.name === searchName);
  const first = offered.find((other) => other.kind === "hosted" && other.means === "web_search");
  if (tool.means === "web_search" && context.target.traits.webSearch && !taken) {
    if (tool === first) return [writeSearch(tool, context)];
  }
  context.dropped.add(tool.path);
  return [];
}

function writeOwn(tool: OwnTool, context: WriteContext): JsonObject {
  const head = {
    name: context.names.toWire(tool.name, tool.namespace),
    ...(tool.description !== undefined && { description: tool.description }),
  };
  if (tool.kind === "custom") return { ...head, input_schema: freeformSchema(tool.grammar) };
  const schema = toolSchema(tool.schema);
  const strict =
    tool.strict === true && context.target.traits.schemaOutput && isStrictlySayable(schema);
  if (tool.strict === true && !strict)
    context.dropped.add(
      context.request.format === "chat" ? `${tool.path}.function.strict` : `${tool.path}.strict`,
    );
  return marked({ ...head, input_schema: schema, ...(strict && { strict }) }, tool.cache, context);
}

/** OpenAI's web search (chat's options or the Responses tool) as Anthropic's. */
function writeSearch(tool: HostedTool, context: WriteContext): JsonObject {
  const { allowed, blocked, place } = readWebSearch(
    tool,
    ["allowed", "blocked", "place"],
    context.dropped,
  );
  return {
    type: "web_search_20250305",
    name: searchName,
    ...(allowed && { allowed_domains: allowed }),
    ...(blocked && { blocked_domains: blocked }),
    ...(place && { user_location: { type: "approximate", ...place } }),
  };
}

function writeChoice(tools: readonly JsonObject[], context: WriteContext): JsonObject | undefined {
  const { choice } = context.request;
  if (!choice) return undefined;
  if (choice.type === "hosted") return hostedChoice(choice, tools, context);
  if (tools.length > 0) return choiceOf(choice, context);
  if (choice.type !== "auto" && choice.type !== "none") noteUnsupported("choice", context);
  return undefined;
}

function choiceOf(choice: Exclude<ToolChoice, { type: "hosted" }>, context: WriteContext): JsonObject {
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
  tools: readonly JsonObject[], context: WriteContext): JsonObject {
  const search = String(choice.raw["type"]).startsWith(searchName);
  const offered = tools.some((tool) => tool["type"] !== undefined && tool["name"] === searchName);
  const path = context.request.paths.choice ?? "tool_choice";
  if (!search || !offered) throw invalid(path, "it names a tool that this provider does not have");
  noteUnknownMembers(choice.raw, choiceMembers, { path, unsupported: context.dropped });
  return { type: "tool", name: searchName };
}
