/** The names that Responses gives to audio formats. */

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
