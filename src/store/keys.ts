/**
 * Gateway keys. The text carries its workspace and a check, so that a forged key dies without a look-up
 * and a new one is found everywhere at once:
 * `gw_` + base64url(version, tag of the encryption key, workspace's length, workspace, 32 random bytes,
 * 8 bytes of HMAC).
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { hex, type Keyring } from "./keyring.ts";

/** What every gateway key begins with. */
export const keyPrefix = "gw_";
const version = 1;
const tagLength = 4;
/** Where the workspace's name begins. */
const nameAt = 1 + tagLength + 1;
const randomLength = 32;
const checkLength = 8;
const longestKey = 512;

/** A new key of the workspace, checked with the newest encryption key. `random`: 32 bytes, made here unless given. */
export async function makeKey(
  workspace: string,
  ring: Keyring,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(randomLength)),
): Promise<string> {
  const name = new TextEncoder().encode(workspace);
  if (name.length === 0 || name.length > 255) throw new RangeError("workspace id is too long");
  const bytes = new Uint8Array(nameAt + name.length + randomLength + checkLength);
  const [newest] = ring;
  bytes[0] = version;
  for (let at = 0; at < tagLength; at += 1) {
    bytes[1 + at] = Number.parseInt(newest.tag.slice(2 * at, 2 * at + 2), 16);
  }
  bytes[nameAt - 1] = name.length;
  bytes.set(name, nameAt);
  bytes.set(random.subarray(0, randomLength), nameAt + name.length);
  const mac = await checkOf(bytes.subarray(0, bytes.length - checkLength), newest.check);
  bytes.set(mac, bytes.length - checkLength);
  return keyPrefix + base64url(bytes);
}

/** What the text of a key says. */
export interface ReadKey {
  workspace: string;
  /**
   * Whether its check is right. Not so where its encryption key has been dropped from the list: such a key may
   * be good, but only a look-up that creates nothing may say so.
   */
  proven: boolean;
}

/** Whose key it says it is, or undefined when it is none or was forged. */
export async function readKey(text: string, ring: Keyring): Promise<ReadKey | undefined> {
  if (!text.startsWith(keyPrefix) || text.length > longestKey) return undefined;
  const bytes = fromBase64url(text.slice(keyPrefix.length));
  if (bytes === undefined || bytes[0] !== version) return undefined;
  const length = bytes[nameAt - 1] ?? 0;
  if (length === 0 || bytes.length !== nameAt + length + randomLength + checkLength)
    return undefined;
  // The same bytes have several base64url spellings; only the one that was handed out counts.
  if (base64url(bytes) !== text.slice(keyPrefix.length)) return undefined;
  const workspace = new TextDecoder().decode(bytes.subarray(nameAt, nameAt + length));
  const tag = hex(bytes.subarray(1, 1 + tagLength));
  const pair = ring.find((candidate) => candidate.tag === tag);
  if (pair === undefined) return { workspace, proven: false };
  const mac = await checkOf(bytes.subarray(0, bytes.length - checkLength), pair.check);
  const right = sameBytes(mac, bytes.subarray(bytes.length - checkLength));
  return right ? { workspace, proven: true } : undefined;
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
