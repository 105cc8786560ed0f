/** Messages of a socket that no model was asked for: refused ones, warm-ups, and those that want no response. */
import type { Clock } from "../../lib/clock.ts";

/** How long they are counted together, in ms. */
const span = 60_000;
/**
 * Most of them, and most characters. Codex sends one warm-up a socket and leaves a socket that refused it; a warm-up may
 * be as long as any message.
 */
const most = { messages: 100, characters: 64 * 1024 * 1024 };

/** Why a socket with more of them is closed. */
export const tooManyCheap = "Too many messages in a minute were refused or asked for no response.";

/** Counts those of one socket. */
export class CheapMessages {
  readonly #now: Clock;
  #since: number;
  #messages = 0;
  #characters = 0;

  constructor(now: Clock) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts one of so many characters. True where these are too many. */
  count(characters: number): boolean {
    const now = this.#now();
    if (now < this.#since || now - this.#since >= span) {
      this.#since = now;
      this.#messages = this.#characters = 0;
    }
    this.#messages += 1;
    this.#characters += characters;
    return this.#messages > most.messages || this.#characters > most.characters;
  }
}
