/** Blocks that need nothing of their neighbours, as Gemini's parts. */
import { invalid } from "../../../core/problem.ts";
import type { Block, OpaqueBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteMarks, type WriteContext } from "../../../translation/write-context.ts";
import { writeCall } from "./write-calls.ts";
import { writeMedia } from "./write-media.ts";

/** Throws M300 for what Gemini has no part for. */
export function writeContent(block: Block, context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
    case "refusal":
      noteMarks(block, context);
      return block.text === "" ? [] : [{ text: block.text }];
    case "media":
      return writeMedia(block, context);
    case "reference":
      return [{ text: `Loaded tools: ${block.tool}` }];
    case "opaque":
      return opaqueParts(block, context);
    case "call":
      return [writeCall(block, context)];
    case "thinking":
      // Only an assistant thinks.
      context.dropped.add(block.path);
      return [];
    case "result":
      // Results were taken out before.
      return [];
    default:
      return block satisfies never;
  }
}

function opaqueParts(block: OpaqueBlock, context: WriteContext): JsonObject[] {
  if (block.weight === "essential" && block.text === undefined)
    throw invalid(block.path, `the provider's format has no ${block.type}`);
  context.dropped.add(block.path);
  return block.weight === "essential" ? [{ text: block.text ?? "" }] : [];
}
