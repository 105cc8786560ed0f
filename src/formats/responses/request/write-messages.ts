/** Messages as `instructions` and `input` items, in the order of the conversation. */
import { normalize } from "../../../translation/normalize.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type { Block, Message, ThinkingBlock } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { appendAll, flatMapped } from "../../../lib/lists.ts";
import { writeCall, writeResult } from "./write-calls.ts";
import { opaqueText, writeContent, writeSpokenText } from "./write-content.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

/** Longest `call_id` that the service takes. */
const longestId = 64;

export function writeMessages(context: WriteContext): {
  instructions?: string;
  input: JsonObject[];
} {
  const messages = normalize(context.request.messages, longestId);
  const top = messages.filter((message) => message.top === true);
  const rest = messages.filter((message) => message.top !== true);
  const input = flatMapped(rest, (message) => writeMessage(message, context));
  const instructions = topText(top, context);
  // A request needs some input: instructions alone are said as the first item.
  if (input.length === 0 && instructions !== undefined)
    return {
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: instructions }] },
      ],
    };
  return { input, ...(instructions !== undefined && { instructions }) };
}

/** `instructions` is plain text. */
function topText(messages: readonly Message[], context: WriteContext): string | undefined {
  const texts = messages
    .flatMap((message) => writeContent(message.blocks, context))
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function writeMessage(message: Message, context: WriteContext): JsonObject[] {
  if (message.name !== undefined) context.dropped.add("messages[].name");
  switch (message.role) {
    case "instruction": {
      const developer = message.voice === "developer" && context.target.traits.developerRole;
      return messageItem(developer ? "developer" : "system", writeContent(message.blocks, context));
    }
    case "user":
      return writeUser(message.blocks, context);
    case "assistant":
      return writeAssistant(message, context);
    default:
      return message.role satisfies never;
  }
}

function messageItem(role: string, content: JsonObject[]): JsonObject[] {
  return content.length === 0 ? [] : [{ type: "message", role, content }];
}

/** Results are items of their own; what stands between them is said by messages. */
function writeUser(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  const items: JsonObject[] = [];
  let spoken: Block[] = [];
  const speak = (): void => {
    appendAll(items, messageItem("user", writeContent(spoken, context)));
    spoken = [];
  };
  for (const block of blocks) {
    if (block.kind === "result") {
      speak();
      items.push(writeResult(block, context));
    } else if (isNative(block)) {
      speak();
      items.push(asObject(block.raw) ?? {});
    } else spoken.push(block);
  }
  speak();
  return items;
}

function writeAssistant(message: Message, context: WriteContext): JsonObject[] {
  const items: JsonObject[] = [];
  let parts: JsonObject[] = [];
  const speak = (): void => {
    if (parts.length > 0)
      items.push({
        type: "message",
        role: "assistant",
        content: parts,
        ...(message.phase !== undefined && { phase: message.phase }),
      });
    parts = [];
  };
  for (const block of message.blocks) {
    const part = spokenPart(block, context);
    if (part) parts.push(part);
    const item = ownItem(block, context);
    if (!item) continue;
    speak();
    items.push(item);
  }
  speak();
  return items;
}

/** What of a model's block is said in its message. */
function spokenPart(block: Block, context: WriteContext): JsonObject | undefined {
  switch (block.kind) {
    case "text":
      return writeSpokenText(block, context);
    case "refusal":
      return { type: "refusal", refusal: block.text };
    case "reference":
      return { type: "output_text", text: `Loaded tools: ${block.tool}`, annotations: [] };
    case "media":
      // The service takes no pictures from the model's side of the conversation.
      context.dropped.add(block.path);
      return undefined;
    case "opaque": {
      const text = isNative(block) ? undefined : opaqueText(block, context);
      return text === undefined ? undefined : { type: "output_text", text, annotations: [] };
    }
    case "thinking":
    case "call":
    case "result":
      return undefined;
    default:
      return block satisfies never;
  }
}

/** What of a model's block is an item of its own. */
function ownItem(block: Block, context: WriteContext): JsonObject | undefined {
  switch (block.kind) {
    case "thinking":
      return reasoningItem(block, context);
    case "call":
      return writeCall(block, context);
    case "opaque":
      return isNative(block) ? asObject(block.raw) : undefined;
    default:
      return undefined;
  }
}

function isNative(block: Block): block is Extract<Block, { kind: "opaque" }> {
  return block.kind === "opaque" && block.format === "responses";
}

/** Only this very provider's state goes back, with the text that belongs to it. */
function reasoningItem(block: ThinkingBlock, context: WriteContext): JsonObject | undefined {
  const { connection } = context.target;
  if (!block.state || !belongsTo(block.state, { connection, format: "responses" })) {
    context.dropped.add(block.path);
    return undefined;
  }
  return {
    type: "reasoning",
    summary: block.text === "" ? [] : [{ type: "summary_text", text: block.text }],
    encrypted_content: block.state.data,
  };
}
