/**
 * The deployment's encryption keys, newest first, each with the two keys that follow from it: one seals
 * credentials, one checks that a gateway key was made here. CryptoKeys are made once an isolate.
 */
const labels = { seal: "gateway credentials", check: "gateway keys" } as const;

/** One encryption key. */
export interface KeyPair {
  /** Eight hex digits that name the key inside sealed text. */
  readonly tag: string;
  /** AES-GCM. */
  readonly seal: CryptoKey;
  /** HMAC with SHA-256. */
  readonly check: CryptoKey;
}

/** Newest first, at least one. */
export type Keyring = readonly [KeyPair, ...KeyPair[]];

/** Keyrings by the setting's text: one or two in the life of an isolate, four at most. */
const made = new Map<string, Keyring>();

/** The keyring of `ENCRYPTION_KEY`. Throws when a member of the list is not 32 bytes of base64. */
export async function keyringOf(setting: string): Promise<Keyring> {
  const known = made.get(setting);
  if (known !== undefined) return known;
  const [first, ...rest] = setting
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (first === undefined) throw new Error("ENCRYPTION_KEY is not set");
  const ring: Keyring = [await pairOf(first), ...(await Promise.all(rest.map(pairOf)))];
  if (made.size >= 4) made.clear();
  made.set(setting, ring);
  return ring;
}

async function pairOf(text: string): Promise<KeyPair> {
  const raw = secretBytes(text);
  const base = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
  const tag = hex(digest.subarray(0, 4));
  const [seal, check] = await Promise.all([
    crypto.subtle.deriveKey(hkdf(labels.seal), base, { name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]),
    crypto.subtle.deriveKey(
      hkdf(labels.check),
      base,
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign", "verify"],
    ),
  ]);
  return { tag, seal, check };
}

function hkdf(label: string): { name: string; hash: string; salt: Uint8Array; info: Uint8Array } {
  const info = new TextEncoder().encode(label);
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info };
}

function secretBytes(text: string): Uint8Array {
  let raw: string;
  try {
    raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("ENCRYPTION_KEY is not base64");
  }
  if (raw.length !== 32) throw new Error("ENCRYPTION_KEY must be 32 bytes of base64");
  return Uint8Array.from(raw, (char) => char.charCodeAt(0));
}

/** Lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
