/** Chat messages as neutral messages, one for one. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import type { Block, Message } from "../../../core/request.ts";
import { isSet, type Position } from "../../../translation/unsupported.ts";
import { noteCitation, readAnnotations } from "../shared/citations.ts";
import { readCalls, readResult, type ChatHistory } from "./read-calls.ts";
import { readContent } from "./read-content.ts";
import { readThinking } from "./read-thinking.ts";

const knownMembers: Record<string, ReadonlySet<string>> = {
  instruction: new Set(["role", "content", "name"]),
  user: new Set(["role", "content", "name"]),
  assistant: new Set([
    "role",
    "content",
    "name",
    "refusal",
    "tool_calls",
    "function_call",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "audio",
    "annotations",
  ]),
  tool: new Set(["role", "content", "tool_call_id", "name"]),
};

export function readMessages(messages: JsonValue | undefined, unsupported: Set<string>): Message[] {
  const parts: Position = { path: "messages[].content[]", unsupported };
  const calls: Position = { path: "messages[].tool_calls[]", unsupported };
  const history: ChatHistory = { unsupported, parts, calls, custom: new Set(), legacy: new Map() };
  const read: Message[] = [];
  for (const message of asArray(messages))
    if (isObject(message)) read.push(readMessage(message, history));
  return read;
}

function readMessage(message: JsonObject, history: ChatHistory): Message {
  const name = asString(message["name"]);
  switch (message["role"]) {
    case "system":
    case "developer":
      noteUnknown(message, "instruction", history);
      return {
        role: "instruction",
        voice: message["role"],
        blocks: readContent(message["content"], history.parts),
        ...(name !== undefined && { name }),
      };
    case "assistant":
      noteUnknown(message, "assistant", history);
      return {
        role: "assistant",
        blocks: readAssistant(message, history),
        ...(name !== undefined && { name }),
      };
    case "tool":
    case "function":
      noteUnknown(message, "tool", history);
      return { role: "user", blocks: [readResult(message, history)] };
    default:
      noteUnknown(message, "user", history);
      return {
        role: "user",
        blocks: readContent(message["content"], history.parts),
        ...(name !== undefined && { name }),
      };
  }
}

function noteUnknown(
  message: JsonObject,
  kind: keyof typeof knownMembers,
  history: ChatHistory,
): void {
  for (const key in message) {
    const value = message[key];
    if (value === false || !isSet(value) || knownMembers[kind]?.has(key)) continue;
    history.unsupported.add(`messages[].${key}`);
  }
}

function readAssistant(message: JsonObject, history: ChatHistory): Block[] {
  const thinking = readThinking(message, history.unsupported);
  const refusal = asString(message["refusal"]);
  const content = readContent(message["content"], history.parts);
  addCitations(content, message, history.unsupported);
  const blocks: Block[] = thinking.blocks.length === 0 ? content : [...thinking.blocks, ...content];
  if (refusal !== undefined && refusal !== "") blocks.push({ kind: "refusal", text: refusal });
  appendAll(blocks, readAudioReference(message, history.unsupported));
  appendAll(blocks, readCalls(message, history, thinking.calls));
  return blocks;
}

/** Sources of the whole message, whose positions count in its one text. */
function addCitations(content: Block[], message: JsonObject, unsupported: Set<string>): void {
  if (!isSet(message["annotations"])) return;
  const path = "messages[].annotations";
  const [text, second] = content.filter((block) => block.kind === "text");
  if (!text || second) {
    unsupported.add(path);
    return;
  }
  text.citations = readAnnotations(message["annotations"]);
  text.citationsPath = path;
  for (const entry of asArray(message["annotations"]))
    noteCitation(asObject(entry), path, unsupported);
}

/** `audio: {id}` stands for speech that only the provider that made it can look up. */
function readAudioReference(message: JsonObject, unsupported: Set<string>): Block[] {
  const audio = asObject(message["audio"]);
  const id = asString(audio?.["id"]);
  if (!audio || id === undefined || id === "") {
    if (isSet(message["audio"])) unsupported.add("messages[].audio");
    return [];
  }
  const text = asString(audio["transcript"]);
  return [
    {
      kind: "opaque",
      format: "chat",
      type: "audio",
      raw: audio,
      weight: "essential",
      path: "messages[].audio",
      ...(text !== undefined && { text }),
    },
  ];
}
