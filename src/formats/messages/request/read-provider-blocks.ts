/**
 * Blocks that only Anthropic's side knows: tools that it ran itself, their results, and what it keeps between
 * turns. Other providers cannot be given them; what they said in words is kept where it matters.
 */
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import type { Block, OpaqueBlock } from "../../../core/request.ts";
import { readCache } from "./members.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";

export function readServerBlock(part: JsonObject, path: string, notes: Notes): Block[] {
  const type = String(part["type"]);
  if (type === "compaction") return readCompaction(part, path, notes);
  if (type === "tool_search_tool_result") noteFound(part, notes);
  const weight = notes.speaker === "assistant" || isTrace(type) ? "auxiliary" : "essential";
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
function readCompaction(part: JsonObject, path: string, notes: Notes): Block[] {
  const text = asString(part["content"]);
  if (text !== undefined) {
    noteUnknownMembers(notes, part, { path, known: compactionKeys });
    return [{ kind: "text", text, ...readCache(part, path, notes) }];
  }
  const hidden = typeof part["encrypted_content"] === "string";
  return [opaque(part, path, hidden ? "essential" : "auxiliary")];
}

function noteFound(part: JsonObject, notes: Notes): void {
  const content = part["content"];
  const found = isObject(content) ? asArray(content["tool_references"]) : [];
  for (const reference of found) {
    const name = isObject(reference) ? asString(reference["tool_name"]) : undefined;
    if (name !== undefined) notes.loaded.add(name);
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
