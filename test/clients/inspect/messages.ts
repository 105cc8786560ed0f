/** A Messages request, read as strictly as a provider reads it. */
import {
  checkUnique,
  isObject,
  objectsIn,
  offered,
  startInspection,
  text,
  type Check,
  type Inspection,
  type JsonObject,
} from "./inspection.ts";

const blockTypes: Record<string, string[]> = {
  user: ["text", "image", "document", "tool_result", "search_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"],
  system: ["text"],
};

export function inspectMessages(body: JsonObject): Inspection {
  const { inspection, check } = startInspection();
  check(Number.isInteger(body["max_tokens"]) && Number(body["max_tokens"]) >= 1, "max_tokens");
  const system = body["system"];
  check(
    system === undefined || typeof system === "string" || objectsIn(system).length > 0,
    "system",
  );
  for (const tool of objectsIn(body["tools"])) {
    if (tool["type"] !== undefined && tool["type"] !== "custom") continue;
    inspection.tools.push(offered({ name: tool["name"], schema: tool["input_schema"] }, check));
  }
  checkUnique(
    inspection.tools.map(({ name }) => name),
    check,
    "tool name",
  );
  let open: string[] = [];
  for (const [index, message] of objectsIn(body["messages"]).entries()) {
    open = readMessage(message, { inspection, check, open, where: `messages[${index}]` });
  }
  check(open.length === 0, `${open.join(", ")} unanswered at the end`);
  return inspection;
}

interface Reading {
  inspection: Inspection;
  check: Check;
  /** Calls of the message before that want a result in this one. */
  open: string[];
  where: string;
}

function readMessage(message: JsonObject, { inspection, check, open, where }: Reading): string[] {
  const role = text(message["role"]);
  const content = message["content"];
  const blocks =
    typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
  check(role in blockTypes, `${where}: role ${role}`);
  check(blocks.length > 0, `${where}: empty content`);
  const results = blocks.filter((block) => block["type"] === "tool_result");
  const answered = results.map((block) => text(block["tool_use_id"]));
  const same = answered.length === open.length && open.every((id) => answered.includes(id));
  check(
    role === "system" || same,
    `${where}: answers ${answered.join(", ")} to calls ${open.join(", ")}`,
  );
  const first = blocks.findIndex((block) => block["type"] !== "tool_result");
  check(first === -1 || first >= results.length, `${where}: results do not come first`);
  for (const block of blocks)
    readBlock(block, { inspection, check, open, where: `${where} ${role}` }, role);
  if (role === "system") return open;
  const calls = blocks
    .filter((block) => block["type"] === "tool_use")
    .map((block) => text(block["id"]));
  checkUnique(calls, check, "call id");
  return calls;
}

function readBlock(block: JsonObject, { inspection, check, where }: Reading, role: string): void {
  const type = text(block["type"]);
  check(blockTypes[role]?.includes(type) ?? false, `${where}: block of type ${type}`);
  if (type === "text") check(text(block["text"]) !== "", `${where}: empty text`);
  if (type === "thinking") {
    check(text(block["signature"]) !== "", `${where}: thinking without a signature`);
    inspection.states.push(text(block["signature"]));
  }
  if (type === "tool_use") {
    check(/^[a-zA-Z0-9_-]+$/.test(text(block["id"])), `${where}: call id ${text(block["id"])}`);
    check(isObject(block["input"]), `${where}: input of ${text(block["name"])} is not an object`);
    inspection.calls.push({ id: text(block["id"]), name: text(block["name"]) });
  }
  if (type === "tool_result")
    inspection.results.push({ id: text(block["tool_use_id"]), text: resultText(block) });
}

function resultText(block: JsonObject): string {
  const content = block["content"];
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map((part) =>
      part["type"] === "tool_reference" ? text(part["tool_name"]) : text(part["text"]),
    )
    .join("");
}
