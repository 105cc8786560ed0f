/** Neutral messages (mended) -> chat messages. */
import { parseJson, isObject, asArray, type JsonObject } from "../../../lib/json.ts";
import { wrapFreeform } from "../../../translation/freeform.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type {
  Block,
  CallBlock,
  Message,
  OpaqueState,
  ResultBlock,
  ThinkingBlock,
} from "../../../core/request.ts";
import { isMedia, noteCache, plainText, writeParts } from "./write-content.ts";
import type { Writing } from "./write-context.ts";

export function writeMessages(messages: readonly Message[], writing: Writing): JsonObject[] {
  return messages.flatMap((message) => {
    switch (message.role) {
      case "instruction":
        return writeInstruction(message, writing);
      case "user":
        return writeUser(message, writing);
      case "assistant":
        return writeAssistant(message, writing);
      default:
        return message.role satisfies never;
    }
  });
}

function writeInstruction(message: Message, writing: Writing): JsonObject[] {
  for (const block of message.blocks) if (isMedia(block)) writing.dropped.add(block.path);
  const content = plainText(message.blocks, writing, "\n\n");
  if (content === "") return [];
  const role =
    message.voice === "developer" && writing.traits.developerRole ? "developer" : "system";
  return [{ role, content }];
}

/** Results become tool messages of their own; the media in them follow in the user message after all of them. */
function writeUser(message: Message, writing: Writing): JsonObject[] {
  const results = message.blocks.filter((block) => block.kind === "result");
  const rest = message.blocks.filter((block) => block.kind !== "result");
  const media = results.flatMap((result) => result.blocks.filter(isMedia));
  const parts = writeParts([...media, ...rest], writing);
  const out = results.map((result) => writeResult(result, writing));
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

function writeResult(result: ResultBlock, writing: Writing): JsonObject {
  noteCache(result, writing);
  const text = plainText(result.blocks, writing, "\n");
  const content =
    text === "" && result.blocks.some(isMedia) ? "The result follows in the next message." : text;
  return {
    role: "tool",
    tool_call_id: result.id,
    content: result.isError === true ? asError(content) : content,
  };
}

/** Chat has no flag for a failed tool: the words have to say it. */
function asError(text: string): string {
  return /\berror|\bfail|exception/i.test(text.slice(0, 200)) ? text : `Error: ${text}`;
}

function writeAssistant(message: Message, writing: Writing): JsonObject[] {
  const { blocks } = message;
  const refused = writing.traits.openAiFields ? refusalOf(blocks) : "";
  const spoken = blocks.filter(
    (block) => block.kind !== "thinking" && (refused === "" || block.kind !== "refusal"),
  );
  const text = plainText(spoken, writing, jointOf(blocks));
  const calls = withCarriedState(blocks, writing).map((call) => writeCall(call, writing));
  noteMedia(blocks, writing);
  const thinking = writeThinking(blocks, writing);
  const members = {
    ...(refused !== "" && { refusal: refused }),
    ...thinking,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  if (text === "" && Object.keys(members).length === 0) return [];
  const silent = text === "" && (calls.length > 0 || refused !== "");
  return [{ role: "assistant", content: silent ? null : text, ...members }];
}

/** The calls, each with the state that clients of other dialects bring in a thinking block before it. */
function withCarriedState(blocks: readonly Block[], writing: Writing): CallBlock[] {
  let carried: OpaqueState | undefined;
  return blocks.flatMap((block) => {
    if (block.kind === "thinking" && isCallState(block.state, writing)) carried = block.state;
    if (block.kind !== "call") return [];
    const state = block.state ?? carried;
    carried = undefined;
    return [state ? { ...block, state } : block];
  });
}

function isCallState(state: OpaqueState | undefined, writing: Writing): boolean {
  return state?.type === "extra_content" && belongsTo(state, writing.target);
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
function noteMedia(blocks: readonly Block[], writing: Writing): void {
  for (const block of blocks) if (isMedia(block)) writing.dropped.add(block.path);
}

function writeThinking(blocks: readonly Block[], writing: Writing): JsonObject {
  const thinking = blocks.filter((block) => block.kind === "thinking");
  const details = thinking.flatMap((block) => ownDetails(block, writing));
  const text = thinking.map((block) => block.text).join("");
  const echo = writing.traits.reasoningEcho && text !== "";
  return {
    ...(echo && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** The details that this very provider made; everything else about the block is reported unless its words are echoed. */
function ownDetails(block: ThinkingBlock, writing: Writing): JsonObject[] {
  if (block.state && belongsTo(block.state, writing.target)) {
    const value = parseJson(block.state.data);
    return asArray(value).filter(isObject);
  }
  if (block.state !== undefined || !writing.traits.reasoningEcho) writing.dropped.add(block.path);
  return [];
}

function writeCall(call: CallBlock, writing: Writing): JsonObject {
  noteCache(call, writing);
  const name = writing.names.toWire(call.name, call.namespace);
  const extra = ownExtra(call, writing);
  if (call.call === "custom" && writing.traits.customTools) {
    return { id: call.id, type: "custom", custom: { name, input: call.input }, ...extra };
  }
  const args = call.call === "custom" ? wrapFreeform(call.input) : objectText(call.input);
  return { id: call.id, type: "function", function: { name, arguments: args }, ...extra };
}

function ownExtra({ state, statePath }: CallBlock, writing: Writing): JsonObject {
  if (!state || !belongsTo(state, writing.target)) {
    if (statePath !== undefined) writing.dropped.add(statePath);
    return {};
  }
  const value = parseJson(state.data);
  return isObject(value) ? { extra_content: value } : {};
}

/** Arguments as the text of a JSON object, which is what every server can read. */
function objectText(input: string): string {
  if (input.trim() === "") return "{}";
  const value = parseJson(input);
  if (isObject(value)) return input;
  return JSON.stringify(value === undefined ? { _raw: input } : { value });
}
