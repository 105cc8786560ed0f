/** Chat messages -> neutral messages, one for one. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import type { Block, CallBlock, Message, OpaqueState } from "../../core/turn.ts";
import { readContent } from "./read-parts.ts";
import { readCallState, readThinking } from "./read-thinking.ts";

interface Reading {
  unsaid: Set<string>;
  /** Ids of the freeform calls so far. */
  custom: Set<string>;
  /** Calls of the older `function_call` form have no ids: the one given to the latest call of a name. */
  legacy: Map<string, string>;
}

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

export function readMessages(messages: JsonValue | undefined, unsaid: Set<string>): Message[] {
  const reading: Reading = { unsaid, custom: new Set(), legacy: new Map() };
  return asArray(messages).flatMap((message) =>
    isObject(message) ? [readMessage(message, reading)] : [],
  );
}

function readMessage(message: JsonObject, reading: Reading): Message {
  const name = asString(message["name"]);
  switch (message["role"]) {
    case "system":
    case "developer":
      noteOthers(message, "instruction", reading);
      return {
        role: "instruction",
        voice: message["role"],
        blocks: readContent(message["content"], "messages[].content"),
        ...(name !== undefined && { name }),
      };
    case "assistant":
      noteOthers(message, "assistant", reading);
      return {
        role: "assistant",
        blocks: readAssistant(message, reading),
        ...(name !== undefined && { name }),
      };
    case "tool":
    case "function":
      noteOthers(message, "tool", reading);
      return { role: "user", blocks: [readResult(message, reading)] };
    default:
      noteOthers(message, "user", reading);
      return {
        role: "user",
        blocks: readContent(message["content"], "messages[].content"),
        ...(name !== undefined && { name }),
      };
  }
}

function noteOthers(message: JsonObject, kind: keyof typeof knownMembers, reading: Reading): void {
  for (const key in message) {
    const value = message[key];
    if (value === null || value === undefined || value === false || knownMembers[kind]?.has(key))
      continue;
    reading.unsaid.add(`messages[].${key}`);
  }
}

function readAssistant(message: JsonObject, reading: Reading): Block[] {
  const back = readThinking(message);
  const refusal = asString(message["refusal"]);
  return [
    ...back.thinking,
    ...readContent(message["content"], "messages[].content"),
    ...(refusal === undefined || refusal === ""
      ? []
      : [{ kind: "refusal", text: refusal } as const]),
    ...readAudioReference(message),
    ...readCalls(message, reading, back.calls),
  ];
}

/** `audio: {id}` stands for words that only their maker can look up. */
function readAudioReference(message: JsonObject): Block[] {
  const audio = asObject(message["audio"]);
  const id = asString(audio?.["id"]);
  if (!audio || id === undefined || id === "") return [];
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

function readCalls(
  message: JsonObject,
  reading: Reading,
  states: Map<string, OpaqueState>,
): CallBlock[] {
  const calls = asArray(message["tool_calls"]).flatMap((call) =>
    isObject(call) ? readCall(call, states) : [],
  );
  for (const call of calls) if (call.call === "custom") reading.custom.add(call.id);
  const legacy = asObject(message["function_call"]);
  const name = asString(legacy?.["name"]);
  if (!legacy || name === undefined || name === "") return calls;
  const id = `call_${name}_${reading.legacy.size}`;
  reading.legacy.set(name, id);
  return [
    ...calls,
    { kind: "call", id, name, call: "function", input: argumentText(legacy["arguments"]) },
  ];
}

function readCall(call: JsonObject, states: Map<string, OpaqueState>): CallBlock[] {
  const id = asString(call["id"]) ?? "";
  const state = readCallState(call) ?? states.get(id);
  const rest = state ? { state } : {};
  const made = asObject(call["function"]);
  const name = asString(made?.["name"]) ?? "";
  const custom = asObject(call["custom"]);
  if (custom && (call["type"] === "custom" || name === "")) {
    const input = asString(custom["input"]) ?? "";
    return [
      { kind: "call", id, name: asString(custom["name"]) ?? "", call: "custom", input, ...rest },
    ];
  }
  if (!made) return [];
  return [
    { kind: "call", id, name, call: "function", input: argumentText(made["arguments"]), ...rest },
  ];
}

/** Arguments as JSON text; some clients write the object itself. */
export function argumentText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function readResult(message: JsonObject, reading: Reading): Block {
  const name = asString(message["name"]) ?? "";
  const id = asString(message["tool_call_id"]) ?? reading.legacy.get(name) ?? "";
  return {
    kind: "result",
    id,
    call: reading.custom.has(id) ? "custom" : "function",
    blocks: readContent(message["content"], "messages[].content"),
    path: "messages[].content",
  };
}
