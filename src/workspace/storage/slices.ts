/** Long readings in slices: no statement scans more than a few thousand rows, and others get their turn between two. */

/** Rows that one slice is meant to scan. */
export const sliceRows = 1000;
/** Milliseconds between two slices of a reading, which take about one: somebody waits for its answer. */
const readingGap = 4;
/** Milliseconds between two slices of upkeep, which take several: nobody waits. */
const upkeepGap = 25;

/** Lets others run while something long is read. */
export async function pauseReading(): Promise<void> {
  await scheduler.wait(readingGap);
}

/** Lets others run during upkeep. */
export async function pauseUpkeep(): Promise<void> {
  await scheduler.wait(upkeepGap);
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

  /** Reads a slice when those before it are done, and others had their turn since. */
  async takeSlice<Result>(read: () => Result): Promise<Result> {
    const turn = this.#last.then(read);
    this.#last = turn.then(pauseReading, pauseReading);
    return await turn;
  }
}
