/** Blocks as the content parts of a chat request. */
import { invalid } from "../../../core/problem.ts";
import type { Block, TextBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { flatMapped } from "../../../lib/lists.ts";
import {
  noteCacheMark,
  noteCitations,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { isMedia, textParts, writeMedia } from "./write-media.ts";

/** Parts of a user message. Throws M300 for what chat has no part for. */
export function writeContent(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return flatMapped(blocks, (block) => writePart(block, context));
}

/** All that the blocks say in words, without media. */
export function plainText(blocks: readonly Block[], joint: string, context: WriteContext): string {
  const texts: string[] = [];
  for (const block of blocks) {
    // Most of what a conversation holds: no part is made of it only to be taken apart.
    if (block.kind === "text") texts.push(textOf(block, context));
    else if (!isMedia(block))
      for (const { text } of writePart(block, context))
        if (typeof text === "string") texts.push(text);
  }
  return joinedText(texts, joint);
}

function joinedText(texts: readonly string[], joint: string): string {
  const [only = ""] = texts;
  return texts.length <= 1 ? only : texts.filter((text) => text !== "").join(joint);
}

function textOf(block: TextBlock, context: WriteContext): string {
  noteCacheMark(block, context);
  noteCitations(block, context);
  return block.text;
}

function writePart(block: Block, context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      return textParts(textOf(block, context));
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
