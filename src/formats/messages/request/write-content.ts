/** Neutral blocks as content blocks. */
import type { JsonObject } from "../../../lib/json.ts";
import { inputObject } from "../../../translation/call-inputs.ts";
import { invalid } from "../../../core/problem.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type {
  Block,
  CallBlock,
  CacheMark,
  Message,
  OpaqueBlock,
  ResultBlock,
  ThinkingBlock,
} from "../../../core/request.ts";
import { writeMedia } from "./write-media.ts";
import { marked, type WriteContext } from "./write-context.ts";

/** Content of one message; thinking of this provider stands first, as it demands. */
export function writeBlocks(
  blocks: readonly Block[],
  role: Message["role"],
  context: WriteContext,
): JsonObject[] {
  const content = blocks.flatMap((block) => writeBlock(block, role, context));
  if (role !== "assistant" || isThinking(content[0])) return content;
  const thoughts = content.filter(isThinking);
  return thoughts.length === 0
    ? content
    : [...thoughts, ...content.filter((block) => !isThinking(block))];
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";
}

function writeBlock(block: Block, role: Message["role"], context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      // What it cites, this dialect lets only its own provider say.
      if (block.citationsPath !== undefined) context.dropped.add(block.citationsPath);
      return writeText(block.text, context, block.cache);
    case "refusal":
      return writeText(block.text, context);
    case "reference":
      return writeText(`Loaded tools: ${block.tool}`, context);
    case "media":
      // The model's own turns hold no media here.
      if (role === "user" || role === "instruction")
        return writeMedia(block, context, (parts) => writeBlocks(parts, "user", context));
      context.dropped.add(block.path);
      return [];
    case "thinking":
      return writeThinking(block, context);
    case "call":
      return [writeCall(block, context)];
    case "result":
      return [writeResult(block, context)];
    case "opaque":
      return writeOpaque(block, context);
    default:
      return block satisfies never;
  }
}

/** The provider refuses text without a visible character. */
export function writeText(text: string, context: WriteContext, cache?: CacheMark): JsonObject[] {
  return /\S/.test(text) ? [marked({ type: "text", text }, cache, context)] : [];
}

/** Only thinking that this very provider signed may go back to it. */
function writeThinking(block: ThinkingBlock, context: WriteContext): JsonObject[] {
  const { state } = block;
  if (state && belongsTo(state, context.target)) {
    return state.type === "redacted"
      ? [{ type: "redacted_thinking", data: state.data }]
      : [{ type: "thinking", thinking: block.text, signature: state.data }];
  }
  if (block.path !== "") context.dropped.add(block.path);
  return [];
}

function writeCall(block: CallBlock, context: WriteContext): JsonObject {
  // State beside a call is never this dialect's own.
  if (block.statePath !== undefined) context.dropped.add(block.statePath);
  return marked(
    {
      type: "tool_use",
      id: block.id,
      name: context.names.toWire(block.name, block.namespace),
      input: block.call === "custom" ? { input: block.input } : inputObject(block.input),
    },
    block.cache, context);
}

function writeResult(block: ResultBlock, context: WriteContext): JsonObject {
  const content = block.blocks.flatMap((part) => writeBlock(part, "user", context));
  // An error must say something.
  if (content.length === 0 && block.isError === true)
    content.push({ type: "text", text: "The tool failed without a message." });
  return marked(
    {
      type: "tool_result",
      tool_use_id: block.id,
      ...(content.length > 0 && { content: plain(content) }),
      ...(block.isError === true && { is_error: true }),
    },
    block.cache, context);
}

/** One plain text is written as such. */
function plain(content: JsonObject[]): JsonObject[] | string {
  const [only] = content;
  const text = only?.["text"];
  const bare = content.length === 1 && only?.["cache_control"] === undefined;
  return bare && typeof text === "string" ? text : content;
}

function writeOpaque(block: OpaqueBlock, context: WriteContext): JsonObject[] {
  if (block.weight === "essential" && block.text === undefined)
    throw invalid(block.path, `this provider knows no block of type ${block.type}`);
  if (block.path !== "") context.dropped.add(block.path);
  return block.weight === "essential" ? writeText(block.text ?? "", context) : [];
}
