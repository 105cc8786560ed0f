/** The time that each phase of a call may take. */
import type { RequestTimer, Wake } from "../lib/request-timer.ts";
import { TimedOut } from "../providers/connection/failures.ts";

/** Bounds one call, phase by phase; the call is aborted when a phase takes too long. */
export class TimeLimit {
  readonly #timer: RequestTimer;
  readonly #controller: AbortController;
  #wake: Wake | undefined;
  #seconds = 0;
  #what = "";
  #reject: ((over: TimedOut) => void) | undefined;
  #over = false;

  constructor(timer: RequestTimer, controller: AbortController) {
    this.#timer = timer;
    this.#controller = controller;
  }

  /** From now on, so many seconds for this phase. `what` ends the sentence "The provider did not send …". */
  set(seconds: number, what: string): void {
    this.#seconds = seconds;
    this.#what = what;
    const due = Date.now() + seconds * 1000;
    if (this.#wake === undefined) this.#wake = this.#timer.at(due, () => this.#expire());
    else this.#wake.move(due);
  }

  /** Its time is over: what still runs has nobody who waits for it. */
  get over(): boolean {
    return this.#over;
  }

  /** What the work comes to; rejects with `TimedOut` as soon as its phase's time is over. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
    });
  }

  stop(): void {
    this.#wake?.cancel();
  }

  #expire(): void {
    this.#over = true;
    const over = new TimedOut(this.#what, this.#seconds);
    this.#controller.abort(over);
    this.#reject?.(over);
  }
}
