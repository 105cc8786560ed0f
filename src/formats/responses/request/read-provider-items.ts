/** Items of provider-run tools, and whatever else only Responses knows. */
import { invalid } from "../../../core/problem.ts";
import type { OpaqueBlock } from "../../../core/request.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import type { Position } from "../../../translation/unsupported.ts";
import { addToAssistant, type Conversation } from "./conversation.ts";
import type { IndexedPosition } from "./position.ts";

/** Traces of what the provider did by itself: the answer that they led to stands in the conversation. */
const traces = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_list_tools",
  "mcp_call",
  "program",
  "program_output",
]);

export function readProviderItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  const type = asString(item["type"]);
  if (type === undefined) throw invalid(`${position.indexedPath}.type`, "must be a string");
  const block = opaqueBlock(item, type, position);
  if (/_(output|response)$/.test(type))
    conversation.messages.push({ role: "user", blocks: [block] });
  else addToAssistant(block, conversation);
}

function opaqueBlock(item: JsonObject, type: string, position: Position): OpaqueBlock {
  const text = textOf(item);
  return {
    kind: "opaque",
    format: "responses",
    type,
    raw: item,
    ...(text !== undefined && { text }),
    weight: traces.has(type) ? "auxiliary" : "essential",
    path: position.path,
  };
}

/** What an unknown item says in words, where it has the members that a message has. */
function textOf(item: JsonObject): string | undefined {
  const content = item["content"];
  if (typeof content === "string") return content;
  const texts = asArray(content).flatMap((part) =>
    isObject(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? asString(item["text"]) : texts.join("\n");
}
