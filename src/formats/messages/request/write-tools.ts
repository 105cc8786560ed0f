/** Tool declarations and the choice among them. */
import type { JsonObject } from "../../../lib/json.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { Tool, ToolChoice } from "../../../core/request.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { isStrictlySayable, toolSchema } from "./write-schema.ts";
import { dropField, marked, type Writing } from "./write-context.ts";

type HostedTool = Extract<Tool, { kind: "hosted" }>;
type OwnTool = Exclude<Tool, HostedTool>;

const searchName = "web_search";

export interface WrittenTools {
  /** `tools` and `tool_choice`. */
  body: JsonObject;
  /** The choice forces a tool. */
  forced: boolean;
}

export function writeTools(writing: Writing): WrittenTools {
  const offered = writing.request.tools.filter((tool) => isOffered(tool, writing));
  const tools = offered.flatMap((tool) => writeTool(tool, offered, writing));
  const choice = writeChoice(writing, tools);
  const { parallelTools } = writing.request;
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
function isOffered(tool: Tool, writing: Writing): boolean {
  if (tool.kind === "function" && tool.deferred === true) return false;
  const { choice } = writing.request;
  if (choice?.type !== "allowed") return true;
  if (tool.kind === "hosted") {
    const allowed = choice.names.includes(tool.type);
    if (!allowed) writing.dropped.add(tool.path);
    return allowed;
  }
  return (
    choice.names.includes(tool.name) ||
    choice.names.includes(writing.names.toWire(tool.name, tool.namespace))
  );
}

function writeTool(tool: Tool, offered: readonly Tool[], writing: Writing): JsonObject[] {
  if (tool.kind !== "hosted") return [writeOwn(tool, writing)];
  const taken = offered.some((other) => other.kind !== "hosted" && other.name === searchName);
  const first = offered.find((other) => other.kind === "hosted" && other.means === "web_search");
  if (tool.means === "web_search" && writing.target.traits.webSearch && !taken) {
    if (tool === first) return [writeSearch(tool, writing)];
  }
  writing.dropped.add(tool.path);
  return [];
}

function writeOwn(tool: OwnTool, writing: Writing): JsonObject {
  const head = {
    name: writing.names.toWire(tool.name, tool.namespace),
    ...(tool.description !== undefined && { description: tool.description }),
  };
  if (tool.kind === "custom") return { ...head, input_schema: freeformSchema(tool.grammar) };
  const schema = toolSchema(tool.schema);
  const strict =
    tool.strict === true && writing.target.traits.schemaOutput && isStrictlySayable(schema);
  if (tool.strict === true && !strict)
    writing.dropped.add(
      writing.request.format === "chat" ? `${tool.path}.function.strict` : `${tool.path}.strict`,
    );
  return marked(writing, { ...head, input_schema: schema, ...(strict && { strict }) }, tool.cache);
}

/** OpenAI's web search (chat's options or the Responses tool) as Anthropic's. */
function writeSearch(tool: HostedTool, writing: Writing): JsonObject {
  const { allowed, blocked, place } = readWebSearch(
    tool,
    ["allowed", "blocked", "place"],
    writing.dropped,
  );
  return {
    type: "web_search_20250305",
    name: searchName,
    ...(allowed && { allowed_domains: allowed }),
    ...(blocked && { blocked_domains: blocked }),
    ...(place && { user_location: { type: "approximate", ...place } }),
  };
}

function writeChoice(writing: Writing, tools: readonly JsonObject[]): JsonObject | undefined {
  const { choice } = writing.request;
  if (!choice) return undefined;
  if (choice.type === "hosted") return hostedChoice(writing, choice, tools);
  if (tools.length > 0) return choiceOf(writing, choice);
  if (choice.type !== "auto" && choice.type !== "none") dropField(writing, "choice");
  return undefined;
}

function choiceOf(writing: Writing, choice: Exclude<ToolChoice, { type: "hosted" }>): JsonObject {
  switch (choice.type) {
    case "auto":
    case "none":
      return { type: choice.type };
    case "required":
      return { type: "any" };
    case "tool":
      return { type: "tool", name: writing.names.toWire(choice.name, choice.namespace) };
    case "allowed":
      return { type: choice.mode === "required" ? "any" : "auto" };
    default:
      return choice satisfies never;
  }
}

const choiceMembers = new Set(["type", "name"]);

function hostedChoice(
  writing: Writing,
  choice: Extract<ToolChoice, { type: "hosted" }>,
  tools: readonly JsonObject[],
): JsonObject {
  const search = String(choice.raw["type"]).startsWith(searchName);
  const offered = tools.some((tool) => tool["type"] !== undefined && tool["name"] === searchName);
  const path = writing.request.paths.choice ?? "tool_choice";
  if (!search || !offered) throw invalid(path, "it names a tool that this provider does not have");
  noteUnknownMembers(choice.raw, choiceMembers, { path, unsupported: writing.dropped });
  return { type: "tool", name: searchName };
}
