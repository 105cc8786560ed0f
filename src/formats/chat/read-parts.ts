/** Content parts of chat messages -> neutral blocks. */
import { asObject, asString, isObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Block, CacheMark, MediaBlock } from "../../core/turn.ts";
import { mediaOf, mimeByName, readDataUrl } from "../../core/media.ts";
import { audioMime } from "./media.ts";

/** A message's `content`: text, parts, or nothing. `path` is that of the member itself. */
export function readContent(content: JsonValue | undefined, path: string): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) ? readPart(part, `${path}[]`) : []));
}

function readPart(part: JsonObject, path: string): Block[] {
  const cache = readCache(part, path);
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      return readText(part, cache);
    case "refusal":
      return [{ kind: "refusal", text: asString(part["refusal"]) ?? asString(part["text"]) ?? "" }];
    case "thinking":
      return [{ kind: "thinking", text: thinkingText(part["thinking"]), path }];
    default: {
      const media = readMedia(part, path);
      return media ? [{ ...media, ...(cache && { cache }) }] : [readUnknown(part, path)];
    }
  }
}

function readText(part: JsonObject, cache: CacheMark | undefined): Block[] {
  const text = asString(part["text"]) ?? "";
  return text === "" ? [] : [{ kind: "text", text, ...(cache && { cache }) }];
}

/** Mistral's `thinking` parts hold text parts of their own. */
export function thinkingText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => (typeof part === "string" ? part : (asString(asObject(part)?.["text"]) ?? "")))
    .join("");
}

function readCache(part: JsonObject, path: string): CacheMark | undefined {
  const mark = asObject(part["cache_control"]);
  if (mark) {
    const ttl = asString(mark["ttl"]);
    return { path: `${path}.cache_control`, ...(ttl !== undefined && { ttl }) };
  }
  return isObject(part["prompt_cache_breakpoint"])
    ? { path: `${path}.prompt_cache_breakpoint` }
    : undefined;
}

function readMedia(part: JsonObject, path: string): MediaBlock | undefined {
  switch (part["type"]) {
    case "image_url":
    case "input_image":
      return readImage(part, path);
    case "input_audio":
      return readAudio(part, path);
    case "file":
    case "input_file":
      return readFile(asObject(part["file"]) ?? part, path);
    case "video_url":
      return fromUrl(urlOf(part["video_url"]), { media: "video", path });
    case "document_url":
      return fromUrl(urlOf(part["document_url"]), { media: "document", path });
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

function readImage(part: JsonObject, path: string): MediaBlock | undefined {
  const fileId = asString(part["file_id"]);
  if (fileId !== undefined)
    return { kind: "media", media: "image", source: { type: "file", id: fileId }, path };
  const image = fromUrl(urlOf(part["image_url"]), { media: "image", path });
  const detail = asString(asObject(part["image_url"])?.["detail"]) ?? asString(part["detail"]);
  return image && { ...image, ...(detail !== undefined && { detail }) };
}

function readAudio(part: JsonObject, path: string): MediaBlock | undefined {
  const audio = asObject(part["input_audio"]);
  const data = asString(audio?.["data"]) ?? asString(part["input_audio"]);
  if (data === undefined) return undefined;
  const head = { media: "audio", path } as const;
  if (/^(data|https?):/i.test(data)) return fromUrl(data, head);
  const mime = audioMime(asString(audio?.["format"]) ?? "wav");
  return { kind: "media", ...head, source: { type: "bytes", mime, data } };
}

function readFile(file: JsonObject, path: string): MediaBlock | undefined {
  const name = asString(file["filename"]);
  const named = name === undefined ? {} : { name };
  const data = asString(file["file_data"]) ?? asString(file["file_url"]);
  const id = asString(file["file_id"]);
  if (data !== undefined) {
    const head = { media: "document", path } as const;
    if (/^(data|https?):/i.test(data)) {
      const block = fromUrl(data, head);
      return block && { ...block, ...named };
    }
    return {
      kind: "media",
      ...head,
      ...named,
      source: { type: "bytes", mime: mimeByName(name), data },
    };
  }
  return id === undefined
    ? undefined
    : { kind: "media", media: "document", source: { type: "file", id }, ...named, path };
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
