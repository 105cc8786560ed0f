/** Tool declarations and the choice among them. */
import { freeformSchema } from "../../../translation/freeform.ts";
import { invalid } from "../../../core/problem.ts";
import { readWebSearch } from "../../../translation/web-search.ts";
import type { Tool, ToolChoice } from "../../../core/request.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { subsetSchema } from "./write-schema.ts";
import { dropField, type Writing } from "./write-context.ts";

export interface WrittenTools {
  tools?: JsonObject[];
  toolConfig?: JsonObject;
}

type HostedTool = Extract<Tool, { kind: "hosted" }>;
type OwnTool = Exclude<Tool, HostedTool>;

export function writeTools(writing: Writing): WrittenTools {
  const own = writing.request.tools.filter((tool) => tool.kind !== "hosted");
  const declarations = offered(writing, own).map((tool) => declaration(writing, tool));
  const builtIn = builtInTools(writing, declarations.length > 0);
  const calling = callingConfig(writing, {
    declared: declarations.length > 0,
    builtIn: builtIn.length > 0,
  });
  const mixed = declarations.length > 0 && builtIn.length > 0;
  if (writing.request.parallelTools === false) dropField(writing, "parallelTools");
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
function offered(writing: Writing, tools: OwnTool[]): OwnTool[] {
  const named = new Set<string>();
  for (const message of writing.request.messages) {
    for (const block of message.blocks) {
      if (block.kind === "call") named.add(block.name);
      for (const part of block.kind === "result" ? block.blocks : [block])
        if (part.kind === "reference") named.add(part.tool);
    }
  }
  const { choice } = writing.request;
  if (choice?.type === "tool") named.add(choice.name);
  return tools.filter(
    (tool) => tool.kind === "custom" || tool.deferred !== true || named.has(tool.name),
  );
}

function declaration(writing: Writing, tool: OwnTool): JsonObject {
  const name = writing.names.toWire(tool.name, tool.namespace);
  const description = tool.description !== undefined &&
    tool.description !== "" && { description: tool.description };
  if (tool.kind === "custom")
    return { name, ...description, ...parameters(writing, freeformSchema(tool.grammar)) };
  if (tool.cache) writing.dropped.add(tool.cache.path);
  if (tool.strict === true) writing.dropped.add(strictPath(writing, tool.path));
  return { name, ...description, ...(tool.schema && parameters(writing, tool.schema)) };
}

function strictPath(writing: Writing, path: string): string {
  return writing.request.format === "chat" ? `${path}.function.strict` : `${path}.strict`;
}

function parameters(writing: Writing, schema: JsonObject): JsonObject {
  if (Object.keys(schema).length === 0) return {};
  if (writing.target.traits.jsonSchemaTools) return { parametersJsonSchema: schema };
  const subset = subsetSchema(schema);
  return subset ? { parameters: subset } : {};
}

/** Tools that run at the provider, where it has one that does the same. */
function builtInTools(writing: Writing, besideFunctions: boolean): JsonObject[] {
  const { traits } = writing.target;
  const found = new Set<"googleSearch" | "codeExecution">();
  for (const tool of writing.request.tools) {
    if (tool.kind !== "hosted") continue;
    const name = builtInName(tool, traits.webSearch);
    if (name === undefined || (besideFunctions && !traits.mixedTools)) {
      writing.dropped.add(tool.path);
    } else {
      found.add(name);
      noteSettings(writing, tool);
    }
  }
  return [...found].map((name) => ({ [name]: {} }));
}

const codeMembers = new Set(["type", "name", "container"]);
const containerMembers = new Set(["type"]);

/** The provider's own tools take no settings; a container that is made as needed is none. */
function noteSettings(writing: Writing, tool: HostedTool): void {
  const unsupported = writing.dropped;
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

/** The choice is about functions: without any, saying it would be refused. */
function callingConfig(
  writing: Writing,
  has: { declared: boolean; builtIn: boolean },
): JsonObject | undefined {
  const { choice } = writing.request;
  if (!choice) return undefined;
  if (choice.type === "hosted") {
    const path = writing.request.paths.choice ?? "tool_choice";
    if (!has.builtIn) throw invalid(path, "it names a tool that this provider does not have");
    writing.dropped.add(path);
    return undefined;
  }
  if (has.declared) return modeOf(writing, choice);
  if (choice.type !== "auto" && choice.type !== "none") dropField(writing, "choice");
  return undefined;
}

function modeOf(writing: Writing, choice: Exclude<ToolChoice, { type: "hosted" }>): JsonObject {
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
        allowedFunctionNames: [writing.names.toWire(choice.name, choice.namespace)],
      };
    case "allowed":
      // AUTO takes no list of names; VALIDATED is AUTO with one.
      return {
        mode: choice.mode === "required" ? "ANY" : "VALIDATED",
        allowedFunctionNames: choice.names.map((name) => allowedName(writing, name)),
      };
    default:
      return choice satisfies never;
  }
}

/** Lists of allowed tools name them without their namespaces. */
function allowedName(writing: Writing, name: string): string {
  const tool = writing.request.tools.find((one) => one.kind !== "hosted" && one.name === name);
  return tool && tool.kind !== "hosted"
    ? writing.names.toWire(tool.name, tool.namespace)
    : writing.names.toWire(name);
}
