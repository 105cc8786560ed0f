/** Content parts of messages and tool outputs -> blocks. */
import { invalid } from "../../../core/problem.ts";
import type { Block, CacheMark, MediaBlock, TextBlock } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { readAnnotation } from "../citations.ts";
import { mediaOf, mimeByName, readDataUrl } from "../../../translation/media.ts";
import { audioMime } from "./audio-formats.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { element, member, type Position } from "./read-position.ts";

/** Blocks of a `content` or `output` member: text, or parts. */
export function readParts(content: JsonValue | undefined, position: Position): Block[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) throw invalid(position.indexedPath, "must be a string or an array of parts");
  return content.map((part, index) => readPart(part, element(position, index)));
}

function readPart(part: JsonValue, position: Position): Block {
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
const imageMembers = new Set(["type", "image_url", "file_id", "detail", "prompt_cache_breakpoint"]);
const audioMembers = new Set(["type", "input_audio", "prompt_cache_breakpoint"]);
const fileMembers = new Set([
  "type",
  "file_data",
  "file_id",
  "file_url",
  "filename",
  "prompt_cache_breakpoint",
]);

function readText(part: JsonObject, position: Position): TextBlock {
  noteUnknownMembers(part, textMembers, position);
  const text = part["text"];
  if (typeof text !== "string") throw invalid(`${position.indexedPath}.text`, "must be a string");
  const citations = asArray(part["annotations"]).filter(isObject).map(readAnnotation);
  return {
    kind: "text",
    text,
    ...cacheOf(part, position),
    ...(citations.length > 0 && { citations, citationsPath: `${position.path}.annotations` }),
  };
}

const markMembers = new Set(["mode"]);

function cacheOf(part: JsonObject, position: Position): { cache?: CacheMark } {
  const mark = asObject(part["prompt_cache_breakpoint"]);
  if (!mark) return {};
  const path = `${position.path}.prompt_cache_breakpoint`;
  noteUnknownMembers(mark, markMembers, { path, unsupported: position.unsupported });
  return { cache: { path } };
}

const addressMembers = new Set(["url", "detail"]);
const soundMembers = new Set(["data", "format"]);

function readImage(part: JsonObject, position: Position): MediaBlock {
  noteUnknownMembers(part, imageMembers, position);
  const image = part["image_url"];
  noteUnknownMembers(asObject(image), addressMembers, member(position, "image_url"));
  // Chat's shape, `{url}`, is common among clients that were moved over.
  const url = asString(image) ?? asString(asObject(image)?.["url"]);
  const fileId = asString(part["file_id"]);
  const detail = asString(part["detail"]) ?? asString(asObject(image)?.["detail"]);
  const rest = {
    ...(detail !== undefined && { detail }),
    ...cacheOf(part, position),
    path: position.path,
  };
  if (url !== undefined) {
    const bytes = readDataUrl(url);
    const media = bytes ? mediaOf(bytes.mime) : "image";
    const source = bytes ? { type: "bytes" as const, ...bytes } : { type: "url" as const, url };
    return { kind: "media", media, source, ...rest };
  }
  if (fileId === undefined) throw invalid(`${position.indexedPath}.image_url`, "must be a URL");
  return { kind: "media", media: "image", source: { type: "file", id: fileId }, ...rest };
}

function readFile(part: JsonObject, position: Position): MediaBlock {
  noteUnknownMembers(part, fileMembers, position);
  const name = asString(part["filename"]);
  const rest = { ...(name !== undefined && { name }), ...cacheOf(part, position), path: position.path };
  const data = asString(part["file_data"]);
  if (data !== undefined) {
    const bytes = readDataUrl(data) ?? { mime: mimeByName(name), data };
    const media = mediaOf(bytes.mime);
    return { kind: "media", media, source: { type: "bytes", ...bytes }, ...rest };
  }
  const url = asString(part["file_url"]);
  if (url !== undefined)
    return { kind: "media", media: "document", source: { type: "url", url }, ...rest };
  const id = asString(part["file_id"]);
  if (id === undefined) throw invalid(position.indexedPath, "needs one of file_data, file_url and file_id");
  return { kind: "media", media: "document", source: { type: "file", id }, ...rest };
}

function readAudio(part: JsonObject, position: Position): MediaBlock {
  noteUnknownMembers(part, audioMembers, position);
  const audio = asObject(part["input_audio"]);
  noteUnknownMembers(audio, soundMembers, member(position, "input_audio"));
  const data = asString(audio?.["data"]);
  if (data === undefined) throw invalid(`${position.indexedPath}.input_audio.data`, "must be a string");
  const mime = audioMime(asString(audio?.["format"]) ?? "wav");
  return {
    kind: "media",
    media: "audio",
    source: { type: "bytes", mime, data },
    ...cacheOf(part, position),
    path: position.path,
  };
}

function readUnknown(part: JsonObject, position: Position): Block {
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
