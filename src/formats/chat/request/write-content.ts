/** Blocks as the content parts of a chat request. */
import { invalid } from "../../../core/problem.ts";
import type { Block } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import {
  noteCacheMark,
  noteCitations,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { isMedia, textParts, writeMedia } from "./write-media.ts";

/** Parts of a user message. Throws M300 for what chat has no part for. */
export function writeContent(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return blocks.flatMap((block) => writePart(block, context));
}

/** All that the blocks say in words, without media. */
export function plainText(blocks: readonly Block[], joint: string, context: WriteContext): string {
  const parts = writeContent(
    blocks.filter((block) => !isMedia(block)),
    context,
  );
  return parts
    .map((part) => part["text"])
    .filter((text) => typeof text === "string")
    .join(joint);
}

function writePart(block: Block, context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      noteCacheMark(block, context);
      noteCitations(block, context);
      return textParts(block.text);
    case "refusal":
      return textParts(block.text);
    case "reference":
      return textParts(`Loaded tool: ${block.tool}`);
    case "media":
      noteCacheMark(block, context);
      return writeMedia(block, (blocks) => writeContent(blocks, context), context);
    case "opaque":
      if (block.text === undefined && block.weight === "essential")
        throw invalid(block.path, `${block.type} cannot be sent to this model`);
      context.dropped.add(block.path);
      return textParts(block.text ?? "");
    case "thinking":
      context.dropped.add(block.path);
      return [];
    case "call":
    case "result":
      return [];
    default:
      return block satisfies never;
  }
}
