/** Calls and outputs of client-run tools that have item types of their own, as ordinary calls and results. */
import type { Tool } from "../../../core/request.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
} from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";
import { readClientToolCall } from "../shared/client-tools.ts";
import { addCall, addResult, type Conversation } from "./conversation.ts";
import { member, type IndexedPosition } from "./position.ts";
import { readTools } from "./read-tools.ts";

/** What a call of one type or the other says to do. */
const actionMembers = new Set([
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

/** A call item of such a type. */
export function readClientToolItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  const call = readClientToolCall(item);
  if (!call) return;
  noteUnknownMembers(item, actionMembers, position);
  noteUnknownMembers(
    asObject(item["environment"]),
    environmentMembers,
    member(position, "environment"),
  );
  const own = asString(item["id"]);
  const id =
    asString(item["call_id"]) ??
    own ??
    `search_${conversation.searches.length}_${conversation.messages.length}`;
  if (own !== undefined) conversation.callIds.set(own, id);
  if (item["type"] === "tool_search_call") conversation.searches.push(id);
  addCall({ kind: "call", id, name: call.name, call: "function", input: call.input }, conversation);
}

/** An output item of such a type; a tool search also brings the tools that it found. */
export function readClientToolResultItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  const search = item["type"] === "tool_search_output";
  const tools = search ? readTools(item["tools"], member(position, "tools"), conversation) : [];
  appendAll(conversation.tools, tools);
  const given = asString(item["call_id"]);
  const own = asString(item["id"]) ?? "";
  const id =
    given ??
    (search ? conversation.searches.at(-1) : undefined) ??
    conversation.callIds.get(own) ??
    own;
  const { text, isError } = resultText(item, tools, position);
  addResult(
    {
      kind: "result",
      id,
      call: "function",
      blocks: [{ kind: "text", text }],
      ...(isError && { isError }),
      path: position.path,
    },
    conversation,
  );
}

/** Ids tell which call is answered, and what is sent back is over. */
const outputMembers = new Set(["type", "id", "call_id", "status", "output"]);
const searchMembers = new Set(["type", "id", "call_id", "status", "execution", "tools"]);
const partMembers = new Set(["stdout", "stderr", "outcome"]);
const outcomeMembers = new Set(["type", "exit_code"]);

/** The text that a model reads as the result. `tools`: what a tool search found. */
function resultText(
  item: JsonObject,
  tools: readonly Tool[],
  position: Position,
): { text: string; isError: boolean } {
  switch (item["type"]) {
    case "tool_search_output":
      noteUnknownMembers(item, searchMembers, position);
      return { text: foundTools(tools), isError: false };
    case "shell_call_output": {
      noteUnknownMembers(item, outputMembers, position);
      const parts = asArray(item["output"]).filter(isObject);
      const at: Position = { path: `${position.path}.output[]`, unsupported: position.unsupported };
      return { text: parts.map((part) => shellText(part, at)).join("\n"), isError: false };
    }
    case "apply_patch_call_output":
      noteUnknownMembers(item, outputMembers, position);
      return {
        text: asString(item["output"]) ?? asString(item["status"]) ?? "",
        isError: item["status"] === "failed",
      };
    default:
      noteUnknownMembers(item, outputMembers, position);
      return { text: plainText(item), isError: false };
  }
}

function plainText(item: JsonObject): string {
  const output = item["output"];
  if (output === undefined || output === null) return "";
  return typeof output === "string" ? output : JSON.stringify(output);
}

function foundTools(tools: readonly Tool[]): string {
  const names = tools.map((tool) => {
    if (tool.kind === "hosted") return tool.type;
    return tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`;
  });
  return names.length === 0 ? "No tools found." : `Loaded tools: ${names.join(", ")}`;
}

function shellText(part: JsonObject, position: Position): string {
  const outcome = asObject(part["outcome"]);
  noteUnknownMembers(part, partMembers, position);
  noteUnknownMembers(outcome, outcomeMembers, within(position, "outcome"));
  const code = asNumber(outcome?.["exit_code"]);
  const end = outcome?.["type"] === "timeout" ? "timed out" : `exit code ${code ?? 0}`;
  const streams = [asString(part["stdout"]), asString(part["stderr"])];
  return [...streams.filter((text) => text !== undefined && text !== ""), `[${end}]`].join("\n");
}
