/**
 * Wrong tokens, by the address that they came from. In memory: tokens are random and long, so a restart that
 * forgets the tries helps nobody to guess, and a flood of them writes nothing.
 */
import { WindowMap } from "../address/window-map.ts";
import { countRequest, isFull, uncountRequest } from "../rules/window.ts";

/** How it was brought: a token typed into the sign-in page, one in a header of the admin API, a session's cookie. */
export type TokenEntry = "page" | "bearer" | "session";

/** Five minutes in milliseconds. */
const span = 5 * 60_000;
/** Wrong tokens of one address in that time; programs send more than people before somebody looks. */
const mostTries: Readonly<Record<TokenEntry, number>> = { page: 5, bearer: 50, session: 50 };
/** Addresses that are counted; the one longest unused gives way, so that nobody is refused for others. */
const mostAddresses = 2000;

/** Counts wrong tokens. */
export class WrongTries {
  readonly #maps: Readonly<Record<TokenEntry, WindowMap>> = {
    page: newMap("page"),
    bearer: newMap("bearer"),
    session: newMap("session"),
  };

  /** Milliseconds for which wrong tokens of that address are told to wait; 0 where this one was counted. */
  count(address: string, entry: TokenEntry, now: number): number {
    const window = this.#maps[entry].use(address, now);
    if (isFull(window)) return (window.times[0] ?? now) + window.span - now;
    countRequest(window, now);
    return 0;
  }

  /** What was counted at that time was right after all. */
  takeBack(address: string, entry: TokenEntry, time: number): void {
    const window = this.#maps[entry].find(address);
    if (window !== undefined) uncountRequest(window, time);
  }

  /** A token was right: the wrong ones before it do not count. */
  forget(address: string): void {
    this.#maps.page.forget(address);
  }
}

function newMap(entry: TokenEntry): WindowMap {
  const limit = { limit: mostTries[entry], span };
  return new WindowMap({ limit, most: mostAddresses, whenFull: "oldest" });
}
