/** Whether whoever waits for an answer is still there. */

/**
 * One departure, which happens once or never. Plain code over one listener of the runtime: an AbortSignal of its own with
 * two listeners costs a request four times as much.
 */
export class Departure {
  readonly #signal: AbortSignal | undefined;
  readonly #told: (() => void)[] = [];
  readonly #onAbort = (): void => this.happen();
  #happened = false;

  /** `signal`: aborted by whoever notices the departure first. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    if (signal?.aborted === true) this.#happened = true;
    else signal?.addEventListener("abort", this.#onAbort);
  }

  get happened(): boolean {
    return this.#happened;
  }

  /** Calls `tell` when it happens; at once where it has. */
  whenever(tell: () => void): void {
    if (this.#happened) tell();
    else this.#told.push(tell);
  }

  /** Somebody noticed it. It may be called again. */
  happen(): void {
    if (this.#happened) return;
    this.#happened = true;
    for (const tell of this.#told.splice(0)) tell();
  }

  /** The signal lives longer than what waits here, and must not keep it. */
  forget(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#told.length = 0;
  }
}
