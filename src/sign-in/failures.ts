/** Sign-ins that failed, by the address that they came from, in this isolate's memory: they cost no shared object. */
import { unknownAddress } from "../workspace/address/address.ts";
import { WindowMap } from "../workspace/address/window-map.ts";
import { countRequest, isFull } from "../workspace/rules/window.ts";
import type { SignInFault } from "./faults.ts";

/** Five minutes in milliseconds. */
const span = 5 * 60_000;
const mostAddresses = 2000;
/** Of one address; those of whom no address is known are many people, whom one must not lock out easily. */
const own = new WindowMap({ limit: { limit: 30, span }, most: mostAddresses, whenFull: "oldest" });
const shared = new WindowMap({ limit: { limit: 300, span }, most: 1, whenFull: "oldest" });

/** Whole seconds for which sign-ins of the address are refused; 0: none. */
export function failureWait(address: string, now: number): number {
  const window = windowsOf(address).use(address, now);
  return isFull(window) ? Math.ceil(((window.times[0] ?? now) + span - now) / 1000) : 0;
}

/** Faults that are found without asking anybody. */
const cheap: ReadonlySet<SignInFault> = new Set(["state", "expired", "refused"]);

/** Counts a sign-in that failed; where no address is known only what cost a call, because everybody can forge the rest. */
export function countFailure(address: string, fault: SignInFault, now: number): void {
  if (address === unknownAddress && cheap.has(fault)) return;
  countRequest(windowsOf(address).use(address, now), now);
}

function windowsOf(address: string): WindowMap {
  return address === unknownAddress ? shared : own;
}
