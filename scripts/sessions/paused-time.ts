/** Runs many sessions side by side, so many at once; when all that are left pause, their common clock goes forward. */
export class PausedTime {
  #free: number;
  readonly #queue: (() => void)[] = [];
  #paused: (() => void)[] = [];
  #left = 0;

  readonly #skip: () => Promise<void>;

  constructor(sideBySide: number, skip: () => Promise<void>) {
    this.#free = sideBySide;
    this.#skip = skip;
  }

  /** Runs them all. Each may pause where its human does. */
  async run<T>(tasks: readonly ((pause: () => Promise<void>) => Promise<T>)[]): Promise<T[]> {
    this.#left = tasks.length;
    return await Promise.all(
      tasks.map(async (task) => {
        await this.#enter();
        try {
          return await task(() => this.#pause());
        } finally {
          this.#left--;
          this.#leave();
        }
      }),
    );
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const following = this.#queue.shift();
    if (following === undefined) this.#free++;
    else following();
    if (this.#left > 0 && this.#paused.length === this.#left) void this.#goOn();
  }

  async #pause(): Promise<void> {
    const over = new Promise<void>((resolve) => this.#paused.push(resolve));
    this.#leave();
    await over;
    await this.#enter();
  }

  async #goOn(): Promise<void> {
    const resumed = this.#paused;
    this.#paused = [];
    await this.#skip();
    for (const resume of resumed) resume();
  }
}
