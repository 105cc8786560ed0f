/** What the gateway itself demands of a Responses request, relays included. */
import { invalid } from "../../../core/problem.ts";
import { BlockCount, checkCount } from "../../../core/request-bounds.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { checkModelName } from "../../../translation/model-name.ts";

/** Throws `Problem` M300 that names the field. */
export function checkRequest(body: JsonObject): void {
  checkModelName(body["model"]);
  const stream = body["stream"];
  if (stream !== undefined && stream !== null && typeof stream !== "boolean")
    throw invalid("stream", "must be a boolean");
  const tools = body["tools"];
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", "must be an array");
  checkCount(tools, "tools", "tools");
  checkInput(body);
}

/** Members of an item that are lists of blocks. */
const blockLists = ["content", "summary", "output"];

/** What stands in for `input`: the conversation is at the provider. */
const otherInputs = ["previous_response_id", "conversation", "prompt"];

function checkInput(body: JsonObject): void {
  const input = body["input"];
  if (typeof input === "string") return;
  if (input === undefined || input === null) {
    if (otherInputs.some((name) => body[name] !== undefined && body[name] !== null)) return;
    throw invalid("input", "must be a string or an array of items");
  }
  if (!Array.isArray(input)) throw invalid("input", "must be a string or an array of items");
  checkCount(input, "input", "items");
  const blocks = new BlockCount();
  input.forEach((item, index) => {
    if (!isObject(item)) throw invalid(`input[${index}]`, "must be an object");
    for (const name of blockLists) blocks.add(item[name], `input[${index}].${name}`);
  });
}
