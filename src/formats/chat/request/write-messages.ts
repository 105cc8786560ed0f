/** Normalized messages as chat messages. */
import type { Block, Message, ResultBlock, ThinkingBlock } from "../../../core/request.ts";
import { asArray, isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { appendAll, flatMapped } from "../../../lib/lists.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import { writeCalls, writeResult } from "./write-calls.ts";
import { plainText, writeContent } from "./write-content.ts";
import { isMedia } from "./write-media.ts";

export function writeMessages(messages: readonly Message[], context: WriteContext): JsonObject[] {
  return flatMapped(messages, (message) => writeMessage(message, context));
}

function writeMessage(message: Message, context: WriteContext): JsonObject[] {
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
  const results: ResultBlock[] = [];
  const media: Block[] = [];
  const rest: Block[] = [];
  for (const block of message.blocks) {
    if (block.kind !== "result") rest.push(block);
    else {
      results.push(block);
      for (const part of block.blocks) if (isMedia(part)) media.push(part);
    }
  }
  appendAll(media, rest);
  const parts = writeContent(media, context);
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
  const text = plainText(spokenOf(blocks, refused !== ""), jointOf(blocks), context);
  const calls = writeCalls(blocks, context);
  noteMedia(blocks, context);
  const members: JsonObject = {};
  if (refused !== "") members["refusal"] = refused;
  writeThinking(blocks, members, context);
  if (calls.length > 0) members["tool_calls"] = calls;
  const silent = text === "" && (calls.length > 0 || refused !== "");
  if (text === "" && !silent && Object.keys(members).length === 0) return [];
  return [{ role: "assistant", content: silent ? null : text, ...members }];
}

/** The blocks whose words are the message's content; a refusal may have a member of its own. */
function spokenOf(blocks: readonly Block[], refuses: boolean): readonly Block[] {
  return blocks.filter(
    ({ kind }) => kind !== "thinking" && kind !== "call" && !(refuses && kind === "refusal"),
  );
}

/** Text that was cut for its citations belongs together; other texts are paragraphs. */
function jointOf(blocks: readonly Block[]): string {
  return blocks.some((block) => block.kind === "text" && block.citations !== undefined)
    ? ""
    : "\n\n";
}

function refusalOf(blocks: readonly Block[]): string {
  let words = "";
  for (const block of blocks) if (block.kind === "refusal") words += block.text;
  return words;
}

/** Assistant messages of chat hold words only. */
function noteMedia(blocks: readonly Block[], context: WriteContext): void {
  for (const block of blocks) if (isMedia(block)) context.dropped.add(block.path);
}

/** Puts what a message thought into its members. */
function writeThinking(blocks: readonly Block[], members: JsonObject, context: WriteContext): void {
  const details: JsonObject[] = [];
  let text = "";
  for (const block of blocks) {
    if (block.kind !== "thinking") continue;
    appendAll(details, ownDetails(block, context));
    text += block.text;
  }
  if (context.target.traits.reasoningEcho && text !== "") members["reasoning_content"] = text;
  if (details.length > 0) members["reasoning_details"] = details;
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
