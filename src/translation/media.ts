/** Files and pictures as the formats carry them: data URLs, MIME types, file names. */
import type { MediaBlock } from "../core/request.ts";

export interface DataUrl {
  mime: string;
  /** Base64. */
  data: string;
}

/** The parts of a data URL; text that is not base64 is encoded. Undefined for every other URL. */
export function readDataUrl(url: string): DataUrl | undefined {
  if (!/^data:/i.test(url.slice(0, 5))) return undefined;
  const comma = url.indexOf(",");
  if (comma < 0) return undefined;
  const head = url.slice(5, comma).split(";");
  const mime = head[0]?.trim().toLowerCase() ?? "";
  const payload = url.slice(comma + 1);
  const isBase64 = head.slice(1).some((word) => word.trim().toLowerCase() === "base64");
  return {
    mime: mime === "" ? "text/plain" : mime,
    data: isBase64 ? payload : percentToBase64(payload),
  };
}

export function writeDataUrl(source: DataUrl): string {
  return `data:${source.mime};base64,${source.data}`;
}

function percentToBase64(payload: string): string {
  let text = payload;
  try {
    text = decodeURIComponent(payload);
  } catch {
    // Not percent-encoded after all: the text is what it is.
  }
  let raw = "";
  for (const byte of new TextEncoder().encode(text)) raw += String.fromCharCode(byte);
  return btoa(raw);
}

/** The text that base64 bytes stand for; the base64 itself when they are none. */
export function base64Text(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
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
export function mediaOf(mime: string): MediaBlock["media"] {
  const family = mime.split("/")[0];
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}
