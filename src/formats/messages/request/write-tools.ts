/** Tools, for a Messages provider. */
import type { JsonObject } from "../../../lib/json.ts";
import { clientPaths } from "../../../translation/client-paths.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { Tool } from "../../../core/request.ts";
import { isStrictSchema, toolSchema } from "./write-schema.ts";
import { withCacheMark, type MessagesWriteContext } from "./write-cache-marks.ts";
import { hostedSearchName, writeToolChoice } from "./write-tool-choice.ts";

type HostedTool = Extract<Tool, { kind: "hosted" }>;
type OwnTool = Exclude<Tool, HostedTool>;

export interface WrittenTools {
  /** `tools` and `tool_choice`. */
  body: JsonObject;
  /** The choice forces a tool. */
  forced: boolean;
}

export function writeTools(context: MessagesWriteContext): WrittenTools {
  const offered = offeredTools(context);
  const search = searchOf(offered, context);
  const tools = offered.flatMap((tool) => writeTool(tool, search, context));
  const choice = writeToolChoice(tools, context);
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

/** A deferred tool is not offered; a list of allowed tools leaves out the rest. */
function offeredTools(context: MessagesWriteContext): Tool[] {
  const { choice, tools } = context.request;
  const loaded = tools.filter((tool) => tool.kind !== "function" || tool.deferred !== true);
  if (choice?.type !== "allowed") return loaded;
  const names = new Set(choice.names);
  return loaded.filter((tool) => isAllowed(tool, names, context));
}

function isAllowed(tool: Tool, names: ReadonlySet<string>, context: MessagesWriteContext): boolean {
  if (tool.kind === "hosted") {
    const allowed = names.has(tool.type);
    if (!allowed) context.dropped.add(tool.path);
    return allowed;
  }
  return names.has(tool.name) || names.has(context.names.toWire(tool.name, tool.namespace));
}

/** The hosted search that can be offered: the first, unless a tool of the client's own has its name. */
function searchOf(offered: readonly Tool[], { target }: MessagesWriteContext): Tool | undefined {
  const taken = offered.some((tool) => tool.kind !== "hosted" && tool.name === hostedSearchName);
  if (taken || !target.traits.webSearch) return undefined;
  return offered.find((tool) => tool.kind === "hosted" && tool.means === "web_search");
}

function writeTool(
  tool: Tool,
  search: Tool | undefined,
  context: MessagesWriteContext,
): JsonObject[] {
  if (tool.kind !== "hosted") return [writeOwn(tool, context)];
  if (tool === search) return [writeSearch(tool, context)];
  context.dropped.add(tool.path);
  return [];
}

function writeOwn(tool: OwnTool, context: MessagesWriteContext): JsonObject {
  const head = {
    name: context.names.toWire(tool.name, tool.namespace),
    ...(tool.description !== undefined && { description: tool.description }),
  };
  if (tool.kind === "custom") return { ...head, input_schema: freeformSchema(tool.grammar) };
  const schema = toolSchema(tool.schema);
  const strict =
    tool.strict === true && context.target.traits.schemaOutput && isStrictSchema(schema);
  if (tool.strict === true && !strict)
    context.dropped.add(`${tool.path}.${clientPaths[context.request.format].strict}`);
  return withCacheMark(
    { ...head, input_schema: schema, ...(strict && { strict }) },
    tool.cache,
    context,
  );
}

/** OpenAI's web search (chat's options or the Responses tool) as Anthropic's. */
function writeSearch(tool: HostedTool, context: MessagesWriteContext): JsonObject {
  const { allowed, blocked, location, uses } = readWebSearch(
    tool,
    ["allowed", "blocked", "location", "uses"],
    context.dropped,
  );
  return {
    type: "web_search_20250305",
    name: hostedSearchName,
    ...(uses !== undefined && { max_uses: uses }),
    ...(allowed && { allowed_domains: allowed }),
    ...(blocked && { blocked_domains: blocked }),
    ...(location && { user_location: { type: "approximate", ...location } }),
  };
}
