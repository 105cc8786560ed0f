/** `input` items -> messages. Items of the model that follow one another are one assistant turn. */
import { invalid } from "../../../core/problem.ts";
import type {
  Block,
  CallBlock,
  Message,
  OpaqueState,
  ResultBlock,
  ThinkingBlock,
  Tool,
} from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { carried, isCarried, stateless, type Owner } from "../reasoning-state.ts";
import { opaqueItem } from "./read-provider-items.ts";
import { readParts } from "./read-content.ts";
import { readTools, type ToolReader } from "./read-tools.ts";
import { readSpecialCall } from "../client-tools.ts";
import { readSpecialOutput } from "./read-client-tool-results.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { element, member, type Position } from "./read-position.ts";

export interface InputDraft extends ToolReader {
  messages: Message[];
  /** Tools that items brought along. */
  tools: Tool[];
  /** Item id -> call id, for outputs that name the item. */
  callIds: Map<string, string>;
  /** Searches for tools that carry no call id, in order. */
  searches: string[];
  /** State of the call that comes next, and where the client keeps it. */
  waiting?: { state: OpaqueState; path: string };
}

/** Reads `input` into the draft. */
export function readInput(input: JsonValue | undefined, position: Position, draft: InputDraft): void {
  if (typeof input === "string") {
    draft.messages.push({ role: "user", blocks: [{ kind: "text", text: input }] });
    return;
  }
  asArray(input).forEach((item, index) => {
    const at = element(position, index);
    if (!isObject(item)) throw invalid(at.indexedPath, "must be an object");
    readItem(item, at, draft);
  });
}

function readItem(item: JsonObject, position: Position, draft: InputDraft): void {
  const type = typeOf(item);
  switch (type) {
    case "message":
      return readMessage(item, position, draft);
    case "reasoning":
      return addReasoning(item, position, draft);
    case "function_call":
    case "custom_tool_call":
      return addCall(draft, readCall(item, position));
    case "function_call_output":
    case "custom_tool_call_output":
      return readOutput(item, position, draft);
    case "additional_tools":
      draft.tools.push(...readTools(item["tools"], member(position, "tools"), draft));
      return noteUnknownMembers(item, additionalMembers, position);
    case "item_reference":
      position.unsupported.add(position.path);
      return;
    case "tool_search_call":
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call":
      return readSpecial(item, position, draft);
    case "tool_search_output":
    case "local_shell_call_output":
    case "shell_call_output":
    case "apply_patch_call_output":
      return readSpecialResult(item, position, draft);
    default:
      return readOpaque(item, { position, type, draft });
  }
}

function typeOf(item: JsonObject): string | undefined {
  const type = asString(item["type"]);
  if (type !== undefined) return type;
  if (item["role"] !== undefined) return "message";
  return item["id"] === undefined ? undefined : "item_reference";
}

const messageMembers = new Set(["type", "role", "content"]);
const reasoningMembers = new Set(["type", "summary", "content", "encrypted_content"]);
const callMembers = new Set(["type", "call_id", "name", "namespace", "arguments", "input"]);
const outputMembers = new Set(["type", "call_id", "output"]);
const additionalMembers = new Set(["type", "role", "tools"]);
/** What says to do what, in one type or the other. */
const specialMembers = new Set([
  "type",
  "call_id",
  "status",
  "execution",
  "arguments",
  "action",
  "operation",
  "environment",
]);
const environmentMembers = new Set(["type"]);
const thoughtMembers = new Set(["type", "text"]);

function readMessage(item: JsonObject, position: Position, draft: InputDraft): void {
  noteUnknownMembers(item, messageMembers, position);
  const blocks = readParts(item["content"], member(position, "content"));
  switch (item["role"]) {
    case "system":
    case "developer":
      draft.messages.push({ role: "instruction", voice: item["role"], blocks });
      return;
    case "user":
      draft.messages.push({ role: "user", blocks });
      return;
    case "assistant":
      return readAssistant(blocks, asString(item["phase"]), draft);
    default:
      throw invalid(`${position.indexedPath}.role`, "must be user, assistant, system or developer");
  }
}

function readAssistant(blocks: Block[], phase: string | undefined, draft: InputDraft): void {
  const last = draft.messages.at(-1);
  const silent = last?.blocks.every(
    (block) => block.kind === "thinking" || block.kind === "opaque",
  );
  if (
    last?.role === "assistant" &&
    (last.phase === phase || (silent === true && last.phase === undefined))
  ) {
    last.blocks.push(...blocks);
    if (phase !== undefined) last.phase = phase;
  } else draft.messages.push({ role: "assistant", blocks, ...(phase !== undefined && { phase }) });
}

function addToAssistant(draft: InputDraft, block: Block): void {
  const last = draft.messages.at(-1);
  if (last?.role === "assistant") last.blocks.push(block);
  else draft.messages.push({ role: "assistant", blocks: [block] });
}

function addResult(draft: InputDraft, block: ResultBlock): void {
  const last = draft.messages.at(-1);
  if (last?.role === "user" && last.blocks.every((other) => other.kind === "result"))
    last.blocks.push(block);
  else draft.messages.push({ role: "user", blocks: [block] });
}

function addReasoning(item: JsonObject, position: Position, draft: InputDraft): void {
  noteUnknownMembers(item, reasoningMembers, position);
  for (const name of ["summary", "content"] as const)
    for (const part of asArray(item[name]))
      noteUnknownMembers(asObject(part), thoughtMembers, {
        ...position,
        path: `${position.path}.${name}[]`,
      });
  const text = [...asArray(item["summary"]), ...asArray(item["content"])]
    .map((part) => (isObject(part) ? asString(part["text"]) : asString(part)) ?? "")
    .filter((part) => part !== "")
    .join("\n\n");
  const data = asString(item["encrypted_content"]) ?? "";
  const kept = data === "" ? undefined : readState(data);
  const path = `${position.path}.encrypted_content`;
  if (data !== "" && !kept && data !== stateless) position.unsupported.add(path);
  const given = kept && { state: kept.state, path };
  if (kept?.owner === "previous" && giveState(draft.messages.at(-1)?.blocks.at(-1), given)) return;
  addToAssistant(draft, thinkingBlock(text, kept?.state, position));
  if (given && kept?.owner === "next") draft.waiting = given;
}

function thinkingBlock(text: string, state: OpaqueState | undefined, position: Position): ThinkingBlock {
  return {
    kind: "thinking",
    text,
    ...(state && { state }),
    ...(state?.type.startsWith("redacted") === true && { redacted: true }),
    path: state && text === "" ? `${position.path}.encrypted_content` : position.path,
  };
}

/** Tagged state is what another dialect's provider made; the rest is native. A damaged tag is nobody's. */
function readState(data: string): { state: OpaqueState; owner: Owner } | undefined {
  if (isCarried(data)) return carried(data);
  return { state: { format: "responses", type: "encrypted_content", data }, owner: "self" };
}

function giveState(block: Block | undefined, given: InputDraft["waiting"]): boolean {
  if (block?.kind !== "call" || !given) return false;
  block.state = given.state;
  block.statePath = given.path;
  return true;
}

/** A call takes the state that the item right before it carried for it. */
function addCall(draft: InputDraft, call: CallBlock): void {
  const blocks = draft.messages.at(-1)?.blocks;
  const before = blocks?.at(-1);
  if (draft.waiting && before?.kind === "thinking" && before.state === draft.waiting.state) {
    if (before.text === "") blocks?.pop();
    else delete before.state;
    giveState(call, draft.waiting);
  }
  delete draft.waiting;
  addToAssistant(draft, call);
}

function readCall(item: JsonObject, position: Position): CallBlock {
  noteUnknownMembers(item, callMembers, position);
  const name = asString(item["name"]);
  if (name === undefined) throw invalid(`${position.indexedPath}.name`, "must be a string");
  const namespace = asString(item["namespace"]);
  const custom = item["type"] === "custom_tool_call";
  return {
    kind: "call",
    id: callIdOf(item, position),
    name,
    ...(namespace !== undefined && namespace !== "" && { namespace }),
    call: custom ? "custom" : "function",
    input: inputText(custom ? item["input"] : item["arguments"]),
  };
}

function inputText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function callIdOf(item: JsonObject, position: Position): string {
  const id = asString(item["call_id"]) ?? asString(item["id"]);
  if (id === undefined) throw invalid(`${position.indexedPath}.call_id`, "must be a string");
  return id;
}

function readOutput(item: JsonObject, position: Position, draft: InputDraft): void {
  noteUnknownMembers(item, outputMembers, position);
  const output = item["output"];
  // Clients send objects where a string is meant; their JSON text is what the model would have read.
  const odd = isObject(output) || typeof output === "number" || typeof output === "boolean";
  const content = odd ? JSON.stringify(output) : output;
  addResult(draft, {
    kind: "result",
    id: callIdOf(item, position),
    call: item["type"] === "custom_tool_call_output" ? "custom" : "function",
    blocks: readParts(content, member(position, "output")),
    path: position.path,
  });
}

function readSpecial(item: JsonObject, position: Position, draft: InputDraft): void {
  const call = readSpecialCall(item);
  if (!call) return;
  noteUnknownMembers(item, specialMembers, position);
  noteUnknownMembers(
    asObject(item["environment"]),
    environmentMembers,
    member(position, "environment"),
  );
  const own = asString(item["id"]);
  const id =
    asString(item["call_id"]) ?? own ?? `search_${draft.searches.length}_${draft.messages.length}`;
  if (own !== undefined) draft.callIds.set(own, id);
  if (item["type"] === "tool_search_call") draft.searches.push(id);
  addCall(draft, { kind: "call", id, name: call.name, call: "function", input: call.input });
}

function readSpecialResult(item: JsonObject, position: Position, draft: InputDraft): void {
  const search = item["type"] === "tool_search_output";
  const tools = search ? readTools(item["tools"], member(position, "tools"), draft) : [];
  draft.tools.push(...tools);
  const given = asString(item["call_id"]);
  const own = asString(item["id"]) ?? "";
  const id = given ?? (search ? draft.searches.at(-1) : undefined) ?? draft.callIds.get(own) ?? own;
  const { text, isError } = readSpecialOutput(item, tools, position);
  addResult(draft, {
    kind: "result",
    id,
    call: "function",
    blocks: [{ kind: "text", text }],
    ...(isError && { isError }),
    path: position.path,
  });
}

function readOpaque(
  item: JsonObject,
  at: { position: Position; type: string | undefined; draft: InputDraft },
): void {
  const { position, type, draft } = at;
  if (type === undefined) throw invalid(`${position.indexedPath}.type`, "must be a string");
  const block = opaqueItem(item, type, position);
  if (/_(output|response)$/.test(type)) draft.messages.push({ role: "user", blocks: [block] });
  else addToAssistant(draft, block);
}
