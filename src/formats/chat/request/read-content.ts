/** Content of chat messages as neutral blocks. */
import type { Block, CacheMark } from "../../../core/request.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { noteUnknownMembers, type Position } from "../../../translation/unsupported.ts";
import { nestedText } from "../shared/member-text.ts";
import { partMembers, readCacheMark } from "./read-cache-mark.ts";
import { readMedia } from "./read-media.ts";

/** A message's `content`: text, parts, or nothing. `position` is that of its parts. */
export function readContent(content: JsonValue | undefined, position: Position): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) ? readPart(part, position) : []));
}

const textMembers = new Set([...partMembers, "text"]);
const refusalMembers = new Set(["type", "refusal", "text"]);
const thinkingMembers = new Set(["type", "thinking"]);
const thoughtMembers = new Set(["type", "text"]);

function readPart(part: JsonObject, position: Position): Block[] {
  const cache = readCacheMark(part, position);
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      noteUnknownMembers(part, textMembers, position);
      return readText(part, cache);
    case "refusal":
      noteUnknownMembers(part, refusalMembers, position);
      return [{ kind: "refusal", text: asString(part["refusal"]) ?? asString(part["text"]) ?? "" }];
    case "thinking":
      noteUnknownMembers(part, thinkingMembers, position);
      return [{ kind: "thinking", text: thoughtText(part, position), path: position.path }];
    default: {
      const media = readMedia(part, position);
      return media ? [{ ...media, ...(cache && { cache }) }] : [readUnknown(part, position.path)];
    }
  }
}

function readText(part: JsonObject, cache: CacheMark | undefined): Block[] {
  const text = asString(part["text"]) ?? "";
  return text === "" ? [] : [{ kind: "text", text, ...(cache && { cache }) }];
}

function thoughtText(part: JsonObject, position: Position): string {
  const at: Position = { path: `${position.path}.thinking[]`, unsupported: position.unsupported };
  for (const thought of asArray(part["thinking"]))
    noteUnknownMembers(asObject(thought), thoughtMembers, at);
  return nestedText(part["thinking"]);
}

function readUnknown(part: JsonObject, path: string): Block {
  const type = asString(part["type"]) ?? "unknown";
  const text = asString(part["text"]);
  return {
    kind: "opaque",
    format: "chat",
    type,
    raw: part,
    weight: "essential",
    path,
    ...(text !== undefined && { text }),
  };
}
