/**
 * The runtime has one clock, the machine's, and people and time servers set it: `performance.now()` is the same one.
 * So a duration is never more than the difference of two readings, and only a timer tells that the clock was set.
 */

/** Time as a value that is passed in, so that rules stay pure. Milliseconds since the epoch. */
export type Clock = () => number;

/** Milliseconds from one time to another; none where the clock was set back between them. */
export function elapsed(from: number, to: number): number {
  return Math.max(0, to - from);
}

/** So much earlier than its timer rings, or than it was read before, no clock is by rounding; in ms. */
const mostEarly = 1000;
/** So late, in ms, a timer rings in a process that is busy. */
const mostLate = 5000;

/** Time that goes on where the machine's clock is set: what was to take a minute takes no hour by it, nor ends at once. */
export class SteadyTime {
  #moved = 0;
  #read = Date.now();
  #rings = Infinity;
  #stepped = false;

  /** Milliseconds since a time of no meaning; never less than it said before. */
  now(): number {
    const read = Date.now();
    const late = read - this.#rings;
    if (read < this.#read) this.#move(read - this.#read, mostEarly);
    else if (late > mostLate) this.#move(late, mostLate);
    this.#read = read;
    return read - this.#moved;
  }

  /** The same for a time of the machine's clock as it stands now. */
  of(time: number): number {
    this.now();
    return time - this.#moved;
  }

  /** A timer begins that is to ring after `sleep` ms. */
  sleeps(sleep: number): void {
    this.now();
    this.#rings = this.#read + sleep;
  }

  /** The timer rings, or was cleared and does not. */
  wakes(rang: boolean): void {
    this.now();
    const early = this.#rings - this.#read;
    if (rang && Number.isFinite(early) && early > mostEarly) this.#move(-early, mostEarly);
    this.#rings = Infinity;
  }

  /** Whether the clock was set since this began, as far as it was read and timers rang. */
  get stepped(): boolean {
    this.now();
    return this.#stepped;
  }

  #move(by: number, most: number): void {
    this.#moved += by;
    if (Number.isFinite(this.#rings)) this.#rings += by;
    if (Math.abs(by) > most) this.#stepped = true;
  }
}
