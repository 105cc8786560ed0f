/** A Responses request, read as strictly as a provider reads it. */
import {
  checkUnique,
  objectsIn,
  offered,
  startInspection,
  text,
  toolName,
  type Check,
  type Inspection,
  type JsonObject,
  type OfferedTool,
} from "./inspection.ts";

const outputOf: Record<string, string> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};

export function inspectResponses(body: JsonObject): Inspection {
  const { inspection, check } = startInspection();
  const input = objectsIn(body["input"]);
  readTools(objectsIn(body["tools"]), inspection, check);
  const open = new Map<string, string>();
  for (const [index, item] of input.entries())
    readItem(item, { inspection, check, open, where: `input[${index}]` });
  check(open.size === 0, `${[...open.keys()].join(", ")} unanswered`);
  return inspection;
}

function readTools(tools: JsonObject[], inspection: Inspection, check: Check): void {
  for (const tool of tools) {
    const inside = tool["type"] === "namespace" ? objectsIn(tool["tools"]) : [tool];
    check(inside.length > 0, `namespace ${text(tool["name"])} without tools`);
    const space = tool["type"] === "namespace" ? { namespace: text(tool["name"]) } : {};
    inspection.tools.push(
      ...inside.flatMap((one) => readTool(one, check)).map((one) => ({ ...one, ...space })),
    );
  }
  const names = inspection.tools.map(({ namespace, name }) => `${namespace ?? ""}/${name}`);
  checkUnique(names, check, "tool name");
}

function readTool(tool: JsonObject, check: Check): OfferedTool[] {
  const name = text(tool["name"]);
  if (tool["type"] === "function") return [offered({ name, schema: tool["parameters"] }, check)];
  if (tool["type"] !== "custom") return [];
  check(toolName.test(name), `tool name ${name}`);
  return [{ name, custom: true, required: [] }];
}

interface Reading {
  inspection: Inspection;
  check: Check;
  /** Unanswered calls by id: the type of what answers them. */
  open: Map<string, string>;
  where: string;
}

function readItem(item: JsonObject, { inspection, check, open, where }: Reading): void {
  const type = text(item["type"] ?? "message");
  const id = text(item["call_id"]);
  switch (type) {
    case "message":
      checkMessage(item, check, where);
      return;
    case "reasoning":
      check(Array.isArray(item["summary"]), `${where}: reasoning without a summary list`);
      if (text(item["encrypted_content"]) !== "")
        inspection.states.push(text(item["encrypted_content"]));
      return;
    case "function_call":
    case "custom_tool_call":
      check(
        typeof item[type === "function_call" ? "arguments" : "input"] === "string",
        `${where}: no input`,
      );
      check(!open.has(id), `${where}: call id ${id} twice`);
      open.set(id, outputOf[type] ?? "");
      inspection.calls.push({ id, name: text(item["name"]) });
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      check(open.get(id) === type, `${where}: ${type} of ${id} without its call`);
      open.delete(id);
      inspection.results.push({ id, text: outputText(item["output"]) });
      return;
    case "additional_tools":
      readTools(objectsIn(item["tools"]), inspection, check);
      return;
    default:
      check(["tool_search_call", "tool_search_output"].includes(type), `${where}: type ${type}`);
  }
}

function checkMessage(item: JsonObject, check: Check, where: string): void {
  const role = text(item["role"]);
  check(["system", "developer", "user", "assistant"].includes(role), `${where}: role ${role}`);
  const allowed =
    role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
  for (const part of objectsIn(item["content"])) {
    check(
      allowed.includes(text(part["type"])),
      `${where}: ${role} part of type ${text(part["type"])}`,
    );
  }
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  return objectsIn(output)
    .map((part) => text(part["text"]))
    .join("");
}
