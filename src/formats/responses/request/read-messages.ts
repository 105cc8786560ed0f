/** `input` items as messages. Items of the model that follow one another are one assistant turn. */
import { invalid } from "../../../core/problem.ts";
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import { isSet, noteUnknownMembers } from "../../../translation/unsupported.ts";
import { addSpeech, type Conversation } from "./conversation.ts";
import { element, member, type IndexedPosition } from "./position.ts";
import { readCallItem, readResultItem } from "./read-calls.ts";
import { readClientToolItem, readClientToolResultItem } from "./read-client-tools.ts";
import { readContent } from "./read-content.ts";
import { readProviderItem } from "./read-provider-items.ts";
import { readReasoningItem } from "./read-thinking.ts";
import { readTools } from "./read-tools.ts";

/** Reads `input` into the conversation. */
export function readMessages(
  input: JsonValue | undefined,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  if (typeof input === "string") {
    conversation.messages.push({ role: "user", blocks: [{ kind: "text", text: input }] });
    return;
  }
  const items = asArray(input);
  // Routing looks for this path: it comes before others fill the list.
  if (items.some((item) => isObject(item) && typeOf(item) === "item_reference"))
    position.unsupported.add(`${position.path}[]`);
  items.forEach((item, index) => {
    const at = element(position, index);
    if (!isObject(item)) throw invalid(at.indexedPath, "must be an object");
    readItem(item, at, conversation);
  });
}

function readItem(item: JsonObject, position: IndexedPosition, conversation: Conversation): void {
  const type = typeOf(item);
  switch (type) {
    case "message":
      return readMessage(item, position, conversation);
    case "reasoning":
      return readReasoningItem(item, position, conversation);
    case "function_call":
    case "custom_tool_call":
      return readCallItem(item, position, conversation);
    case "function_call_output":
    case "custom_tool_call_output":
      return readResultItem(item, position, conversation);
    case "additional_tools":
      appendAll(
        conversation.tools,
        readTools(item["tools"], member(position, "tools"), conversation),
      );
      return noteUnknownMembers(item, additionalMembers, position);
    case "item_reference":
      return;
    case "tool_search_call":
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call":
      return readClientToolItem(item, position, conversation);
    case "tool_search_output":
    case "local_shell_call_output":
    case "shell_call_output":
    case "apply_patch_call_output":
      return readClientToolResultItem(item, position, conversation);
    default:
      return readProviderItem(item, position, conversation);
  }
}

function typeOf(item: JsonObject): string | undefined {
  const type = asString(item["type"]);
  if (type !== undefined) return type;
  if (item["role"] !== undefined) return "message";
  return item["id"] === undefined ? undefined : "item_reference";
}

const messageMembers = new Set(["type", "role", "content"]);
const additionalMembers = new Set(["type", "role", "tools"]);

function readMessage(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  noteUnknownMembers(item, messageMembers, position);
  const blocks = readContent(item["content"], member(position, "content"));
  switch (item["role"]) {
    case "system":
    case "developer":
      conversation.messages.push({ role: "instruction", voice: item["role"], blocks });
      return;
    case "user":
      conversation.messages.push({ role: "user", blocks });
      return;
    case "assistant":
      return addSpeech(blocks, asString(item["phase"]), conversation);
    default:
      throw invalid(`${position.indexedPath}.role`, "must be user, assistant, system or developer");
  }
}

/** `instructions`: text, or the items that a stored response repeats, read where they stand. */
export function readInstructions(
  value: JsonValue | undefined,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  if (typeof value === "string") {
    if (value !== "")
      conversation.messages.push({
        role: "instruction",
        top: true,
        blocks: readContent(value, position),
      });
    return;
  }
  if (isSet(value)) {
    if (!Array.isArray(value)) throw invalid(position.indexedPath, "must be a string");
    readMessages(value, position, conversation);
  }
}
