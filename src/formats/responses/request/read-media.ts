/** Images, files and sound in the content of a Responses request. */
import { invalid } from "../../../core/problem.ts";
import type { MediaBlock } from "../../../core/request.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { mediaOf, mimeByName, readDataUrl } from "../../../translation/media.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { audioMime } from "./audio-formats.ts";
import { member, type IndexedPosition } from "./position.ts";
import { readCacheMark } from "./read-cache-mark.ts";

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
const addressMembers = new Set(["url", "detail"]);
const soundMembers = new Set(["data", "format"]);

export function readImage(part: JsonObject, position: IndexedPosition): MediaBlock {
  noteUnknownMembers(part, imageMembers, position);
  const image = part["image_url"];
  noteUnknownMembers(asObject(image), addressMembers, member(position, "image_url"));
  // Chat's shape, `{url}`, is common among clients that were moved over.
  const url = asString(image) ?? asString(asObject(image)?.["url"]);
  const fileId = asString(part["file_id"]);
  const detail = asString(part["detail"]) ?? asString(asObject(image)?.["detail"]);
  const rest = {
    ...(detail !== undefined && { detail }),
    ...readCacheMark(part, position),
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

export function readFile(part: JsonObject, position: IndexedPosition): MediaBlock {
  noteUnknownMembers(part, fileMembers, position);
  const name = asString(part["filename"]);
  const rest = {
    ...(name !== undefined && { name }),
    ...readCacheMark(part, position),
    path: position.path,
  };
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
  if (id === undefined)
    throw invalid(position.indexedPath, "needs one of file_data, file_url and file_id");
  return { kind: "media", media: "document", source: { type: "file", id }, ...rest };
}

export function readAudio(part: JsonObject, position: IndexedPosition): MediaBlock {
  noteUnknownMembers(part, audioMembers, position);
  const audio = asObject(part["input_audio"]);
  noteUnknownMembers(audio, soundMembers, member(position, "input_audio"));
  const data = asString(audio?.["data"]);
  if (data === undefined)
    throw invalid(`${position.indexedPath}.input_audio.data`, "must be a string");
  const mime = audioMime(asString(audio?.["format"]) ?? "wav");
  return {
    kind: "media",
    media: "audio",
    source: { type: "bytes", mime, data },
    ...readCacheMark(part, position),
    path: position.path,
  };
}
