/** Files and pictures in both directions: data URLs, MIME types. */
import type { MediaBlock } from "../../core/turn.ts";

type Media = MediaBlock["media"];

/** The parts of a base64 data URL; undefined for any other text. Another encoding is turned into base64. */
export function splitDataUrl(url: string): { mime: string; data: string } | undefined {
  if (!/^data:/i.test(url.slice(0, 5))) return undefined;
  const comma = url.indexOf(",");
  if (comma < 0) return undefined;
  const head = url.slice(5, comma);
  const semicolon = head.indexOf(";");
  const mime = (semicolon < 0 ? head : head.slice(0, semicolon)).trim().toLowerCase();
  const payload = url.slice(comma + 1);
  const base64 = /;\s*base64\s*$/i.test(head);
  return { mime: mime === "" ? "text/plain" : mime, data: base64 ? payload : toBase64(payload) };
}

function toBase64(percentEncoded: string): string {
  let text = percentEncoded;
  try {
    text = decodeURIComponent(percentEncoded);
  } catch {
    // Not percent-encoded after all: the characters stand for themselves.
  }
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function dataUrl(mime: string, data: string): string {
  return `data:${mime};base64,${data}`;
}

const mimes: Record<string, string> = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  xml: "application/xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** MIME type by a file's name; PDF when the name does not tell, since that is what these fields were made for. */
export function mimeByName(name: string | undefined): string {
  const dot = name?.lastIndexOf(".") ?? -1;
  const extension = dot < 0 ? "" : (name ?? "").slice(dot + 1).toLowerCase();
  return (Object.hasOwn(mimes, extension) ? mimes[extension] : undefined) ?? "application/pdf";
}

/** What a MIME type is to a model. */
export function mediaOf(mime: string): Media {
  if (mime.startsWith("image/")) return "image";
  if (mime.startsWith("audio/")) return "audio";
  if (mime.startsWith("video/")) return "video";
  return "document";
}

const audioMimes: Record<string, string> = { mp3: "audio/mpeg", wav: "audio/wav" };

/** MIME type of an `input_audio` format. */
export function audioMime(format: string): string {
  return (Object.hasOwn(audioMimes, format) ? audioMimes[format] : undefined) ?? `audio/${format}`;
}

/** `input_audio` format of a MIME type; undefined when Responses has none for it. */
export function audioFormat(mime: string): "wav" | "mp3" | undefined {
  if (/^audio\/(x-)?wave?$/.test(mime)) return "wav";
  return mime === "audio/mpeg" || mime === "audio/mp3" ? "mp3" : undefined;
}
