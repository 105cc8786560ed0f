/** What wrong administrators' tokens of one address lead to. A right token is never held up by them. */
import type { Env } from "../../store/env.ts";
import type { TokenEntry } from "../../workspace/accounts/tries.ts";
import { Memory } from "../../workspace/memory.ts";
import { askDirectory } from "./access.ts";

/** Epoch ms until which wrong tokens are refused with a wait, by entry and address. */
const refusedUntil = new Memory<number>(1000);

/**
 * Counts a token that was judged and is wrong. Whole seconds that the address is told to wait; 0 while it has not
 * sent too many. An address that is told to wait costs no call.
 */
export async function countWrongToken(
  env: Env,
  { address, entry }: { address: string; entry: TokenEntry },
): Promise<number> {
  const now = Date.now();
  const name = `${entry} ${address}`;
  const known = (refusedUntil.get(name) ?? 0) - now;
  if (known > 0) return Math.ceil(known / 1000);
  const wait = await askDirectory(env, (directory) => directory.countTry(address, entry));
  if (wait > 0) refusedUntil.set(name, now + wait);
  return Math.ceil(wait / 1000);
}

/** A token was right at the sign-in page. */
export async function forgetWrongTokens(env: Env, address: string): Promise<void> {
  refusedUntil.delete(`page ${address}`);
  await askDirectory(env, (directory) => directory.forgetTries(address));
}
