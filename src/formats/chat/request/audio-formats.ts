/** The names that chat gives to audio formats, and texts inside files. */

/** The text that base64 bytes stand for; the base64 itself when they are none. */
export function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
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
