/** Tool calls and their results in the history of a chat request. */
import type { Block, CallBlock } from "../../../core/request.ts";
import { asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import {
  isSet,
  noteUnknownMembers,
  within,
  type Position,
} from "../../../translation/unsupported.ts";
import { argumentText } from "../shared/member-text.ts";
import { readContent } from "./read-content.ts";
import { readCallState, type CallStates } from "./read-thinking.ts";

/** What the reader of a history remembers from one message to the next. */
export interface ChatHistory {
  readonly unsupported: Set<string>;
  /** Where the parts of a message's content are. */
  readonly parts: Position;
  /** Where the calls of a message are. */
  readonly calls: Position;
  /** Ids of the freeform calls so far. */
  readonly custom: Set<string>;
  /** Calls of the older `function_call` form have no ids: the one given to the latest call of a name. */
  readonly legacy: Map<string, string>;
}

/** The calls of an assistant message; `states` are those that it keeps elsewhere. */
export function readCalls(
  message: JsonObject,
  history: ChatHistory,
  states: CallStates,
): CallBlock[] {
  const calls: CallBlock[] = [];
  const { tool_calls: sent } = message;
  if (Array.isArray(sent))
    for (const call of sent) {
      const read = isObject(call) ? readCall(call, states, history.calls) : undefined;
      if (read) calls.push(read);
      else history.unsupported.add(history.calls.path);
      if (read?.call === "custom") history.custom.add(read.id);
    }
  const legacy = readLegacyCall(message, history);
  if (legacy) calls.push(legacy);
  return calls;
}

/** `function_call`, of which a message has one at most. */
function readLegacyCall(message: JsonObject, history: ChatHistory): CallBlock | undefined {
  if (!isSet(message["function_call"])) return undefined;
  const path = "messages[].function_call";
  const legacy = asObject(message["function_call"]);
  const name = asString(legacy?.["name"]);
  if (!legacy || name === undefined || name === "") {
    history.unsupported.add(path);
    return undefined;
  }
  noteUnknownMembers(legacy, functionMembers, { path, unsupported: history.unsupported });
  const id = `call_${name}_${history.legacy.size}`;
  history.legacy.set(name, id);
  return { kind: "call", id, name, call: "function", input: argumentText(legacy["arguments"]) };
}

/** Streams number their calls. */
const callMembers = new Set(["id", "type", "index", "function", "custom", "extra_content"]);
const functionMembers = new Set(["name", "arguments"]);
const customMembers = new Set(["name", "input"]);

function readCall(call: JsonObject, states: CallStates, position: Position): CallBlock | undefined {
  noteUnknownMembers(call, callMembers, position);
  const id = asString(call["id"]) ?? "";
  const state = readCallState(call, position) ?? states.get(id);
  const made = asObject(call["function"]);
  const name = asString(made?.["name"]) ?? "";
  const custom = asObject(call["custom"]);
  if (custom && (call["type"] === "custom" || name === "")) {
    noteUnknownMembers(custom, customMembers, within(position, "custom"));
    const input = asString(custom["input"]) ?? "";
    const called = asString(custom["name"]) ?? "";
    return { kind: "call", id, name: called, call: "custom", input, ...state };
  }
  if (!made) return undefined;
  noteUnknownMembers(made, functionMembers, within(position, "function"));
  const read: CallBlock = {
    kind: "call",
    id,
    name,
    call: "function",
    input: argumentText(made["arguments"]),
  };
  return state === undefined ? read : { ...read, ...state };
}

/** The result in a message of the role `tool` or `function`. */
export function readResult(message: JsonObject, history: ChatHistory): Block {
  const name = asString(message["name"]) ?? "";
  const id = asString(message["tool_call_id"]) ?? history.legacy.get(name) ?? "";
  return {
    kind: "result",
    id,
    call: history.custom.has(id) ? "custom" : "function",
    blocks: readContent(message["content"], history.parts),
    path: "messages[].content",
  };
}
