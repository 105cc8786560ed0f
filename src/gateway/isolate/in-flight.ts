/** How many generation requests this isolate serves at once, each with a connection to its client and its provider. */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { Clock } from "../../lib/clock.ts";

const retryAfter = 5;
/**
 * A request that the platform ended runs no code any more: its place is given back when nobody has renewed it for so
 * long, in ms. Admitted requests do every 15 s; a body may take two minutes until then.
 */
const longestSilence = 180_000;

/** A place that is held until it is released; both may be called again. */
export interface HeldPlace {
  /** It is still in use. */
  renew(): void;
  release(): void;
}

/** Counts requests from their arrival to the end of their answers. */
export class InFlight {
  readonly #requests: Places;
  readonly #streams: Places;
  readonly #most: number;

  /** `most`: requests that may be in flight at once. */
  constructor(most: number, now: Clock) {
    this.#most = most;
    this.#requests = new Places(now);
    this.#streams = new Places(now);
  }

  /** Counts one more. Throws M501. */
  enter(): HeldPlace {
    if (this.#requests.size >= this.#most) this.#requests.dropSilent();
    if (this.#requests.size >= this.#most)
      throw new Problem(
        problemCodes.overloaded,
        `Too many requests are in flight. Try again in ${retryAfter} s.`,
        { headers: { "Retry-After": String(retryAfter) } },
      );
    return this.#requests.take();
  }

  /** Counts one of them as a stream. */
  stream(): HeldPlace {
    return this.#streams.take();
  }

  /** How many there are now, and how many of them are streams. */
  counts(): { readonly requests: number; readonly streams: number } {
    for (const places of [this.#requests, this.#streams]) places.dropSilent();
    return { requests: this.#requests.size, streams: this.#streams.size };
  }
}

/** Places in no order: the last one moves into a gap, because a map of objects costs each request several times as much. */
class Places {
  readonly #taken: Place[] = [];
  readonly #now: Clock;

  constructor(now: Clock) {
    this.#now = now;
  }

  get size(): number {
    return this.#taken.length;
  }

  take(): HeldPlace {
    const place = new Place(this, this.#taken.length, this.#now());
    this.#taken.push(place);
    return place;
  }

  now(): number {
    return this.#now();
  }

  /** The one that stands there goes. */
  remove(at: number): void {
    const last = this.#taken.pop();
    if (last === undefined || last.at === at) return;
    this.#taken[at] = last;
    last.at = at;
  }

  dropSilent(): void {
    const since = this.#now() - longestSilence;
    for (const place of this.#taken.slice()) if (place.seen < since) place.release();
  }
}

/** One of them. */
class Place implements HeldPlace {
  readonly #places: Places;
  /** Where it stands; undefined: it is free. */
  at: number | undefined;
  /** Epoch ms at which it was known to be in use. */
  seen: number;

  constructor(places: Places, at: number, seen: number) {
    this.#places = places;
    this.at = at;
    this.seen = seen;
  }

  renew(): void {
    this.seen = this.#places.now();
  }

  release(): void {
    if (this.at === undefined) return;
    this.#places.remove(this.at);
    this.at = undefined;
  }
}
