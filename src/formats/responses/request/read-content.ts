/** Content parts of messages and tool outputs as neutral blocks. */
import { invalid } from "../../../core/problem.ts";
import type { Block, TextBlock } from "../../../core/request.ts";
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { readAnnotation } from "../shared/citations.ts";
import { element, type IndexedPosition } from "./position.ts";
import { readCacheMark } from "./read-cache-mark.ts";
import { readAudio, readFile, readImage } from "./read-media.ts";

/** Blocks of a `content` or `output` member: text, or parts. */
export function readContent(content: JsonValue | undefined, position: IndexedPosition): Block[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content))
    throw invalid(position.indexedPath, "must be a string or an array of parts");
  return content.map((part, index) => readPart(part, element(position, index)));
}

function readPart(part: JsonValue, position: IndexedPosition): Block {
  if (typeof part === "string") return { kind: "text", text: part };
  if (!isObject(part)) throw invalid(position.indexedPath, "must be an object");
  switch (part["type"]) {
    case "input_text":
    case "output_text":
    case "text":
      return readText(part, position);
    case "refusal":
      noteUnknownMembers(part, refusalMembers, position);
      return { kind: "refusal", text: asString(part["refusal"]) ?? "" };
    case "input_image":
    case "computer_screenshot":
      return readImage(part, position);
    case "input_file":
      return readFile(part, position);
    case "input_audio":
      return readAudio(part, position);
    default:
      return readUnknown(part, position);
  }
}

const textMembers = new Set(["type", "text", "annotations", "prompt_cache_breakpoint"]);
const refusalMembers = new Set(["type", "refusal"]);

function readText(part: JsonObject, position: IndexedPosition): TextBlock {
  noteUnknownMembers(part, textMembers, position);
  const text = part["text"];
  if (typeof text !== "string") throw invalid(`${position.indexedPath}.text`, "must be a string");
  const block: TextBlock = { kind: "text", text, ...readCacheMark(part, position) };
  const annotations = asArray(part["annotations"]);
  if (annotations.length === 0) return block;
  const citations = annotations.filter(isObject).map(readAnnotation);
  const citationsPath = `${position.path}.annotations`;
  return citations.length === 0 ? block : { ...block, citations, citationsPath };
}

function readUnknown(part: JsonObject, position: IndexedPosition): Block {
  const type = asString(part["type"]);
  if (type === undefined) throw invalid(`${position.indexedPath}.type`, "must be a string");
  const text = asString(part["text"]);
  return {
    kind: "opaque",
    format: "responses",
    type,
    raw: part,
    ...(text !== undefined && { text }),
    weight: "essential",
    path: position.path,
  };
}
