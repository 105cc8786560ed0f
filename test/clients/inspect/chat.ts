/** A chat completions request, read as strictly as a provider reads it. */
import {
  checkUnique,
  isObject,
  objectsIn,
  offered,
  onlyMembers,
  startInspection,
  text,
  type Check,
  type Inspection,
  type JsonObject,
} from "./inspection.ts";

const members = [
  "model", "messages", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls", "max_tokens",
  "max_completion_tokens", "temperature", "top_p", "stop", "reasoning_effort", "response_format", "user",
  "prompt_cache_key", "metadata", "store", "n", "seed", "verbosity", "safety_identifier", "service_tier",
  "frequency_penalty", "presence_penalty",
]; // prettier-ignore

export function inspectChat(body: JsonObject): Inspection {
  const { inspection, check } = startInspection();
  onlyMembers(body, members, { check, where: "body" });
  for (const tool of objectsIn(body["tools"])) {
    check(tool["type"] === "function", `tool of type ${text(tool["type"])}`);
    const named = isObject(tool["function"]) ? tool["function"] : {};
    onlyMembers(named, ["name", "description", "parameters", "strict"], { check, where: "tool" });
    // Without parameters it takes none.
    const schema = named["parameters"] ?? { type: "object" };
    inspection.tools.push(offered({ name: named["name"], schema }, check));
  }
  checkUnique(
    inspection.tools.map(({ name }) => name),
    check,
    "tool name",
  );
  let open: string[] = [];
  for (const [index, message] of objectsIn(body["messages"]).entries()) {
    const where = `messages[${index}]`;
    const role = text(message["role"]);
    if (role !== "tool") {
      check(open.length === 0, `${where}: ${open.join(", ")} unanswered before a ${role} message`);
      open = [];
    }
    checkContent(message["content"], check, where);
    if (role === "assistant") open = readCalls(message, inspection, check);
    else if (role === "tool") open = readResult(message, { inspection, check, open });
    else check(["system", "developer", "user"].includes(role), `${where}: role ${role}`);
  }
  check(open.length === 0, `${open.join(", ")} unanswered at the end`);
  return inspection;
}

function readCalls(message: JsonObject, inspection: Inspection, check: Check): string[] {
  const ids: string[] = [];
  onlyMembers(message, ["role", "content", "tool_calls", "reasoning_content", "refusal"], {
    check,
    where: "assistant message",
  });
  for (const call of objectsIn(message["tool_calls"])) {
    const named = isObject(call["function"]) ? call["function"] : {};
    check(call["type"] === "function", `call of type ${text(call["type"])}`);
    check(isJson(named["arguments"]), `arguments of ${text(named["name"])} are not JSON`);
    ids.push(text(call["id"]));
    inspection.calls.push({ id: text(call["id"]), name: text(named["name"]) });
  }
  checkUnique(ids, check, "call id");
  return ids;
}

function readResult(
  message: JsonObject,
  { inspection, check, open }: { inspection: Inspection; check: Check; open: string[] },
): string[] {
  const id = text(message["tool_call_id"]);
  check(open.includes(id), `result of ${id} without its call right before it`);
  inspection.results.push({ id, text: contentText(message["content"]) });
  return open.filter((other) => other !== id);
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map((part) => text(part["text"]))
    .join("");
}

function checkContent(content: unknown, check: Check, where: string): void {
  if (content === null || content === undefined || typeof content === "string") return;
  for (const part of objectsIn(content)) {
    const known = ["text", "image_url", "input_audio", "file", "refusal"].includes(
      text(part["type"]),
    );
    check(known, `${where}: part of type ${text(part["type"])}`);
    onlyMembers(part, ["type", text(part["type"])], { check, where });
  }
}

function isJson(value: unknown): boolean {
  try {
    return typeof value === "string" && isObject(JSON.parse(value));
  } catch {
    return false;
  }
}
