/** Tool calls and their results as Gemini's `functionCall` and `functionResponse` parts. */
import { inputObject } from "../../../translation/call-inputs.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, CallBlock, ResultBlock } from "../../../core/request.ts";
import { isObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { isWords, mediaParts, wordsOf } from "./write-media.ts";
import { dropMarks, type Writing } from "./write-context.ts";

/** One call; its signature is the caller's business. */
export function callPart(writing: Writing, block: CallBlock): JsonObject {
  dropMarks(writing, block);
  const name = writing.names.toWire(block.name, block.namespace);
  const args = block.call === "custom" ? { input: block.input } : inputObject(block.input);
  return { functionCall: { id: block.id, name, args } };
}

export interface WrittenResult {
  response: JsonObject;
  /** Media that the model takes only beside the responses. */
  beside: JsonObject[];
}

/** One result under the name of the call that it answers. */
export function resultParts(writing: Writing, block: ResultBlock, name: string): WrittenResult {
  dropMarks(writing, block);
  const media = block.blocks.flatMap((part) => resultMedia(writing, part));
  const inside = writing.target.traits.mediaInResults && media.length > 0;
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

function resultMedia(writing: Writing, part: Block): JsonObject[] {
  switch (part.kind) {
    case "media":
      if (!isWords(part)) return mediaParts(writing, part);
      dropMarks(writing, part);
      return [];
    case "opaque":
      if (part.text === undefined && part.weight === "essential")
        throw invalid(part.path, `the provider's dialect has no ${part.type}`);
      writing.dropped.add(part.path);
      return [];
    default:
      dropMarks(writing, part);
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
