/** The search as a function that any model with tools can call, in place of the provider's own tool. */
import type { ModelRequest, Tool, ToolChoice } from "../../core/request.ts";

const usualName = "web_search";

const description =
  "Searches the web. Returns what was found with numbered sources. Where you use what a source says, write its number " +
  "in brackets behind the sentence, like [1].";

/** A name that no tool of the client has. */
export function searchName({ tools }: Pick<ModelRequest, "tools">): string {
  const taken = new Set(tools.flatMap((tool) => (tool.kind === "hosted" ? [] : [tool.name])));
  let name = usualName;
  for (let at = 2; taken.has(name); at++) name = `${usualName}_${at}`;
  return name;
}

/** The client's request with the function. `required`: the model must search first. */
export function withSearchFunction(
  request: ModelRequest,
  name: string,
  required: boolean,
): ModelRequest {
  const tools = request.tools.flatMap((tool) => (isSearch(tool) ? [] : [tool]));
  const path = request.tools.find(isSearch)?.path ?? "tools[]";
  return {
    ...request,
    tools: [...tools, functionTool(name, path)],
    choice: required ? { type: "tool", name } : choiceWith(request.choice, name),
  };
}

function functionTool(name: string, path: string): Tool {
  const query = { type: "string", description: "What to search for." };
  const schema = { type: "object", properties: { query }, required: ["query"] };
  return { kind: "function", name, description, schema, path };
}

/** A list of allowed tools names the search as the client knows it. */
function choiceWith(choice: ToolChoice | undefined, name: string): ToolChoice {
  if (choice === undefined || choice.type === "hosted") return { type: "auto" };
  if (choice.type !== "allowed") return choice;
  return { ...choice, names: choice.names.map((one) => (one === usualName ? name : one)) };
}

/** Whether a tool is a provider's search of the web. */
export function isSearch(tool: Tool): tool is Extract<Tool, { kind: "hosted" }> {
  return tool.kind === "hosted" && tool.means === "web_search";
}
