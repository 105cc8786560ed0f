/** The names that chat gives to audio formats. */

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
