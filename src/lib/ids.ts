/** Random ids, base64 and base64url. */
import { withoutEnd } from "./trim-end.ts";

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64 in either alphabet, padded or not; undefined when the text is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  return fromBase64url(withoutEnd(text.replaceAll("+", "-").replaceAll("/", "_"), "="));
}

/** The bytes, or undefined when the text is not base64url. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(raw, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** `prefix` and 24 random characters of the alphabet that every dialect accepts in ids. */
export function newId(prefix: string): string {
  const uuid = crypto.randomUUID();
  // Without the dashes, whose places are known.
  return `${prefix}${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(14, 18)}${uuid.slice(19, 23)}${uuid.slice(24, 28)}`;
}
