/**
 * Blocks that only Anthropic knows: provider-run tools, their results, and what it keeps between turns. Other
 * providers cannot be sent them; their text is kept where it matters.
 */
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import type { Block, OpaqueBlock } from "../../../core/request.ts";
import { isForeignResult, resultText } from "../shared/search-results.ts";
import { readCacheMark } from "./read-cache-mark.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

export function readProviderBlock(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): Block[] {
  const type = String(part["type"]);
  if (type === "compaction") return readCompaction(part, path, context);
  if (type === "tool_search_tool_result") noteFound(part, context);
  // What the gateway found for another model is read by every model.
  if (isForeignResult(part)) return [{ kind: "text", text: resultText(part) }];
  const weight = context.speaker === "assistant" || isTrace(type) ? "auxiliary" : "essential";
  return [opaque(part, path, weight)];
}

/**
 * Traces of what happened on the provider's side: the answer that followed says what came of it. So is whatever
 * else the model's own turns hold.
 */
function isTrace(type: string): boolean {
  return (
    type.endsWith("tool_use") ||
    type.endsWith("_tool_result") ||
    type === "fallback" ||
    type === "mcp_tool_listing" ||
    type === "browser_state"
  );
}

const compactionKeys = new Set(["type", "content", "cache_control"]);

/** The summary stands for everything before it; without one, and nothing encrypted, it failed. */
function readCompaction(part: JsonObject, path: string, context: RequestReadContext): Block[] {
  const text = asString(part["content"]);
  if (text !== undefined) {
    noteUnknown(part, { path, known: compactionKeys }, context);
    return [{ kind: "text", text, ...readCacheMark(part, path, context) }];
  }
  const hidden = typeof part["encrypted_content"] === "string";
  return [opaque(part, path, hidden ? "essential" : "auxiliary")];
}

function noteFound(part: JsonObject, context: RequestReadContext): void {
  const content = part["content"];
  const found = isObject(content) ? asArray(content["tool_references"]) : [];
  for (const reference of found) {
    const name = isObject(reference) ? asString(reference["tool_name"]) : undefined;
    if (name !== undefined) context.loaded.add(name);
  }
}

function opaque(part: JsonObject, path: string, weight: OpaqueBlock["weight"]): OpaqueBlock {
  const text = asString(part["text"]);
  return {
    kind: "opaque",
    format: "messages",
    type: String(part["type"]),
    raw: part,
    weight,
    path,
    ...(text !== undefined && { text }),
  };
}
