/** How many generation requests this isolate serves at once, each with a connection to its client and its provider. */
import { Problem, problemCodes } from "../core/problem.ts";

const retryAfter = 5;

/** Counts requests from their arrival to the end of their answers. */
export class InFlight {
  #count = 0;
  #streams = 0;
  readonly #most: number;

  /** `most`: requests that may be in flight at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more; the function that is returned counts it off, once. Throws M501. */
  enter(): () => void {
    if (this.#count >= this.#most)
      throw new Problem(
        problemCodes.overloaded,
        `Too many requests are in flight. Try again in ${retryAfter} s.`,
        { headers: { "Retry-After": String(retryAfter) } },
      );
    this.#count += 1;
    return once(() => (this.#count -= 1));
  }

  /** Counts one of them as a stream; the function that is returned counts it off, once. */
  stream(): () => void {
    this.#streams += 1;
    return once(() => (this.#streams -= 1));
  }

  /** How many there are now, and how many of them are streams. */
  counts(): { readonly requests: number; readonly streams: number } {
    return { requests: this.#count, streams: this.#streams };
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
