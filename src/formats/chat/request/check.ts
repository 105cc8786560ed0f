/** What the gateway itself demands of a chat request, on relays too. Everything else is the provider's to judge. */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import { BlockCount, checkCount } from "../../../core/request-bounds.ts";
import { checkModelName } from "../../../translation/model-name.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];
/** Members of a message that are lists of blocks. */
const blockLists = ["content", "tool_calls", "reasoning_details"];

/** Throws M300 naming the first field that is not as it must be. */
export function checkRequest(body: JsonObject): void {
  checkModelName(body["model"]);
  checkStream(body["stream"]);
  checkMessages(body["messages"]);
  const tools = body["tools"];
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", "must be an array");
  checkCount(tools, "tools", "tools");
}

function checkStream(stream: JsonValue | undefined): void {
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") {
    throw invalid("stream", "must be a boolean");
  }
}

function checkMessages(messages: JsonValue | undefined): void {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid("messages", "must be a non-empty array");
  checkCount(messages, "messages", "messages");
  const blocks = new BlockCount();
  messages.forEach((message, at) => {
    const path = `messages[${at}]`;
    if (!isObject(message)) throw invalid(path, "must be an object");
    const role = message["role"];
    if (typeof role !== "string" || !roles.includes(role)) {
      throw invalid(`${path}.role`, `must be one of ${roles.join(", ")}`);
    }
    for (const name of blockLists) blocks.add(message[name], `${path}.${name}`);
    checkContent(message["content"], `${path}.content`);
  });
}

function checkContent(content: JsonValue | undefined, path: string): void {
  if (content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content)) throw invalid(path, "must be a string, null or an array");
  content.forEach((part, at) => {
    if (!isObject(part)) throw invalid(`${path}[${at}]`, "must be an object");
    if (typeof part["type"] !== "string") throw invalid(`${path}[${at}].type`, "must be a string");
  });
}
