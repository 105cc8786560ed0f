/** Which object counts an address. */
import { sha256 } from "../lib/sha256.ts";
import type { Env } from "../store/env.ts";
import { Memory } from "./memory.ts";

/** By address. */
const known = new Memory<string>(1000);

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
  const name = known.get(address);
  if (name !== undefined) return name;
  // One hexadecimal digit: sixteen objects.
  const made = `addresses-${sha256(`${env.ENCRYPTION_KEY} ${address}`).slice(0, 1)}`;
  known.set(address, made);
  return made;
}
