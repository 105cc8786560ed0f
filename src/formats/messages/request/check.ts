/** What the gateway itself demands of a Messages request, relays included. */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import { BlockCount, checkCount } from "../../../core/request-bounds.ts";
import { checkModelName } from "../../../translation/model-name.ts";

const roles: ReadonlySet<JsonValue> = new Set(["system", "user", "assistant"]);

/** Throws M300 that names the field when the body is not a Messages request. */
export function checkRequest(body: JsonObject): void {
  checkCountRequest(body);
  const limit = body["max_tokens"];
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
    throw invalid("max_tokens", "must be an integer of at least 1");
}

/** The same for a request that only asks for a count of its tokens: it has no `max_tokens`. */
export function checkCountRequest(body: JsonObject): void {
  checkModelName(body["model"]);
  const { stream, messages, tools, thread } = body;
  if (stream !== undefined && stream !== null && typeof stream !== "boolean")
    throw invalid("stream", "must be true or false");
  // The service that keeps a thread may have all of it already.
  const least = isObject(thread) && thread["type"] === "continue" ? 0 : 1;
  if (!Array.isArray(messages) || messages.length < least)
    throw invalid("messages", "must be a non-empty array");
  checkCount(messages, "messages", "messages");
  const blocks = new BlockCount();
  blocks.add(body["system"], "system");
  messages.forEach((message, index) => checkMessage(message, `messages[${index}]`, blocks));
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", "must be an array");
  checkCount(tools, "tools", "tools");
}

function checkMessage(message: JsonValue, path: string, blocks: BlockCount): void {
  if (!isObject(message)) throw invalid(path, "must be an object");
  if (!roles.has(message["role"] ?? null))
    throw invalid(`${path}.role`, "must be one of system, user, assistant");
  const { content } = message;
  if (content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content)) throw invalid(`${path}.content`, "must be a string or an array");
  blocks.add(content, `${path}.content`);
  content.forEach((part, at) => {
    if (!isObject(part)) throw invalid(`${path}.content[${at}]`, "must be an object");
    if (typeof part["type"] !== "string")
      throw invalid(`${path}.content[${at}].type`, "must be a string");
    countInside(part, `${path}.content`, blocks);
  });
}

/** Counts the blocks in a block: those of a result, or of a document, which may hold others. */
function countInside(block: JsonObject, path: string, blocks: BlockCount): void {
  const { content, source } = block;
  for (const list of [content, isObject(source) ? source["content"] : undefined]) {
    if (!Array.isArray(list)) continue;
    blocks.add(list, path);
    for (const inner of list) if (isObject(inner)) countInside(inner, path, blocks);
  }
}
