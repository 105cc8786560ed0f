/** Images, files and sound in the content of a chat message. */
import type { MediaBlock } from "../../../core/request.ts";
import { asObject, asString, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { mediaOf, mimeByName, readDataUrl } from "../../../translation/media.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";
import { audioMime } from "./audio-formats.ts";
import { partMembers } from "./read-cache-mark.ts";

const imageMembers = new Set([...partMembers, "image_url", "file_id", "detail"]);
const pictureMembers = new Set(["url", "detail"]);
const audioMembers = new Set([...partMembers, "input_audio"]);
const soundMembers = new Set(["data", "format"]);
const nestedFileMembers = new Set([...partMembers, "file"]);
const heldMembers = ["filename", "file_data", "file_url", "file_id"];
const fileMembers = new Set([...partMembers, ...heldMembers]);
const innerFileMembers = new Set(heldMembers);
const videoMembers = new Set([...partMembers, "video_url"]);
const documentMembers = new Set([...partMembers, "document_url"]);
const addressMembers = new Set(["url"]);

/** Undefined for parts of other kinds, and for those without data. */
export function readMedia(part: JsonObject, position: Position): MediaBlock | undefined {
  switch (part["type"]) {
    case "image_url":
    case "input_image":
      return readImage(part, position);
    case "input_audio":
      return readAudio(part, position);
    case "file":
    case "input_file":
      return readFile(part, position);
    case "video_url":
      noteUnknownMembers(part, videoMembers, position);
      noteUnknownMembers(
        asObject(part["video_url"]),
        addressMembers,
        within(position, "video_url"),
      );
      return fromUrl(urlOf(part["video_url"]), { media: "video", path: position.path });
    case "document_url":
      noteUnknownMembers(part, documentMembers, position);
      noteUnknownMembers(
        asObject(part["document_url"]),
        addressMembers,
        within(position, "document_url"),
      );
      return fromUrl(urlOf(part["document_url"]), { media: "document", path: position.path });
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

function readImage(part: JsonObject, position: Position): MediaBlock | undefined {
  const { path } = position;
  noteUnknownMembers(part, imageMembers, position);
  const fileId = asString(part["file_id"]);
  if (fileId !== undefined)
    return { kind: "media", media: "image", source: { type: "file", id: fileId }, path };
  const picture = asObject(part["image_url"]);
  noteUnknownMembers(picture, pictureMembers, within(position, "image_url"));
  const image = fromUrl(urlOf(part["image_url"]), { media: "image", path });
  const detail = asString(picture?.["detail"]) ?? asString(part["detail"]);
  return image && { ...image, ...(detail !== undefined && { detail }) };
}

function readAudio(part: JsonObject, position: Position): MediaBlock | undefined {
  noteUnknownMembers(part, audioMembers, position);
  const audio = asObject(part["input_audio"]);
  noteUnknownMembers(audio, soundMembers, within(position, "input_audio"));
  const data = asString(audio?.["data"]) ?? asString(part["input_audio"]);
  if (data === undefined) return undefined;
  const head = { media: "audio", path: position.path } as const;
  if (/^(data|https?):/i.test(data)) return fromUrl(data, head);
  const mime = audioMime(asString(audio?.["format"]) ?? "wav");
  return { kind: "media", ...head, source: { type: "bytes", mime, data } };
}

function readFile(part: JsonObject, position: Position): MediaBlock | undefined {
  const nested = asObject(part["file"]);
  noteUnknownMembers(part, nested ? nestedFileMembers : fileMembers, position);
  noteUnknownMembers(nested, innerFileMembers, within(position, "file"));
  const file = nested ?? part;
  const name = asString(file["filename"]);
  const named = name === undefined ? {} : { name };
  const data = asString(file["file_data"]) ?? asString(file["file_url"]);
  const id = asString(file["file_id"]);
  const head = { media: "document", path: position.path } as const;
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
