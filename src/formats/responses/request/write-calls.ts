/** Tool calls and their outputs as items of a Responses request. */
import type { CallBlock, ResultBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { wrapFreeform } from "../../../translation/freeform.ts";
import { noteCacheMark, type WriteContext } from "../../../translation/write-context.ts";
import { writeContent } from "./write-content.ts";

/** The item of a call. */
export function writeCall(block: CallBlock, context: WriteContext): JsonObject {
  noteCacheMark(block, context);
  // State beside a call is never Responses' own.
  if (block.statePath !== undefined) context.dropped.add(block.statePath);
  const { traits } = context.target;
  const named = {
    call_id: block.id,
    name: context.names.toWire(block.name, block.namespace),
    ...(block.namespace !== undefined && traits.namespaces && { namespace: block.namespace }),
  };
  if (block.call === "custom" && traits.customTools)
    return { type: "custom_tool_call", ...named, input: block.input };
  const input = block.call === "custom" ? wrapFreeform(block.input) : block.input;
  return { type: "function_call", ...named, arguments: input === "" ? "{}" : input };
}

/** The item of a result. */
export function writeResult(block: ResultBlock, context: WriteContext): JsonObject {
  noteCacheMark(block, context);
  const parts = writeContent(block.blocks, context);
  const native = block.call === "custom" && context.target.traits.customTools;
  if (block.isError === true) markError(parts);
  return {
    type: native ? "custom_tool_call_output" : "function_call_output",
    call_id: block.id,
    output: plainOutput(parts) ?? parts,
  };
}

/** Text alone goes as a string: every server takes that. */
function plainOutput(parts: readonly JsonObject[]): string | undefined {
  if (parts.some((part) => part["type"] !== "input_text")) return undefined;
  const only = parts[0]?.["text"];
  if (parts.length === 1 && typeof only === "string") return only;
  return parts.map((part) => (typeof part["text"] === "string" ? part["text"] : "")).join("\n");
}

/** There is no flag for errors: the text says so, unless it does already. */
function markError(parts: JsonObject[]): void {
  const first = parts[0]?.["text"];
  const head = typeof first === "string" ? first.slice(0, 200) : "";
  if (/error|fail|exception|denied|not found|invalid/i.test(head)) return;
  if (typeof first === "string") parts[0] = { type: "input_text", text: `Error: ${first}` };
  else parts.unshift({ type: "input_text", text: "Error" });
}
