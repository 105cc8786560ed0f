/** Neutral blocks as content blocks of a Messages request. */
import type { JsonObject } from "../../../lib/json.ts";
import { flatMapped } from "../../../lib/lists.ts";
import { invalid } from "../../../core/problem.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type {
  Block,
  CacheMark,
  Message,
  OpaqueBlock,
  ThinkingBlock,
} from "../../../core/request.ts";
import { noteCitations } from "../../../translation/write-context.ts";
import { writeMedia } from "./write-media.ts";
import { writeCall, writeResult } from "./write-calls.ts";
import { withCacheMark, type MessagesWriteContext } from "./write-cache-marks.ts";

/** Content of one message; thinking of this provider stands first, as it demands. */
export function writeContent(
  blocks: readonly Block[],
  role: Message["role"],
  context: MessagesWriteContext,
): JsonObject[] {
  const content = flatMapped(blocks, (block) => writeBlock(block, role, context));
  if (role !== "assistant" || isThinking(content[0])) return content;
  const thoughts = content.filter(isThinking);
  return thoughts.length === 0
    ? content
    : [...thoughts, ...content.filter((block) => !isThinking(block))];
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";
}

function writeBlock(
  block: Block,
  role: Message["role"],
  context: MessagesWriteContext,
): JsonObject[] {
  switch (block.kind) {
    case "text":
      // Messages takes citations only from the provider that made them.
      noteCitations(block, context);
      return writeText(block.text, context, block.cache);
    case "refusal":
      return writeText(block.text, context);
    case "reference":
      return writeText(`Loaded tools: ${block.tool}`, context);
    case "media":
      // The model's own turns hold no media here.
      if (role === "user" || role === "instruction")
        return writeMedia(block, (parts) => writeContent(parts, "user", context), context);
      context.dropped.add(block.path);
      return [];
    case "thinking":
      return writeThinking(block, context);
    case "call":
      return [writeCall(block, context)];
    case "result":
      return [writeResult(block, writeContent(block.blocks, "user", context), context)];
    case "opaque":
      return writeOpaque(block, context);
    default:
      return block satisfies never;
  }
}

/** The provider refuses text without a visible character. */
export function writeText(
  text: string,
  context: MessagesWriteContext,
  cache?: CacheMark,
): JsonObject[] {
  return /\S/.test(text) ? [withCacheMark({ type: "text", text }, cache, context)] : [];
}

/** Only thinking that this very provider signed may go back to it. */
function writeThinking(block: ThinkingBlock, context: MessagesWriteContext): JsonObject[] {
  const { state } = block;
  if (state && belongsTo(state, context.target)) {
    return state.type === "redacted"
      ? [{ type: "redacted_thinking", data: state.data }]
      : [{ type: "thinking", thinking: block.text, signature: state.data }];
  }
  if (block.path !== "") context.dropped.add(block.path);
  return [];
}

function writeOpaque(block: OpaqueBlock, context: MessagesWriteContext): JsonObject[] {
  if (block.weight === "essential" && block.text === undefined)
    throw invalid(block.path, `this provider doesn't support blocks of type ${block.type}`);
  if (block.path !== "") context.dropped.add(block.path);
  return block.weight === "essential" ? writeText(block.text ?? "", context) : [];
}
