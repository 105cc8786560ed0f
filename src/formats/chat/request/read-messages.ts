/** Chat messages -> neutral messages, one for one. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Block, CallBlock, Message } from "../../../core/request.ts";
import { noteUnknownMembers, isSet, within, type Place } from "../../../translation/unsupported.ts";
import { noteCitation, readAnnotations } from "../citations.ts";
import { readContent } from "./read-content.ts";
import { readCallState, readThinking, type BroughtBack } from "./read-thinking.ts";

interface Reading {
  unsupported: Set<string>;
  /** Where the parts of a message's content stand. */
  parts: Place;
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

export function readMessages(messages: JsonValue | undefined, unsupported: Set<string>): Message[] {
  const parts: Place = { path: "messages[].content[]", unsupported };
  const reading: Reading = { unsupported, parts, custom: new Set(), legacy: new Map() };
  return asArray(messages).flatMap((message) =>
    isObject(message) ? [readMessage(message, reading)] : [],
  );
}

function readMessage(message: JsonObject, reading: Reading): Message {
  const name = asString(message["name"]);
  switch (message["role"]) {
    case "system":
    case "developer":
      noteUnknown(message, "instruction", reading);
      return {
        role: "instruction",
        voice: message["role"],
        blocks: readContent(message["content"], reading.parts),
        ...(name !== undefined && { name }),
      };
    case "assistant":
      noteUnknown(message, "assistant", reading);
      return {
        role: "assistant",
        blocks: readAssistant(message, reading),
        ...(name !== undefined && { name }),
      };
    case "tool":
    case "function":
      noteUnknown(message, "tool", reading);
      return { role: "user", blocks: [readResult(message, reading)] };
    default:
      noteUnknown(message, "user", reading);
      return {
        role: "user",
        blocks: readContent(message["content"], reading.parts),
        ...(name !== undefined && { name }),
      };
  }
}

function noteUnknown(message: JsonObject, kind: keyof typeof knownMembers, reading: Reading): void {
  for (const key in message) {
    const value = message[key];
    if (value === false || !isSet(value) || knownMembers[kind]?.has(key)) continue;
    reading.unsupported.add(`messages[].${key}`);
  }
}

function readAssistant(message: JsonObject, reading: Reading): Block[] {
  const back = readThinking(message, reading.unsupported);
  const refusal = asString(message["refusal"]);
  const content = readContent(message["content"], reading.parts);
  addCitations(content, message, reading.unsupported);
  return [
    ...back.thinking,
    ...content,
    ...(refusal === undefined || refusal === ""
      ? []
      : [{ kind: "refusal", text: refusal } as const]),
    ...readAudioReference(message, reading.unsupported),
    ...readCalls(message, reading, back.calls),
  ];
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

/** `audio: {id}` stands for words that only their maker can look up. */
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

function readCalls(
  message: JsonObject,
  reading: Reading,
  states: BroughtBack["calls"],
): CallBlock[] {
  const at: Place = { path: "messages[].tool_calls[]", unsupported: reading.unsupported };
  const calls = asArray(message["tool_calls"]).flatMap((call) => {
    const read = isObject(call) ? readCall(call, states, at) : undefined;
    if (!read) reading.unsupported.add(at.path);
    return read ?? [];
  });
  for (const call of calls) if (call.call === "custom") reading.custom.add(call.id);
  const legacy = readLegacyCall(message, reading);
  return legacy ? [...calls, legacy] : calls;
}

/** `function_call`, of which a message has one at most. */
function readLegacyCall(message: JsonObject, reading: Reading): CallBlock | undefined {
  if (!isSet(message["function_call"])) return undefined;
  const path = "messages[].function_call";
  const legacy = asObject(message["function_call"]);
  const name = asString(legacy?.["name"]);
  if (!legacy || name === undefined || name === "") {
    reading.unsupported.add(path);
    return undefined;
  }
  noteUnknownMembers(legacy, functionMembers, { path, unsupported: reading.unsupported });
  const id = `call_${name}_${reading.legacy.size}`;
  reading.legacy.set(name, id);
  return { kind: "call", id, name, call: "function", input: argumentText(legacy["arguments"]) };
}

/** Streams number their calls. */
const callMembers = new Set(["id", "type", "index", "function", "custom", "extra_content"]);
const functionMembers = new Set(["name", "arguments"]);
const customMembers = new Set(["name", "input"]);

function readCall(
  call: JsonObject,
  states: BroughtBack["calls"],
  place: Place,
): CallBlock | undefined {
  noteUnknownMembers(call, callMembers, place);
  const id = asString(call["id"]) ?? "";
  const rest = readCallState(call, place) ?? states.get(id) ?? {};
  const made = asObject(call["function"]);
  const name = asString(made?.["name"]) ?? "";
  const custom = asObject(call["custom"]);
  if (custom && (call["type"] === "custom" || name === "")) {
    noteUnknownMembers(custom, customMembers, within(place, "custom"));
    const input = asString(custom["input"]) ?? "";
    const called = asString(custom["name"]) ?? "";
    return { kind: "call", id, name: called, call: "custom", input, ...rest };
  }
  if (!made) return undefined;
  noteUnknownMembers(made, functionMembers, within(place, "function"));
  const input = argumentText(made["arguments"]);
  return { kind: "call", id, name, call: "function", input, ...rest };
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
    blocks: readContent(message["content"], reading.parts),
    path: "messages[].content",
  };
}
