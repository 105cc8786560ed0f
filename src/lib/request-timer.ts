/** One timer for everything that waits within a request: each timer of the runtime costs as much as a small request's parsing. */
import { SteadyTime } from "./clock.ts";

/** One time of a request at which something is to happen. */
export interface Wake {
  /** It happens at that time (epoch ms) instead; once more where it has happened, or was cancelled. */
  move(due: number): void;
  /** It does not happen. */
  cancel(): void;
}

export interface RequestTimer {
  /** Calls `wake` once when it is `due` (epoch ms), and never before; for times that change, move what this returns. */
  at(due: number, wake: () => void): Wake;
  /** Nothing happens any more, nor what is set later: what waits behind the request needs a timer of its own. It may be called again. */
  stop(): void;
  /** Whether the machine's clock was set since the timer was made. What waits is not put off by it, nor happens early. */
  readonly clockStepped: boolean;
}

/** A timer that costs nothing until the first time is set; from then on one timer of the runtime sleeps, and is moved lazily. */
export function requestTimer(): RequestTimer {
  return new OneTimer();
}

/** Longest sleep in ms. Whatever is due later finds the runtime's timer running, so that most requests set it once. */
const longestSleep = 5000;

const never = Number.POSITIVE_INFINITY;

class OneTimer implements RequestTimer {
  readonly #waiting: WaitingWake[] = [];
  #sleeping: ReturnType<typeof setTimeout> | undefined;
  /** When the runtime's timer rings; steady ms. */
  #rings = never;
  readonly #time = new SteadyTime();
  #stopped = false;

  at(due: number, wake: () => void): Wake {
    const waiting = new WaitingWake(this, this.steady(due), wake);
    this.#waiting.push(waiting);
    this.ringBy(waiting.due);
    return waiting;
  }

  /** The time (epoch ms) by the timer's own clock. */
  steady(due: number): number {
    return this.#time.of(due);
  }

  get clockStepped(): boolean {
    return this.#time.stepped;
  }

  stop(): void {
    this.#stopped = true;
    this.#silence();
    this.#waiting.length = 0;
  }

  /** It rings at that time at the latest: too early is no harm. */
  ringBy(due: number): void {
    if (this.#stopped || due >= this.#rings) return;
    this.#silence();
    const now = this.#time.now();
    const sleep = Math.min(longestSleep, Math.max(0, due - now));
    this.#rings = now + sleep;
    this.#time.sleeps(sleep);
    this.#sleeping = setTimeout(() => this.#ring(), sleep);
  }

  #silence(rang = false): void {
    if (this.#sleeping !== undefined) {
      clearTimeout(this.#sleeping);
      this.#time.wakes(rang);
    }
    this.#sleeping = undefined;
    this.#rings = never;
  }

  #ring(): void {
    this.#silence(true);
    const now = this.#time.now();
    try {
      // What a wake adds is not due before the next ring, and one may end the request.
      for (const waiting of this.#waiting.slice()) if (!this.#stopped) waiting.wakeIfDue(now);
    } finally {
      this.ringBy(this.#waiting.reduce((first, { due }) => Math.min(first, due), never));
    }
  }
}

class WaitingWake implements Wake {
  readonly #timer: OneTimer;
  readonly #wake: () => void;
  due: number;

  constructor(timer: OneTimer, due: number, wake: () => void) {
    this.#timer = timer;
    this.#wake = wake;
    this.due = due;
  }

  move(due: number): void {
    this.due = this.#timer.steady(due);
    this.#timer.ringBy(this.due);
  }

  cancel(): void {
    this.due = never;
  }

  wakeIfDue(now: number): void {
    if (this.due > now) return;
    this.due = never;
    this.#wake();
  }
}
