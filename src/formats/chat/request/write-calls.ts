/** Tool calls and their results in chat messages. */
import type { Block, CallBlock, OpaqueState, ResultBlock } from "../../../core/request.ts";
import { isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { wrapFreeform } from "../../../translation/freeform.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import { noteCacheMark, type WriteContext } from "../../../translation/write-context.ts";
import { plainText } from "./write-content.ts";
import { isMedia } from "./write-media.ts";

/** The calls among the blocks of an assistant message. */
export function writeCalls(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return withBroughtState(blocks, context).map((call) => writeCall(call, context));
}

/** The calls, each with the state that clients of other formats bring in a thinking block before it. */
function withBroughtState(blocks: readonly Block[], context: WriteContext): CallBlock[] {
  const calls: CallBlock[] = [];
  let brought: OpaqueState | undefined;
  for (const block of blocks) {
    if (block.kind === "thinking" && isCallState(block.state, context)) brought = block.state;
    if (block.kind !== "call") continue;
    calls.push(block.state === undefined && brought ? { ...block, state: brought } : block);
    brought = undefined;
  }
  return calls;
}

function isCallState(state: OpaqueState | undefined, context: WriteContext): boolean {
  return state?.type === "extra_content" && belongsTo(state, context.target);
}

function writeCall(call: CallBlock, context: WriteContext): JsonObject {
  noteCacheMark(call, context);
  const name = context.names.toWire(call.name, call.namespace);
  const extra = ownExtra(call, context);
  if (call.call === "custom" && context.target.traits.customTools) {
    return { id: call.id, type: "custom", custom: { name, input: call.input }, ...extra };
  }
  return {
    id: call.id,
    type: "function",
    function: { name, arguments: argumentsOf(call) },
    ...extra,
  };
}

function ownExtra({ state, statePath }: CallBlock, context: WriteContext): JsonObject {
  if (!state || !belongsTo(state, context.target)) {
    if (statePath !== undefined) context.dropped.add(statePath);
    return {};
  }
  const value = parseJson(state.data);
  return isObject(value) ? { extra_content: value } : {};
}

function argumentsOf({ call, input, object }: CallBlock): string {
  if (call === "custom") return wrapFreeform(input);
  return object === undefined ? objectText(input) : input;
}

/** Arguments as the text of a JSON object, which is what every server can read. */
function objectText(input: string): string {
  if (input.trim() === "") return "{}";
  const value = parseJson(input);
  if (isObject(value)) return input;
  return JSON.stringify(value === undefined ? { _raw: input } : { value });
}

/** The message that answers a call; media in the result are for the user message after it. */
export function writeResult(result: ResultBlock, context: WriteContext): JsonObject {
  noteCacheMark(result, context);
  const text = plainText(result.blocks, "\n", context);
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
