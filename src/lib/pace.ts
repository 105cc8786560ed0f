/**
 * Long jobs of an isolate in slices. All of them together take at most one slice in a while, so that whoever is served
 * beside them waits for one short slice and no queue of them: the runtime reads no connection while work is ready to run.
 */

/**
 * Lets whoever else is served go first, between two long steps of one job: the runtime reads connections only where
 * nothing is ready to run, and a promise that is settled is.
 */
export async function letOthersRun(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Milliseconds from the beginning of a slice to that of the next, whoever's it is: beside others, and where nobody is served. */
interface Periods {
  readonly served: number;
  readonly quiet: number;
}

const usualPeriods: Periods = { served: 5, quiet: 1 };
/** Nobody is served where nobody came for so long, ms. */
const quiet = 2000;
/** Milliseconds that a turn waits for somebody who may be gone. */
const patience = 100;
/** Owners whose last turns are remembered. */
const mostOwners = 1000;

interface Waiting {
  readonly owner: string;
  /** When it was first found to be next, epoch ms. */
  called: number | undefined;
}

/** Gives out turns; among owners they go round. */
export class Pace {
  readonly #waiting = new Set<Waiting>();
  /** Number of each owner's last turn. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  #freeAt = 0;
  #servedAt = 0;
  readonly #periods: Periods;

  /** `periods`: unless slices are those of about a millisecond. */
  constructor(periods = usualPeriods) {
    this.#periods = periods;
  }

  /** Somebody is served beside the long jobs. */
  serves(now: number): void {
    this.#servedAt = now;
  }

  /**
   * Done when the owner may run one slice at once. Everyone waits by a timer of their own: no
   * promise is shared between requests, and one that was given up holds up nobody.
   */
  async turn(owner: string): Promise<void> {
    const own: Waiting = { owner, called: undefined };
    this.#waiting.add(own);
    do await scheduler.wait(this.#timeUntil(own));
    while (!this.#takes(own, Date.now()));
  }

  #timeUntil(own: Waiting): number {
    const before = [...this.#waiting].filter((other) => this.#goesBefore(other, own)).length;
    const now = Date.now();
    const free = Math.min(this.#periods.served, this.#freeAt - now);
    return Math.max(1, free) + before * this.#periodAt(now);
  }

  #takes(own: Waiting, now: number): boolean {
    // It was taken for gone.
    this.#waiting.add(own);
    // A clock that was set back must not stop everything.
    if (now < this.#freeAt && this.#freeAt - now <= this.#periods.served) return false;
    const next = this.#next();
    if (next !== own) {
      next.called ??= now;
      if (now - next.called > patience) this.#waiting.delete(next);
      return false;
    }
    this.#waiting.delete(own);
    this.#turns += 1;
    if (this.#lastTurns.size >= mostOwners) this.#lastTurns.clear();
    this.#lastTurns.set(own.owner, this.#turns);
    this.#freeAt = now + this.#periodAt(now);
    return true;
  }

  #periodAt(now: number): number {
    return now - this.#servedAt < quiet ? this.#periods.served : this.#periods.quiet;
  }

  #next(): Waiting {
    return [...this.#waiting].reduce((first, other) =>
      this.#goesBefore(other, first) ? other : first,
    );
  }

  /** Whose owner had no turn for longer; of one owner, who came first. */
  #goesBefore(one: Waiting, other: Waiting): boolean {
    return this.#lastTurn(one) < this.#lastTurn(other);
  }

  #lastTurn({ owner }: Waiting): number {
    return this.#lastTurns.get(owner) ?? 0;
  }
}
