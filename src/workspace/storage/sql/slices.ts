/** Long readings in slices of about a millisecond: others get their turn between two. */
import { Pace } from "../../../lib/pace.ts";

/** Rows that one slice is meant to scan. */
export const sliceRows = 1000;
/** Of all readings of an isolate, of whatever workspace and in whatever form: objects and Workers share its thread. */
export const readingPace = new Pace();
/** Milliseconds between two slices that admission waits for: they go before all readings. */
const summingGap = 4;
/** Milliseconds between two slices of upkeep, which take several: nobody waits. */
const upkeepGap = 25;

/** Lets others run while admission waits for sums. */
export async function pauseSumming(): Promise<void> {
  await scheduler.wait(summingGap);
}

/** Lets others run during upkeep. */
export async function pauseUpkeep(): Promise<void> {
  await scheduler.wait(upkeepGap);
}

/** Jobs that must not run into each other, in the order in which they came. */
export class Turns {
  readonly #workspace: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `workspace`: whose readings these are; workspaces take turns. */
  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Runs the job when those before it are done. */
  async take<Result>(job: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(job);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  /** Reads a slice when those before it are done, and others had their turn since. */
  async takeSlice<Result>(read: () => Result): Promise<Result> {
    return await this.take(async () => {
      await this.pause();
      return read();
    });
  }

  /** Between two slices of a reading: lets others run. */
  async pause(): Promise<void> {
    await readingPace.turn(this.#workspace);
  }
}
