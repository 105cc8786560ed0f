/** Which object counts an address. */
import { halfSipHash, type HashKey } from "../../lib/half-sip-hash.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { Env } from "../../store/env.ts";

/** Objects of a process. */
const objects = 16;

/** By encryption key: one or two in the life of an isolate. */
const hashKeys = new Map<string, HashKey>();

/**
 * On the platform every address has an object of its own, near its client. A self-hosted process keeps every object
 * in memory with its database open: there all addresses share sixteen. Which one follows from the encryption key,
 * so that nobody outside can choose addresses that meet in one object.
 */
export function objectNameOf(
  env: Pick<Env, "BOOT_ID" | "ENCRYPTION_KEY">,
  address: string,
): string {
  if (env.BOOT_ID === undefined) return address;
  const object = halfSipHash(hashKeyOf(env.ENCRYPTION_KEY), address) % objects;
  return `addresses-${object.toString(16)}`;
}

function hashKeyOf(encryptionKey: string): HashKey {
  const known = hashKeys.get(encryptionKey);
  if (known !== undefined) return known;
  const digest = sha256(`addresses ${encryptionKey}`);
  const word = (at: number): number => Number.parseInt(digest.slice(at, at + 8), 16);
  const key: HashKey = [word(0), word(8)];
  if (hashKeys.size >= 4) hashKeys.clear();
  hashKeys.set(encryptionKey, key);
  return key;
}
