/** Normalized messages as chat messages. */
import type { Block, Message, ThinkingBlock } from "../../../core/request.ts";
import { asArray, isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import { writeCalls, writeResult } from "./write-calls.ts";
import { plainText, writeContent } from "./write-content.ts";
import { isMedia } from "./write-media.ts";

export function writeMessages(messages: readonly Message[], context: WriteContext): JsonObject[] {
  return messages.flatMap((message) => {
    switch (message.role) {
      case "instruction":
        return writeInstruction(message, context);
      case "user":
        return writeUser(message, context);
      case "assistant":
        return writeAssistant(message, context);
      default:
        return message.role satisfies never;
    }
  });
}

function writeInstruction(message: Message, context: WriteContext): JsonObject[] {
  for (const block of message.blocks) if (isMedia(block)) context.dropped.add(block.path);
  const content = plainText(message.blocks, "\n\n", context);
  if (content === "") return [];
  const role =
    message.voice === "developer" && context.target.traits.developerRole ? "developer" : "system";
  return [{ role, content }];
}

/** Results become tool messages of their own; the media in them follow in the user message after all of them. */
function writeUser(message: Message, context: WriteContext): JsonObject[] {
  const results = message.blocks.filter((block) => block.kind === "result");
  const rest = message.blocks.filter((block) => block.kind !== "result");
  const media = results.flatMap((result) => result.blocks.filter(isMedia));
  const parts = writeContent([...media, ...rest], context);
  const out = results.map((result) => writeResult(result, context));
  if (parts.length > 0) out.push({ role: "user", content: contentOf(parts), ...nameOf(message) });
  return out;
}

function nameOf(message: Message): JsonObject {
  return message.name === undefined ? {} : { name: message.name };
}

/** One text alone goes as a string: every server knows that form. */
function contentOf(parts: JsonObject[]): JsonObject[] | string {
  const [only] = parts;
  return parts.length === 1 && typeof only?.["text"] === "string" ? only["text"] : parts;
}

function writeAssistant(message: Message, context: WriteContext): JsonObject[] {
  const { blocks } = message;
  const refused = context.target.traits.openAiFields ? refusalOf(blocks) : "";
  const spoken = blocks.filter(
    (block) => block.kind !== "thinking" && (refused === "" || block.kind !== "refusal"),
  );
  const text = plainText(spoken, jointOf(blocks), context);
  const calls = writeCalls(blocks, context);
  noteMedia(blocks, context);
  const thinking = writeThinking(blocks, context);
  const members = {
    ...(refused !== "" && { refusal: refused }),
    ...thinking,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  if (text === "" && Object.keys(members).length === 0) return [];
  const silent = text === "" && (calls.length > 0 || refused !== "");
  return [{ role: "assistant", content: silent ? null : text, ...members }];
}

/** Text that was cut for its citations belongs together; other texts are paragraphs. */
function jointOf(blocks: readonly Block[]): string {
  return blocks.some((block) => block.kind === "text" && block.citations !== undefined)
    ? ""
    : "\n\n";
}

function refusalOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === "refusal" ? block.text : "")).join("");
}

/** Assistant messages of chat hold words only. */
function noteMedia(blocks: readonly Block[], context: WriteContext): void {
  for (const block of blocks) if (isMedia(block)) context.dropped.add(block.path);
}

function writeThinking(blocks: readonly Block[], context: WriteContext): JsonObject {
  const thinking = blocks.filter((block) => block.kind === "thinking");
  const details = thinking.flatMap((block) => ownDetails(block, context));
  const text = thinking.map((block) => block.text).join("");
  const echo = context.target.traits.reasoningEcho && text !== "";
  return {
    ...(echo && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** The details that this very provider made; everything else about the block is reported unless its words are echoed. */
function ownDetails(block: ThinkingBlock, context: WriteContext): JsonObject[] {
  if (block.state && belongsTo(block.state, context.target)) {
    const value = parseJson(block.state.data);
    return asArray(value).filter(isObject);
  }
  if (block.state !== undefined || !context.target.traits.reasoningEcho)
    context.dropped.add(block.path);
  return [];
}
