/** Tools, for a Gemini provider. */
import { clientPaths } from "../../../translation/client-paths.ts";
import { freeformSchema } from "../../../translation/freeform.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { Tool } from "../../../core/request.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { schemaBudget, subsetSchema, type SchemaBudget } from "./write-schema.ts";
import { writeToolChoice } from "./write-tool-choice.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

export interface WrittenTools {
  tools?: JsonObject[];
  toolConfig?: JsonObject;
}

type HostedTool = Extract<Tool, { kind: "hosted" }>;
type OwnTool = Exclude<Tool, HostedTool>;

export function writeTools(context: WriteContext): WrittenTools {
  const own = context.request.tools.filter((tool) => tool.kind !== "hosted");
  const budget = schemaBudget();
  const declarations = offered(own, context).map((tool) => declaration(tool, budget, context));
  const builtIn = builtInTools(declarations.length > 0, context);
  const calling = writeToolChoice(
    {
      declared: declarations.length > 0,
      builtIn: builtIn.length > 0,
    },
    context,
  );
  const mixed = declarations.length > 0 && builtIn.length > 0;
  if (context.request.parallelTools === false) noteUnsupported("parallelTools", context);
  const tools = [
    ...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []),
    ...builtIn,
  ];
  if (tools.length === 0) return {};
  const toolConfig = {
    ...(calling && { functionCallingConfig: calling }),
    ...(mixed && { includeServerSideToolInvocations: true }),
  };
  return { tools, ...(Object.keys(toolConfig).length > 0 && { toolConfig }) };
}

/** Tools whose declaration the client defers are offered once the conversation has named or called them. */
function offered(tools: OwnTool[], context: WriteContext): OwnTool[] {
  const named = new Set<string>();
  for (const message of context.request.messages) {
    for (const block of message.blocks) {
      if (block.kind === "call") named.add(block.name);
      for (const part of block.kind === "result" ? block.blocks : [block])
        if (part.kind === "reference") named.add(part.tool);
    }
  }
  const { choice } = context.request;
  if (choice?.type === "tool") named.add(choice.name);
  return tools.filter(
    (tool) => tool.kind === "custom" || tool.deferred !== true || named.has(tool.name),
  );
}

function declaration(tool: OwnTool, budget: SchemaBudget, context: WriteContext): JsonObject {
  const name = context.names.toWire(tool.name, tool.namespace);
  const description = tool.description !== undefined &&
    tool.description !== "" && { description: tool.description };
  const schema = tool.kind === "custom" ? freeformSchema(tool.grammar) : tool.schema;
  const written = schema && parameters(schema, budget, context);
  if (tool.kind === "function") noteLost(tool, written?.cut === true, context);
  return { name, ...description, ...written?.members };
}

function noteLost(
  { cache, strict, path }: Extract<Tool, { kind: "function" }>,
  cut: boolean,
  { request, dropped }: WriteContext,
): void {
  const paths = clientPaths[request.format];
  if (cache) dropped.add(cache.path);
  if (strict === true) dropped.add(`${path}.${paths.strict}`);
  if (cut) dropped.add(`${path}.${paths.schema}`);
}

function parameters(
  schema: JsonObject,
  budget: SchemaBudget,
  { target }: WriteContext,
): { readonly members: JsonObject; readonly cut: boolean } {
  if (Object.keys(schema).length === 0) return { members: {}, cut: false };
  if (target.traits.jsonSchemaTools)
    return { members: { parametersJsonSchema: schema }, cut: false };
  const { subset, cut } = subsetSchema(schema, budget);
  return { members: subset ? { parameters: subset } : {}, cut };
}

/** Tools that run at the provider, where it has one that does the same. */
function builtInTools(besideFunctions: boolean, context: WriteContext): JsonObject[] {
  const { traits } = context.target;
  const found = new Set<"googleSearch" | "codeExecution">();
  for (const tool of context.request.tools) {
    if (tool.kind !== "hosted") continue;
    const name = builtInName(tool, traits.webSearch);
    if (name === undefined || (besideFunctions && !traits.mixedTools)) {
      context.dropped.add(tool.path);
    } else {
      found.add(name);
      noteSettings(tool, context);
    }
  }
  return [...found].map((name) => ({ [name]: {} }));
}

const codeMembers = new Set(["type", "name", "container"]);
const containerMembers = new Set(["type"]);

/** The provider's own tools take no settings; a container that is made as needed is none. */
function noteSettings(tool: HostedTool, context: WriteContext): void {
  const unsupported = context.dropped;
  if (tool.means === "web_search") {
    readWebSearch(tool, [], unsupported);
    return;
  }
  const { container } = tool.raw;
  const path = `${tool.path}.container`;
  noteUnknownMembers(tool.raw, codeMembers, { path: tool.path, unsupported });
  if (isObject(container)) noteUnknownMembers(container, containerMembers, { path, unsupported });
  else if (isSet(container)) unsupported.add(path);
}

function builtInName(
  tool: HostedTool,
  searches: boolean,
): "googleSearch" | "codeExecution" | undefined {
  switch (tool.means) {
    case "web_search":
      return searches ? "googleSearch" : undefined;
    case "code_execution":
      return "codeExecution";
    case undefined:
      return undefined;
    default:
      return tool.means satisfies never;
  }
}
