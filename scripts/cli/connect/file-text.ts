/** The text of a configuration file, byte for byte. */

/** Throws, in words for the user, where the bytes are no text. */
export function textOf(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${file} is not written in UTF-8; nothing was changed`);
  }
}
