/** Tool calls and their outputs among the items of a Responses request. */
import { invalid } from "../../../core/problem.ts";
import { asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { addCall, addResult, type Conversation } from "./conversation.ts";
import { member, type IndexedPosition } from "./position.ts";
import { readContent } from "./read-content.ts";

const callMembers = new Set(["type", "call_id", "name", "namespace", "arguments", "input"]);
const outputMembers = new Set(["type", "call_id", "output"]);

export function readCallItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  noteUnknownMembers(item, callMembers, position);
  const name = asString(item["name"]);
  if (name === undefined) throw invalid(`${position.indexedPath}.name`, "must be a string");
  const namespace = asString(item["namespace"]);
  const custom = item["type"] === "custom_tool_call";
  addCall(
    {
      kind: "call",
      id: callIdOf(item, position),
      name,
      ...(namespace !== undefined && namespace !== "" && { namespace }),
      call: custom ? "custom" : "function",
      input: inputText(custom ? item["input"] : item["arguments"]),
    },
    conversation,
  );
}

function inputText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function callIdOf(item: JsonObject, position: IndexedPosition): string {
  const id = asString(item["call_id"]) ?? asString(item["id"]);
  if (id === undefined) throw invalid(`${position.indexedPath}.call_id`, "must be a string");
  return id;
}

export function readResultItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  noteUnknownMembers(item, outputMembers, position);
  const output = item["output"];
  // Clients send objects where a string is meant; their JSON text is what the model would have read.
  const odd = isObject(output) || typeof output === "number" || typeof output === "boolean";
  const content = odd ? JSON.stringify(output) : output;
  addResult(
    {
      kind: "result",
      id: callIdOf(item, position),
      call: item["type"] === "custom_tool_call_output" ? "custom" : "function",
      blocks: readContent(content, member(position, "output")),
      path: position.path,
    },
    conversation,
  );
}
