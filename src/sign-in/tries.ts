/**
 * Sign-ins whose code the identity provider is asked about, in this isolate's memory. Each may ask once, and those of
 * an address where many failed ask one after another: whoever sends bad codes slows down none but their own address,
 * and nobody there is kept out. Where no address is known nothing is counted: it would be everybody's.
 */
import { unknownAddress } from "../workspace/address/address.ts";
import { WindowMap } from "../workspace/address/window-map.ts";
import { Memory } from "../workspace/memory.ts";
import { countRequest, isFull, uncountRequest } from "../workspace/rules/window.ts";
import { SignInRefused } from "./faults.ts";

/** Failures of one address in five minutes before its sign-ins take turns. */
const limit = { limit: 30, span: 5 * 60_000 };
/** The longest that one is waited for, ms: discovery, code and userinfo, each with its patience. */
const longestTurn = 30_000;

const failures = new WindowMap({ limit, most: 2000, whenFull: "oldest" });
/** By address: epoch ms until which one of its sign-ins has the turn. */
const turns = new Memory<number>(2000);
/** By state: sign-ins that have asked. */
const spent = new Memory<true>(10_000);

/** One sign-in, and where it came from. */
export interface SignInTry {
  readonly address: string;
  readonly state: string;
}

/**
 * Whether the sign-in may ask now; "wait": another one of its address has the turn. It is counted as one that fails
 * until `takeBackTry`, so that those side by side are bounded too. Throws SignInRefused for one that has asked before.
 */
export function beginTry({ address, state }: SignInTry, now: number): "ask" | "wait" {
  if (spent.get(state) === true) throw new SignInRefused("code");
  if (address !== unknownAddress) {
    const window = failures.use(address, now);
    if (isFull(window)) {
      if ((turns.get(address) ?? 0) > now) return "wait";
      turns.set(address, now + longestTurn);
    } else countRequest(window, now);
  }
  spent.set(state, true);
  return "ask";
}

/** The answer is there: the next one's turn. */
export function endTry({ address }: SignInTry): void {
  turns.delete(address);
}

/** What began at that time was no failure of the caller's. */
export function takeBackTry({ address }: SignInTry, began: number): void {
  const window = failures.find(address);
  if (window !== undefined) uncountRequest(window, began);
}
