/**
 * The deployment's encryption keys, newest first, each with the keys that follow from it: one seals credentials,
 * one checks that a gateway key was made here, one the same for tokens and sessions. CryptoKeys are made once an isolate.
 */
import { encryptionKeysOf } from "./encryption-key.ts";

const labels = {
  seal: "gateway credentials",
  check: "gateway keys",
  checkToken: "gateway admin tokens",
} as const;

/** One encryption key. */
export interface KeyPair {
  /** Eight hex digits that name the key inside sealed text. */
  readonly tag: string;
  /** AES-GCM. */
  readonly seal: CryptoKey;
  /** HMAC with SHA-256, of gateway keys. */
  readonly check: CryptoKey;
  /** HMAC with SHA-256, of administrators' tokens and of sessions. */
  readonly checkToken: CryptoKey;
}

/** Newest first, at least one. */
export type Keyring = readonly [KeyPair, ...KeyPair[]];

/** Keyrings by the setting's text: one or two in the life of an isolate, four at most. */
const made = new Map<string, Keyring>();

/** The keyring of `ENCRYPTION_KEY`. Throws SettingsError when a member of the list is not 32 bytes of base64. */
export async function keyringOf(setting: string): Promise<Keyring> {
  const known = made.get(setting);
  if (known !== undefined) return known;
  const [first, ...rest] = encryptionKeysOf(setting);
  const ring: Keyring = [await pairOf(first), ...(await Promise.all(rest.map(pairOf)))];
  if (made.size >= 4) made.clear();
  made.set(setting, ring);
  return ring;
}

async function pairOf(raw: Uint8Array): Promise<KeyPair> {
  const base = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
  const tag = hex(digest.subarray(0, 4));
  const [seal, check, checkToken] = await Promise.all([
    crypto.subtle.deriveKey(hkdf(labels.seal), base, { name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]),
    hmacKey(base, labels.check),
    hmacKey(base, labels.checkToken),
  ]);
  return { tag, seal, check, checkToken };
}

function hmacKey(base: CryptoKey, label: string): Promise<CryptoKey> {
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  return crypto.subtle.deriveKey(hkdf(label), base, hmac, false, ["sign", "verify"]);
}

function hkdf(label: string): { name: string; hash: string; salt: Uint8Array; info: Uint8Array } {
  const info = new TextEncoder().encode(label);
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info };
}

/** Lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
