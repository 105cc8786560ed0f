/** Tool calls and their results as Gemini's `functionCall` and `functionResponse` parts. */
import { inputObject } from "../../../translation/call-inputs.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, CallBlock, ResultBlock } from "../../../core/request.ts";
import { isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { isWords, writeMedia, wordsOf } from "./write-media.ts";
import { noteMarks, type WriteContext } from "../../../translation/write-context.ts";

/** One call; its signature is the caller's business. */
export function writeCall(block: CallBlock, context: WriteContext): JsonObject {
  noteMarks(block, context);
  const name = context.names.toWire(block.name, block.namespace);
  const args =
    block.call === "custom" ? { input: block.input } : (block.object ?? inputObject(block.input));
  return { functionCall: { id: block.id, name, args } };
}

export interface WrittenResult {
  response: JsonObject;
  /** Media that the model takes only beside the responses. */
  beside: JsonObject[];
}

/** One result under the name of the call that it answers. */
export function writeResult(
  block: ResultBlock,
  name: string,
  context: WriteContext,
): WrittenResult {
  noteMarks(block, context);
  const media = block.blocks.flatMap((part) => resultMedia(part, context));
  const inside = context.target.traits.mediaInResults && media.length > 0;
  const functionResponse = {
    id: block.id,
    name,
    response: responseOf(block),
    ...(inside && { parts: media }),
  };
  const beside =
    inside || media.length === 0 ? [] : [{ text: `Attached to the result of ${name}:` }, ...media];
  return { response: { functionResponse }, beside };
}

function resultMedia(part: Block, context: WriteContext): JsonObject[] {
  switch (part.kind) {
    case "media":
      if (!isWords(part)) return writeMedia(part, context);
      noteMarks(part, context);
      return [];
    case "opaque":
      if (part.text === undefined && part.weight === "essential")
        throw invalid(part.path, `the provider's format has no ${part.type}`);
      context.dropped.add(part.path);
      return [];
    default:
      noteMarks(part, context);
      return [];
  }
}

/** A JSON object stays one; anything else is a text under `result`, or under `error` when the tool failed. */
function responseOf(block: ResultBlock): JsonObject {
  const text = wordsOf(block.blocks);
  if (block.isError === true) return { error: text };
  const value = text.startsWith("{") && !holdsLongNumber(text) ? parseJson(text) : undefined;
  return isObject(value) ? value : { result: text };
}

/** Numbers of so many digits do not survive being parsed; such a result stays text. */
function holdsLongNumber(text: string): boolean {
  return /\d{16}/.test(text);
}
