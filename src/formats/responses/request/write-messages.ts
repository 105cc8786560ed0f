/** Messages -> `instructions` and `input` items, in the order of the conversation. */
import { wrapFreeform } from "../../../translation/freeform.ts";
import { normalize } from "../../../translation/normalize.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type { Block, CallBlock, Message, ResultBlock, ThinkingBlock } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { inputParts, noteCache, opaqueText, outputText } from "./write-content.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

/** Longest `call_id` that the service takes. */
const longestId = 64;

export function writeInput(context: WriteContext): { instructions?: string; input: JsonObject[] } {
  const messages = normalize(context.request.messages, longestId);
  const top = messages.filter((message) => message.top === true);
  const rest = messages.filter((message) => message.top !== true);
  const input = rest.flatMap((message) => writeMessage(message, context));
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
    .flatMap((message) => inputParts(message.blocks, context))
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function writeMessage(message: Message, context: WriteContext): JsonObject[] {
  if (message.name !== undefined) context.dropped.add("messages[].name");
  switch (message.role) {
    case "instruction": {
      const developer = message.voice === "developer" && context.target.traits.developerRole;
      return messageItem(developer ? "developer" : "system", inputParts(message.blocks, context));
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
    items.push(...messageItem("user", inputParts(spoken, context)));
    spoken = [];
  };
  for (const block of blocks) {
    if (block.kind === "result") {
      speak();
      items.push(resultItem(block, context));
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
      return outputText(block, context);
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
      return callItem(block, context);
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

function callItem(block: CallBlock, context: WriteContext): JsonObject {
  noteCache(block, context);
  // State beside a call is never this dialect's own.
  if (block.statePath !== undefined) context.dropped.add(block.statePath);
  const { traits } = context.target;
  const named = {
    call_id: block.id,
    name: context.names.toWire(block.name, block.namespace),
    ...(block.namespace !== undefined && traits.namespaces && { namespace: block.namespace }),
  };
  if (block.call === "custom" && traits.customTools)
    return { type: "custom_tool_call", ...named, input: block.input };
  const input = block.call === "custom" ? wrapFreeform(block.input) : block.input;
  return { type: "function_call", ...named, arguments: input === "" ? "{}" : input };
}

function resultItem(block: ResultBlock, context: WriteContext): JsonObject {
  noteCache(block, context);
  const parts = inputParts(block.blocks, context);
  const native = block.call === "custom" && context.target.traits.customTools;
  if (block.isError === true) markError(parts);
  return {
    type: native ? "custom_tool_call_output" : "function_call_output",
    call_id: block.id,
    output: plainOutput(parts) ?? parts,
  };
}

/** Text alone goes as a string: every server takes that. */
function plainOutput(parts: readonly JsonObject[]): string | undefined {
  if (parts.some((part) => part["type"] !== "input_text")) return undefined;
  return parts.map((part) => (typeof part["text"] === "string" ? part["text"] : "")).join("\n");
}

/** There is no flag for errors: the text says so, unless it does already. */
function markError(parts: JsonObject[]): void {
  const first = parts[0]?.["text"];
  const head = typeof first === "string" ? first.slice(0, 200) : "";
  if (/error|fail|exception|denied|not found|invalid/i.test(head)) return;
  if (typeof first === "string") parts[0] = { type: "input_text", text: `Error: ${first}` };
  else parts.unshift({ type: "input_text", text: "Error" });
}
