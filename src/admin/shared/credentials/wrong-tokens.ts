/**
 * Wrong tokens and sessions by the address that they came from, in this isolate's memory: whoever brings thousands
 * of them costs no call of an object that others need. A right token is never held up by them.
 */
import { type TokenEntry, WrongTries } from "../../../workspace/accounts/tries.ts";

const tries = new WrongTries();

/** Who brought a text, and where. */
export interface Bringer {
  /** As `addressOf` names it. */
  readonly address: string;
  readonly entry: TokenEntry;
}

/** Counts a wrong text. Whole seconds that the address is told to wait; 0 while it has not sent too many. */
export function countWrongToken({ address, entry }: Bringer): number {
  return Math.ceil(tries.count(address, entry, Date.now()) / 1000);
}

/** A token was right at the sign-in page. */
export function forgetWrongTokens(address: string): void {
  tries.forget(address);
}

/** How a look-up ended. */
export type LookUp<Found> =
  | { readonly found: Found }
  /** Nobody's. `wait`: whole seconds; 0 while the address has not sent too many. */
  | { readonly found: undefined; readonly wait: number };

/**
 * Looks up a text that cannot prove that it was made here. It is counted as a wrong one before, so that those that
 * come side by side are bounded too, and taken back when it was right; without a try left nothing is looked up.
 */
export async function lookedUpWithTries<Found extends object>(
  { address, entry }: Bringer,
  lookUp: () => Promise<Found | undefined>,
): Promise<LookUp<Found>> {
  const now = Date.now();
  const wait = tries.count(address, entry, now);
  if (wait > 0) return { found: undefined, wait: Math.ceil(wait / 1000) };
  const found = await lookUp();
  if (found === undefined) return { found: undefined, wait: 0 };
  tries.takeBack(address, entry, now);
  return { found };
}
