/** Bytes in data URLs, and the names that chat gives to audio formats. */

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

/** The text that base64 bytes stand for; the base64 itself when they are none. */
export function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
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

/** What a medium is, by its type. */
export function mediaOf(mime: string): "image" | "document" | "audio" | "video" {
  const family = mime.split("/")[0];
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

const audioMimes: Record<string, string> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  opus: "audio/opus",
  ogg: "audio/ogg",
  aac: "audio/aac",
  m4a: "audio/mp4",
  webm: "audio/webm",
  pcm16: "audio/pcm",
};

/** `wav` -> `audio/wav`. */
export function audioMime(format: string): string {
  return audioMimes[format.toLowerCase()] ?? `audio/${format.toLowerCase()}`;
}

/** `audio/x-wav` -> `wav`. */
export function audioFormat(mime: string): string {
  const plain = mime.split(";")[0]?.trim() ?? mime;
  if (plain === "audio/mp3") return "mp3";
  const known = Object.keys(audioMimes).find((format) => audioMimes[format] === plain);
  return known ?? plain.replace(/^audio\/(x-)?/, "");
}

/** File type by the ending of a name, for files that come without one. */
export function mimeOfName(name: string | undefined): string {
  const ending = name?.split(".").at(-1)?.toLowerCase();
  if (ending === "txt" || ending === "md") return "text/plain";
  if (ending === "csv") return "text/csv";
  if (ending === "json") return "application/json";
  return "application/pdf";
}
