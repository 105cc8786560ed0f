/** Long readings in slices: no statement scans more than a few thousand rows, and others get their turn between two. */

/** Rows that one slice is meant to scan. */
export const sliceRows = 1000;
/** Milliseconds between two slices: readers of sums get a quarter of the time at most. */
const sliceGap = 4;

/** Lets others run. */
export async function pause(): Promise<void> {
  await scheduler.wait(sliceGap);
}

/** Jobs that must not run into each other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the job when those before it are done. */
  async take<Result>(job: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(job);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
