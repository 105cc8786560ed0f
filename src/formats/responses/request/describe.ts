/** What the gateway reads off a Responses request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { describeCommon } from "../../../translation/describe.ts";
import {
  type AskedUses,
  askedUses,
  describeFees,
  onePart,
} from "../../../translation/describe-fees.ts";
import { imageUse } from "../shared/image-use.ts";

/** Uses of a tool that are expected where the client sets no bound. */
const usualToolUses = 3;

/** Of output tokens. */
const limitNames = ["max_output_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const conversation = conversationOf(body);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: true,
    stored: body["store"] !== false,
    ...(addsInput(body) && { addsInput: true }),
    ...describeFees(body, toolsOf(body)),
    ...(conversation !== undefined && { conversation }),
    ...marksOf(body),
  };
}

/** Members of `client_metadata` that stand for headers: over a WebSocket each request has only these. */
const markNames = [
  "session_id",
  "thread_id",
  "turn_id",
  "x-codex-turn-metadata",
  "x-codex-parent-thread-id",
  "x-openai-subagent",
  "x-openai-memgen-request",
];

function marksOf(body: JsonObject): Pick<RequestDescription, "marks"> {
  const metadata = asObject(body["client_metadata"]);
  if (metadata === undefined) return {};
  const marks: Record<string, string> = {};
  for (const name of markNames) {
    const text = asString(metadata[name]);
    if (text !== undefined) marks[name] = text;
  }
  return { marks };
}

/** Fields that stand for input which only the provider has. */
const keptInputs = ["previous_response_id", "conversation", "prompt"];

function addsInput(body: JsonObject): boolean {
  return (
    keptInputs.some((name) => body[name] !== undefined && body[name] !== null) ||
    asArray(body["input"]).some((item) => asObject(item)?.["type"] === "item_reference")
  );
}

function conversationOf(body: JsonObject): string | undefined {
  return (
    asString(body["conversation"]) ??
    asString(asObject(body["conversation"])?.["id"]) ??
    asString(body["prompt_cache_key"]) ??
    asString(asObject(body["metadata"])?.["session_id"])
  );
}

/** Types of tools that the client runs itself, or that have no fee anywhere. */
const unchargedTool =
  /^(?:function|custom|namespace|local_shell|apply_patch|mcp|tool_search|computer.*)$/;

function toolsOf(body: JsonObject): AskedUses {
  const uses = askedUses();
  const most = asCount(body["max_tool_calls"]) ?? usualToolUses;
  for (const tool of toolsIn(body)) {
    const type = asString(tool["type"]) ?? "function";
    if (unchargedTool.test(type)) continue;
    if (type.startsWith("web_search_preview")) uses.add("webSearch:preview", most, type);
    else if (type.startsWith("web_search")) uses.add("webSearch", most, type);
    else if (type === "file_search") uses.add("fileSearch", most, type);
    else if (type === "image_generation") uses.add(imageUse(tool), Math.min(1, most), type);
    else if (type === "code_interpreter") {
      uses.add(type, most, type);
      uses.add(containerUse(tool["container"]), 1, type);
    } else if (type === "shell") addShell(tool, uses);
    else uses.add(onePart(type), most, type);
  }
  return uses;
}

/** Those of the request, of namespaces, and of items that bring further ones. */
function toolsIn(body: JsonObject): readonly JsonObject[] {
  const own = objectsIn(body["tools"]);
  const brought = objectsIn(body["input"]).flatMap(({ tools }) => objectsIn(tools));
  const all = brought.length > 0 ? [...own, ...brought] : own;
  return all.flatMap((tool) => (tool["type"] === "namespace" ? objectsIn(tool["tools"]) : [tool]));
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return asArray(value).filter(isObject);
}

/** A container that the client names by its id was made elsewhere, and nobody knows its size. */
function containerUse(container: JsonValue | undefined): string {
  const size = asString(asObject(container)?.["memory_limit"]);
  return size === undefined ? "container:1g" : `container:${onePart(size)}`;
}

function addShell({ environment }: JsonObject, uses: AskedUses): void {
  const type = asString(asObject(environment)?.["type"]) ?? "local";
  if (type !== "local") uses.add(containerUse(environment), 1, "shell");
}
