/** Tool calls and their results as content blocks of a Messages request. */
import type { CallBlock, ResultBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { inputObject } from "../../../translation/call-inputs.ts";
import { withCacheMark, type MessagesWriteContext } from "./write-cache-marks.ts";

export function writeCall(block: CallBlock, context: MessagesWriteContext): JsonObject {
  // State beside a call is never Anthropic's own.
  if (block.statePath !== undefined) context.dropped.add(block.statePath);
  return withCacheMark(
    {
      type: "tool_use",
      id: block.id,
      name: context.names.toWire(block.name, block.namespace),
      input:
        block.call === "custom"
          ? { input: block.input }
          : (block.object ?? inputObject(block.input)),
    },
    block.cache,
    context,
  );
}

/** `blocks`: the written content of the result. */
export function writeResult(
  block: ResultBlock,
  blocks: JsonObject[],
  context: MessagesWriteContext,
): JsonObject {
  // An error must say something.
  const content =
    blocks.length === 0 && block.isError === true
      ? [{ type: "text", text: "The tool failed without a message." }]
      : blocks;
  const written: JsonObject = { type: "tool_result", tool_use_id: block.id };
  if (content.length > 0) written["content"] = plain(content);
  if (block.isError === true) written["is_error"] = true;
  return withCacheMark(written, block.cache, context);
}

/** One plain text is written as such. */
function plain(content: JsonObject[]): JsonObject[] | string {
  const [only] = content;
  const text = only?.["text"];
  const bare = content.length === 1 && only?.["cache_control"] === undefined;
  return bare && typeof text === "string" ? text : content;
}
