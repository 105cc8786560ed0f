/** Media of a Gemini request: bytes in the part, or a URI. */
import type { MediaBlock } from "../../../core/request.ts";
import { invalid } from "../../../core/problem.ts";
import { asFilledString, asObject, asString } from "../../../lib/json.ts";
import { mediaOf } from "../../../translation/media.ts";
import type { Members } from "./read-members.ts";

const inlineMembers = new Set(["mimeType", "data", "displayName"]);
const fileMembers = new Set(["mimeType", "fileUri", "displayName"]);
const partMembers = new Set(["inlineData", "fileData", "mediaResolution", "thoughtSignature"]);

/** The media of a part; undefined for a part without. */
export function readMediaPart(part: Members): MediaBlock | undefined {
  const inline = part.inside("inlineData");
  const file = part.inside("fileData");
  const read = inline ? readInline(inline, part) : file && readFile(file, part);
  if (!read) return undefined;
  const { detail, isUnderstood } = readDetail(part);
  const isRead = read.media === "image" && isUnderstood;
  part.noteOthers(isRead ? partMembers : withoutDetail);
  if (!isRead || detail === undefined) return read;
  return { ...read, detail, detailPath: part.pathOf("mediaResolution") };
}

const withoutDetail = new Set([...partMembers].filter((name) => name !== "mediaResolution"));

function readInline(inline: Members, part: Members): MediaBlock {
  inline.noteOthers(inlineMembers);
  const data = inline.get("data");
  if (typeof data !== "string") throw invalid(inline.pathOf("data"), "must be a string");
  const mime = asFilledString(inline.get("mimeType"))?.toLowerCase();
  if (mime === undefined) throw invalid(inline.pathOf("mimeType"), "must be a non-empty string");
  return {
    kind: "media",
    media: mediaOf(mime),
    source: { type: "bytes", mime: mime.split(";")[0]?.trim() ?? mime, data: plainBase64(data) },
    ...nameOf(inline),
    path: part.path,
  };
}

/** Typed clients write bytes in the alphabet of URLs; other providers know the usual one alone. */
function plainBase64(data: string): string {
  return /[-_]/.test(data) ? data.replaceAll("-", "+").replaceAll("_", "/") : data;
}

function nameOf(data: Members): Pick<MediaBlock, "name" | "namePath"> {
  const name = asFilledString(data.get("displayName"));
  return name === undefined ? {} : { name, namePath: data.pathOf("displayName") };
}

/** Google's own files belong to one account; any other URI is an address. */
function readFile(file: Members, part: Members): MediaBlock {
  file.noteOthers(fileMembers);
  const uri = asFilledString(file.get("fileUri"));
  if (uri === undefined) throw invalid(file.pathOf("fileUri"), "must be a non-empty string");
  const mime = asFilledString(file.get("mimeType"))?.toLowerCase();
  return {
    kind: "media",
    media: isVideoPage(uri) ? "video" : mediaOf(mime ?? typeOf(uri)),
    source: isGoogleFile(uri)
      ? { type: "file", id: uri }
      : { type: "url", url: uri, ...(mime !== undefined && { mime }) },
    ...nameOf(file),
    path: part.path,
  };
}

function isGoogleFile(uri: string): boolean {
  return (
    !/^https?:\/\//i.test(uri) ||
    /^https:\/\/generativelanguage\.googleapis\.com\/|\/v1(?:beta|alpha)?\/files\/[^/]+$/i.test(uri)
  );
}

function isVideoPage(uri: string): boolean {
  return /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//i.test(uri);
}

/** Where the address does not tell, an image is what clients send by address. */
function typeOf(uri: string): string {
  const extension = /\.([A-Za-z0-9]{2,5})(?:[?#]|$)/.exec(uri)?.[1]?.toLowerCase() ?? "";
  if (/^(?:pdf|txt|md|html?|csv|json|xml)$/.test(extension)) return "application/pdf";
  if (/^(?:mp3|wav|ogg|flac|m4a)$/.test(extension)) return "audio/mpeg";
  return /^(?:mp4|mov|webm|mpe?g)$/.test(extension) ? "video/mp4" : "image/*";
}

const details: Readonly<Record<string, string>> = {
  MEDIA_RESOLUTION_LOW: "low",
  MEDIA_RESOLUTION_HIGH: "high",
  MEDIA_RESOLUTION_ULTRA_HIGH: "high",
};

/** How closely to look. The part holds an object with a level, older clients the word alone. */
function readDetail(part: Members): { readonly detail?: string; readonly isUnderstood: boolean } {
  const value = part.get("mediaResolution");
  const word = asString(value) ?? asString(asObject(value)?.["level"]);
  return detailOf(word);
}

/** The detail that a resolution stands for. */
export function detailOf(word: string | undefined): {
  readonly detail?: string;
  readonly isUnderstood: boolean;
} {
  if (word === undefined || word === "MEDIA_RESOLUTION_UNSPECIFIED")
    return { isUnderstood: word !== undefined };
  const detail = Object.hasOwn(details, word) ? details[word] : undefined;
  return detail === undefined ? { isUnderstood: false } : { detail, isUnderstood: true };
}
