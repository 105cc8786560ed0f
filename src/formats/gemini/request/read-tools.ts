/** The tools of a Gemini request: functions over any number of entries, and Google's own tools beside them. */
import type { Tool } from "../../../core/request.ts";
import { invalid } from "../../../core/problem.ts";
import { asFilledString, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import type { Members } from "./read-members.ts";
import { camelCase } from "./read-members.ts";
import { readSchema } from "./read-schema.ts";

type HostedTool = Extract<Tool, { kind: "hosted" }>;

/** Google's tools that other formats have too. */
const meanings: Readonly<Record<string, NonNullable<HostedTool["means"]>>> = {
  googleSearch: "web_search",
  googleSearchRetrieval: "web_search",
  enterpriseWebSearch: "web_search",
  codeExecution: "code_execution",
};

/** `request`: the body. */
export function readTools(request: Members): Tool[] {
  return request
    .each("tools")
    .flatMap((entry) => [
      ...entry.each("functionDeclarations").map(readFunction),
      ...hostedTools(entry),
    ]);
}

/** Every other member of an entry is a tool that the provider runs; its settings are the member's value. */
function hostedTools(entry: Members): HostedTool[] {
  return entry.names().flatMap((name) => {
    const type = camelCase(name);
    if (type === "functionDeclarations") return [];
    const value = entry.get(type);
    const means = Object.hasOwn(meanings, type) ? meanings[type] : undefined;
    return {
      kind: "hosted",
      format: "gemini",
      type,
      ...(means !== undefined && { means }),
      raw: isObject(value) ? value : {},
      path: entry.pathOf(type),
    };
  });
}

const functionMembers = new Set(["name", "description", "parameters", "parametersJsonSchema"]);
const blockingMembers = new Set([...functionMembers, "behavior"]);

function readFunction(tool: Members): Tool {
  // To wait for the result is what every other provider does.
  const waits = tool.get("behavior") === "BLOCKING" || tool.get("behavior") === "UNSPECIFIED";
  tool.noteOthers(waits ? blockingMembers : functionMembers);
  const name = asFilledString(tool.get("name"));
  if (name === undefined) throw invalid(tool.pathOf("name"), "must be a non-empty string");
  const description = asString(tool.get("description"));
  const schema = schemaOf(tool);
  return {
    kind: "function",
    name,
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    path: tool.path,
  };
}

function schemaOf(tool: Members): JsonObject | undefined {
  for (const name of ["parametersJsonSchema", "parameters"]) {
    const schema = tool.get(name);
    if (isObject(schema)) return readSchema(schema);
  }
  return undefined;
}
