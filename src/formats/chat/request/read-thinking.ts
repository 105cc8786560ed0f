/** Reasoning that chat clients bring back: `reasoning_content`, `reasoning_details`, `extra_content`. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { unwrapState } from "../../../translation/opaque-state.ts";
import type { CallBlock, ThinkingBlock } from "../../../core/request.ts";
import {
  noteUnknownMembers,
  isSet,
  within,
  type Position,
} from "../../../translation/unsupported.ts";

type CallState = Required<Pick<CallBlock, "state" | "statePath">>;

/** State of calls that the client keeps apart from them, by the call's id. */
export type CallStates = ReadonlyMap<string, CallState>;

interface HistoryThinking {
  readonly blocks: readonly ThinkingBlock[];
  readonly calls: CallStates;
}

interface ThinkingRead extends HistoryThinking {
  readonly blocks: ThinkingBlock[];
  readonly calls: Map<string, CallState>;
}

const detailsPath = "messages[].reasoning_details";

/** An assistant message's reasoning. State with the gateway's tag is unwrapped; the rest stays native, without origin. */
export function readThinking(sent: JsonObject, unsupported: Set<string>): HistoryThinking {
  const message = withPartsReasoning(sent);
  return message === undefined ? noThinking : readStated(message, unsupported);
}

const noThinking: HistoryThinking = { blocks: [], calls: new Map() };

function readStated(message: JsonObject, unsupported: Set<string>): HistoryThinking {
  const read: ThinkingRead = { blocks: [], calls: new Map() };
  const callIds = new Set(
    asArray(message["tool_calls"]).map((call) => asString(asObject(call)?.["id"])),
  );
  const native: JsonObject[] = [];
  for (const entry of asArray(message["reasoning_details"])) {
    if (!isObject(entry)) continue;
    if (readEntry(entry, read, callIds))
      noteUnknownMembers(entry, entryMembers, { path: `${detailsPath}[]`, unsupported });
    else native.push(entry);
  }
  const plain = asString(message["reasoning_content"]) ?? asString(message["reasoning"]) ?? "";
  // The plain text repeats what the details hold.
  const text = read.blocks.some((block) => block.text !== "") ? "" : plain;
  if (text !== "" || native.length > 0) {
    read.blocks.unshift({
      kind: "thinking",
      text: text === "" ? nativeText(native) : text,
      ...(native.length > 0 && {
        state: { format: "chat", type: "reasoning_details", data: JSON.stringify(native) } as const,
      }),
      path: native.length > 0 ? detailsPath : textPath(message),
    });
  }
  for (const name of ["reasoning_content", "reasoning"])
    if (isSet(message[name]) && typeof message[name] !== "string")
      unsupported.add(`messages[].${name}`);
  return read;
}

const reasoningMembers = ["reasoning_details", "reasoning_content", "reasoning"];

/** A message with reasoning. OpenAI's Agents SDK 0.20 brings back the members of a message inside its text part. */
function withPartsReasoning(message: JsonObject): JsonObject | undefined {
  if (holdsReasoning(message)) return message;
  const { content } = message;
  if (!Array.isArray(content)) return undefined;
  const part = content.find((one) => isObject(one) && holdsReasoning(one));
  if (part === undefined) return undefined;
  const found = reasoningMembers.map((name) => [name, asObject(part)?.[name]]);
  return { ...message, ...Object.fromEntries(found) };
}

function holdsReasoning(value: JsonObject): boolean {
  return reasoningMembers.some((name) => isSet(value[name]));
}

const entryMembers = new Set([
  "type",
  "id",
  "format",
  "index",
  "text",
  "summary",
  "signature",
  "data",
]);

function textPath(message: JsonObject): string {
  return typeof message["reasoning_content"] === "string"
    ? "messages[].reasoning_content"
    : "messages[].reasoning";
}

/** Takes in an entry that this gateway made; false for every other. One with the id of a call is that call's. */
function readEntry(
  entry: JsonObject,
  read: ThinkingRead,
  callIds: ReadonlySet<string | undefined>,
): boolean {
  const state = unwrapState(asString(entry["signature"]) ?? asString(entry["data"]) ?? "");
  if (!state) return false;
  const id = asString(entry["id"]);
  if (id !== undefined && callIds.has(id)) read.calls.set(id, { state, statePath: detailsPath });
  else {
    read.blocks.push({
      kind: "thinking",
      text: asString(entry["text"]) ?? "",
      state,
      ...(state.type.startsWith("redacted") && { redacted: true }),
      path: detailsPath,
    });
  }
  return true;
}

function nativeText(entries: JsonObject[]): string {
  return entries
    .map((entry) => asString(entry["text"]) ?? asString(entry["summary"]) ?? "")
    .join("");
}

/** State beside a tool call (`extra_content`): the gateway's own unwrapped, a provider's native. */
export function readCallState(call: JsonObject, position: Position): CallState | undefined {
  const extra = asObject(call["extra_content"]);
  if (!extra) return undefined;
  const at = within(position, "extra_content");
  const google = asObject(extra["google"]);
  const own = unwrapState(asString(google?.["thought_signature"]) ?? "");
  if (own) {
    noteUnknownMembers(extra, extraMembers, at);
    noteUnknownMembers(google, googleMembers, within(at, "google"));
  }
  const state = own ?? { format: "chat", type: "extra_content", data: JSON.stringify(extra) };
  return { state, statePath: at.path };
}

const extraMembers = new Set(["google"]);
const googleMembers = new Set(["thought_signature"]);
