/** Content parts of chat messages -> neutral blocks. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { Block, CacheMark, MediaBlock } from "../../../core/request.ts";
import { mediaOf, mimeByName, readDataUrl } from "../../../translation/media.ts";
import { noteUnknownMembers, within, type Place } from "../../../translation/unsupported.ts";
import { audioMime } from "./audio-formats.ts";

/** A message's `content`: text, parts, or nothing. `place` is that of its parts. */
export function readContent(content: JsonValue | undefined, place: Place): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) ? readPart(part, place) : []));
}

const marks = ["type", "cache_control", "prompt_cache_breakpoint"];
const textMembers = new Set([...marks, "text"]);
const refusalMembers = new Set(["type", "refusal", "text"]);
const thinkingMembers = new Set(["type", "thinking"]);
const thoughtMembers = new Set(["type", "text"]);

function readPart(part: JsonObject, place: Place): Block[] {
  const cache = readCache(part, place);
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      noteUnknownMembers(part, textMembers, place);
      return readText(part, cache);
    case "refusal":
      noteUnknownMembers(part, refusalMembers, place);
      return [{ kind: "refusal", text: asString(part["refusal"]) ?? asString(part["text"]) ?? "" }];
    case "thinking":
      noteUnknownMembers(part, thinkingMembers, place);
      return [{ kind: "thinking", text: thoughtText(part, place), path: place.path }];
    default: {
      const media = readMedia(part, place);
      return media ? [{ ...media, ...(cache && { cache }) }] : [readUnknown(part, place.path)];
    }
  }
}

function readText(part: JsonObject, cache: CacheMark | undefined): Block[] {
  const text = asString(part["text"]) ?? "";
  return text === "" ? [] : [{ kind: "text", text, ...(cache && { cache }) }];
}

function thoughtText(part: JsonObject, place: Place): string {
  const at: Place = { path: `${place.path}.thinking[]`, unsupported: place.unsupported };
  for (const thought of asArray(part["thinking"]))
    noteUnknownMembers(asObject(thought), thoughtMembers, at);
  return thinkingText(part["thinking"]);
}

/** Mistral's `thinking` parts hold text parts of their own. */
export function thinkingText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => (typeof part === "string" ? part : (asString(asObject(part)?.["text"]) ?? "")))
    .join("");
}

const markMembers = new Set(["type", "ttl"]);
const breakpointMembers = new Set(["mode"]);

/** The cache breakpoint on a part or a tool. */
export function readCache(part: JsonObject, place: Place): CacheMark | undefined {
  const mark = asObject(part["cache_control"]);
  if (mark) {
    const at = within(place, "cache_control");
    noteUnknownMembers(mark, markMembers, at);
    const ttl = asString(mark["ttl"]);
    return { path: at.path, ...(ttl !== undefined && { ttl }) };
  }
  const point = asObject(part["prompt_cache_breakpoint"]);
  if (!point) return undefined;
  const at = within(place, "prompt_cache_breakpoint");
  noteUnknownMembers(point, breakpointMembers, at);
  return { path: at.path };
}

const imageMembers = new Set([...marks, "image_url", "file_id", "detail"]);
const pictureMembers = new Set(["url", "detail"]);
const audioMembers = new Set([...marks, "input_audio"]);
const soundMembers = new Set(["data", "format"]);
const nestedFileMembers = new Set([...marks, "file"]);
const heldMembers = ["filename", "file_data", "file_url", "file_id"];
const fileMembers = new Set([...marks, ...heldMembers]);
const innerFileMembers = new Set(heldMembers);
const videoMembers = new Set([...marks, "video_url"]);
const documentMembers = new Set([...marks, "document_url"]);
const addressMembers = new Set(["url"]);

function readMedia(part: JsonObject, place: Place): MediaBlock | undefined {
  switch (part["type"]) {
    case "image_url":
    case "input_image":
      return readImage(part, place);
    case "input_audio":
      return readAudio(part, place);
    case "file":
    case "input_file":
      return readFile(part, place);
    case "video_url":
      noteUnknownMembers(part, videoMembers, place);
      noteUnknownMembers(asObject(part["video_url"]), addressMembers, within(place, "video_url"));
      return fromUrl(urlOf(part["video_url"]), { media: "video", path: place.path });
    case "document_url":
      noteUnknownMembers(part, documentMembers, place);
      noteUnknownMembers(
        asObject(part["document_url"]),
        addressMembers,
        within(place, "document_url"),
      );
      return fromUrl(urlOf(part["document_url"]), { media: "document", path: place.path });
    default:
      return undefined;
  }
}

function urlOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : asString(asObject(value)?.["url"]);
}

function fromUrl(
  url: string | undefined,
  head: Pick<MediaBlock, "media" | "path">,
): MediaBlock | undefined {
  if (url === undefined || url === "") return undefined;
  const inline = readDataUrl(url);
  if (!inline) return { kind: "media", ...head, source: { type: "url", url } };
  // A PDF in an image part is a PDF, whatever the part is called.
  return {
    kind: "media",
    ...head,
    media: mediaOf(inline.mime),
    source: { type: "bytes", ...inline },
  };
}

function readImage(part: JsonObject, place: Place): MediaBlock | undefined {
  const { path } = place;
  noteUnknownMembers(part, imageMembers, place);
  const fileId = asString(part["file_id"]);
  if (fileId !== undefined)
    return { kind: "media", media: "image", source: { type: "file", id: fileId }, path };
  const picture = asObject(part["image_url"]);
  noteUnknownMembers(picture, pictureMembers, within(place, "image_url"));
  const image = fromUrl(urlOf(part["image_url"]), { media: "image", path });
  const detail = asString(picture?.["detail"]) ?? asString(part["detail"]);
  return image && { ...image, ...(detail !== undefined && { detail }) };
}

function readAudio(part: JsonObject, place: Place): MediaBlock | undefined {
  noteUnknownMembers(part, audioMembers, place);
  const audio = asObject(part["input_audio"]);
  noteUnknownMembers(audio, soundMembers, within(place, "input_audio"));
  const data = asString(audio?.["data"]) ?? asString(part["input_audio"]);
  if (data === undefined) return undefined;
  const head = { media: "audio", path: place.path } as const;
  if (/^(data|https?):/i.test(data)) return fromUrl(data, head);
  const mime = audioMime(asString(audio?.["format"]) ?? "wav");
  return { kind: "media", ...head, source: { type: "bytes", mime, data } };
}

function readFile(part: JsonObject, place: Place): MediaBlock | undefined {
  const nested = asObject(part["file"]);
  noteUnknownMembers(part, nested ? nestedFileMembers : fileMembers, place);
  noteUnknownMembers(nested, innerFileMembers, within(place, "file"));
  const file = nested ?? part;
  const name = asString(file["filename"]);
  const named = name === undefined ? {} : { name };
  const data = asString(file["file_data"]) ?? asString(file["file_url"]);
  const id = asString(file["file_id"]);
  const head = { media: "document", path: place.path } as const;
  if (data === undefined) {
    return id === undefined
      ? undefined
      : { kind: "media", ...head, source: { type: "file", id }, ...named };
  }
  if (/^(data|https?):/i.test(data)) {
    const block = fromUrl(data, head);
    return block && { ...block, ...named };
  }
  const mime = mimeByName(name);
  return { kind: "media", ...head, ...named, source: { type: "bytes", mime, data } };
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
