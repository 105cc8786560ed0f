/** The setting `ENCRYPTION_KEY`: 32 bytes of base64, or a list of them while keys are being rotated. */
import { SettingsError } from "./settings-error.ts";

/** The keys' bytes, newest first. Throws SettingsError, which never repeats the setting. */
export function encryptionKeysOf(
  setting: string | undefined,
): readonly [Uint8Array, ...Uint8Array[]] {
  const [first, ...rest] = (setting ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (first === undefined)
    throw new SettingsError("The setting ENCRYPTION_KEY is missing: 32 random bytes, base64.");
  return [bytesOf(first), ...rest.map(bytesOf)];
}

function bytesOf(text: string): Uint8Array {
  let raw: string;
  try {
    raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new SettingsError("The setting ENCRYPTION_KEY is not base64: use 32 random bytes.");
  }
  if (raw.length !== 32)
    throw new SettingsError(
      `The setting ENCRYPTION_KEY has ${raw.length} bytes: use 32 random bytes, base64.`,
    );
  return Uint8Array.from(raw, (char) => char.charCodeAt(0));
}
