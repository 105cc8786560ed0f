/** Content of a Messages request as neutral blocks: one small reader for each kind of block. */
import { asArray, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, TextBlock, ThinkingBlock } from "../../../core/request.ts";
import { readCitation } from "../shared/citations.ts";
import { cacheMarkOf } from "./read-cache-mark.ts";
import { readCall, readResult } from "./read-calls.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";
import { readDocument, readImage, readSearchResult } from "./read-media.ts";
import { readProviderBlock } from "./read-provider-blocks.ts";
import { giveState, readCallState, readThinking, type CallState } from "./read-thinking.ts";
import { readReference, readToolChange } from "./read-tool-changes.ts";

const textKeys = new Set(["type", "text", "cache_control", "citations"]);

/** `path` is that of the `content` member. */
export function readContent(
  content: JsonValue | undefined,
  path: string,
  context: RequestReadContext,
): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  const parts = asArray(content);
  const at = `${path}[]`;
  const blocks: Block[] = [];
  /** State that waits for the call after it. */
  let waiting: CallState | undefined;
  for (const part of parts) {
    if (!isObject(part)) throw invalid(at, "must be an object");
    const callState = readCallState(part, at, context);
    if (callState?.owner === "next") {
      waiting = callState;
      continue;
    }
    if (callState && giveState(blocks.at(-1), callState)) continue;
    const read = readBlock(part, at, context);
    if (waiting && !giveState(read[0], waiting)) blocks.push(withoutCall(waiting));
    waiting = undefined;
    appendAll(blocks, read);
  }
  if (waiting) blocks.push(withoutCall(waiting));
  return blocks;
}

/** State whose call is gone stays where the client put it. */
function withoutCall({ state, path }: CallState): ThinkingBlock {
  return { kind: "thinking", text: "", state, path };
}

function readBlock(part: JsonObject, path: string, context: RequestReadContext): Block[] {
  switch (part["type"]) {
    case "text":
      return readText(part, path, context);
    case "image":
      return [readImage(part, path, context)];
    case "document":
      return [readDocument(part, path, { context, readContent })];
    case "search_result":
      return [readSearchResult(part, path, { context, readContent })];
    case "thinking":
    case "redacted_thinking":
      return [readThinking(part, path, context)];
    case "tool_use":
      return [readCall(part, path, context)];
    case "tool_result":
      return [readResult(part, path, { context, readContent })];
    case "tool_reference":
      return readReference(part, path, context);
    case "tool_addition":
    case "tool_removal":
      return readToolChange(part, path, context);
    default:
      return readProviderBlock(part, path, context);
  }
}

function readText(part: JsonObject, path: string, context: RequestReadContext): Block[] {
  noteUnknown(part, { path, known: textKeys }, context);
  const block: TextBlock = { kind: "text", text: needString(part, "text", path) };
  const cache = cacheMarkOf(part, path, context);
  if (cache) block.cache = cache;
  if (part["citations"] !== undefined) readCitations(block, part["citations"], { path, context });
  return [block];
}

/** Puts the citations of a text to it. */
function readCitations(
  block: TextBlock,
  list: JsonValue,
  { path, context }: { readonly path: string; readonly context: RequestReadContext },
): void {
  const citationsPath = `${path}.citations`;
  const citations = asArray(list).flatMap((value) => {
    const citation = readCitation(value);
    if (!citation) context.unsupported.add(citationsPath);
    return citation ?? [];
  });
  if (citations.length > 0) Object.assign(block, { citations, citationsPath });
}
