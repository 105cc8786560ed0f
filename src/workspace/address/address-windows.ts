/** The two windows of every client address that one object counts. */
import type { RateLimit } from "../../policy/limits.ts";
import type { AddressAnswer, Caller, Standing } from "../contract/address.ts";
import { countRequest, isFull, retryAfter, uncountRequest, type Window } from "../rules/window.ts";
import { type SavedWindow, secondsOf, timesOf } from "./saved-windows.ts";
import { WindowMap } from "./window-map.ts";

/** Addresses that an object counts at once, for each standing: 16 objects count 16,384. */
const mostAddresses = 1024;
/** A window is worth saving from this share of its limit on: what a restart forgets of others changes little. */
const savedShare = 0.2;
/** Windows that are saved: half a megabyte at most. */
const mostSaved = 500;

/** Counts requests by address and standing, in memory. */
export class AddressWindows {
  readonly #limit: RateLimit;
  readonly #maps: Readonly<Record<Standing, WindowMap>>;
  /** Their object has been told to save them, and will. */
  isSaved = false;

  constructor(limit: RateLimit, saved: readonly SavedWindow[]) {
    this.#limit = limit;
    const size = { limit, most: mostAddresses };
    this.#maps = {
      keyed: new WindowMap({ ...size, whenFull: "oldest" }),
      stranger: new WindowMap({ ...size, whenFull: "share" }),
    };
    for (const window of saved)
      this.#maps[window.standing].restore(window.address, timesOf(window));
  }

  /** Counts one request, or refuses it and counts nothing. */
  count({ address, standing }: Caller, now: number): AddressAnswer {
    const window = this.#maps[standing].use(address, now);
    if (isFull(window))
      return { ok: false, retryAfter: retryAfter(window, now), limit: window.limit };
    countRequest(window, now);
    return { ok: true, token: now };
  }

  /** Takes a request of that time out again. */
  giveBack({ address, standing }: Caller, token: number): void {
    const window = this.#maps[standing].find(address);
    if (window !== undefined) uncountRequest(window, token);
  }

  /** Whether what was counted of this caller is worth saving. */
  isBusy({ address, standing }: Caller): boolean {
    const window = this.#maps[standing].find(address);
    return window !== undefined && this.#isWorthSaving(window);
  }

  /** Windows that are worth saving; empty ones are dropped on the way. */
  busy(now: number): SavedWindow[] {
    return (["keyed", "stranger"] as const)
      .flatMap((standing) => this.#busyOf(standing, now))
      .slice(0, mostSaved);
  }

  #busyOf(standing: Standing, now: number): SavedWindow[] {
    const map = this.#maps[standing];
    map.sweep(now);
    const worth = [...map.entries()].filter(([, window]) => this.#isWorthSaving(window));
    return worth.map(([address, { times }]) => ({ address, standing, seconds: secondsOf(times) }));
  }

  #isWorthSaving({ times }: Window): boolean {
    return times.length >= this.#limit.limit * savedShare;
  }
}
