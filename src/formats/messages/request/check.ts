/** What the gateway itself demands of a Messages request, relays included. */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";

const roles: ReadonlySet<JsonValue> = new Set(["system", "user", "assistant"]);
const longestModel = 512;

/** Throws M300 that names the field when the body is not a Messages request. */
export function checkRequest(body: JsonObject): void {
  checkCountRequest(body);
  const limit = body["max_tokens"];
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
    throw invalid("max_tokens", "must be an integer of at least 1");
}

/** The same for a request that only asks for a count of its tokens: it has no `max_tokens`. */
export function checkCountRequest(body: JsonObject): void {
  checkModel(body["model"]);
  const { stream, messages, tools, thread } = body;
  if (stream !== undefined && stream !== null && typeof stream !== "boolean")
    throw invalid("stream", "must be true or false");
  // The service that keeps a thread may have all of it already.
  const least = isObject(thread) && thread["type"] === "continue" ? 0 : 1;
  if (!Array.isArray(messages) || messages.length < least)
    throw invalid("messages", "must be a non-empty array");
  messages.forEach(checkMessage);
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", "must be an array");
}

function checkModel(model: JsonValue | undefined): void {
  if (typeof model !== "string" || model === "")
    throw invalid("model", "must be a non-empty string");
  if (model.length > longestModel)
    throw invalid("model", `must have at most ${longestModel} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(model))
    throw invalid("model", "must not hold control characters");
}

function checkMessage(message: JsonValue, index: number): void {
  const path = `messages[${index}]`;
  if (!isObject(message)) throw invalid(path, "must be an object");
  if (!roles.has(message["role"] ?? null))
    throw invalid(`${path}.role`, "must be one of system, user, assistant");
  const { content } = message;
  if (content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content)) throw invalid(`${path}.content`, "must be a string or an array");
  content.forEach((part, at) => {
    if (!isObject(part)) throw invalid(`${path}.content[${at}]`, "must be an object");
    if (typeof part["type"] !== "string")
      throw invalid(`${path}.content[${at}].type`, "must be a string");
  });
}
