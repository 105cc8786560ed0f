/**
 * Gateway keys. The text carries its workspace and a check, so that a forged key dies without a look-up
 * and a new one is found everywhere at once:
 * `gw_` + base64url(version, workspace's length, workspace, 32 random bytes, 8 bytes of HMAC).
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { hex, type Keyring } from "./keyring.ts";

export const keyPrefix = "gw_";
const version = 1;
const randomLength = 32;
const checkLength = 8;
const longestKey = 512;

/** A new key of the workspace, checked with the newest encryption key. */
export async function makeKey(workspace: string, ring: Keyring): Promise<string> {
  const name = new TextEncoder().encode(workspace);
  if (name.length === 0 || name.length > 255) throw new RangeError("workspace id is too long");
  const bytes = new Uint8Array(2 + name.length + randomLength + checkLength);
  bytes[0] = version;
  bytes[1] = name.length;
  bytes.set(name, 2);
  crypto.getRandomValues(bytes.subarray(2 + name.length, bytes.length - checkLength));
  const mac = await checkOf(bytes.subarray(0, bytes.length - checkLength), ring[0].check);
  bytes.set(mac, bytes.length - checkLength);
  return keyPrefix + base64url(bytes);
}

/** Whose key it is, or undefined when it was not made with one of these encryption keys. */
export async function readKey(
  text: string,
  ring: Keyring,
): Promise<{ workspace: string } | undefined> {
  if (!text.startsWith(keyPrefix) || text.length > longestKey) return undefined;
  const bytes = fromBase64url(text.slice(keyPrefix.length));
  if (bytes === undefined || bytes[0] !== version) return undefined;
  const length = bytes[1] ?? 0;
  if (length === 0 || bytes.length !== 2 + length + randomLength + checkLength) return undefined;
  // The same bytes have several base64url spellings; only the one that was handed out counts.
  if (base64url(bytes) !== text.slice(keyPrefix.length)) return undefined;
  const signed = bytes.subarray(0, bytes.length - checkLength);
  const check = bytes.subarray(bytes.length - checkLength);
  for (const pair of ring) {
    if (sameBytes(await checkOf(signed, pair.check), check)) {
      return { workspace: new TextDecoder().decode(bytes.subarray(2, 2 + length)) };
    }
  }
  return undefined;
}

/** Hex SHA-256 of a secret text: the only form in which keys and admin tokens are kept. */
export async function hashKey(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
}

/** Compares without telling by its time where two byte strings differ. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

async function checkOf(signed: Uint8Array, key: CryptoKey): Promise<Uint8Array> {
  const mac = await crypto.subtle.sign("HMAC", key, signed);
  return new Uint8Array(mac).subarray(0, checkLength);
}
