/**
 * When batches are written. Each is a sync of a disk that all objects of a process share: a few hundred workspaces that
 * wrote twice a second each would leave it little time for anything else. So batches of one process stand apart.
 */

/** Milliseconds that a batch collects at least. */
const shortestWait = 500;
/** Milliseconds that it collects at most: a crash loses it, and what ended half a second before. */
const longestWait = 3000;
/** Milliseconds between two batches of a process, while that makes none wait for too long. */
const betweenBatches = 10;

/** A timetable: each writer takes the next free time. */
export class WritePace {
  /** The last time that was given away, epoch ms. */
  #last = 0;

  /** In how many ms a batch that begins now is to be written. */
  take(now: number): number {
    const earliest = Math.max(now + shortestWait, this.#last + betweenBatches);
    this.#last = Math.min(earliest, now + longestWait);
    return this.#last - now;
  }

  /** In how many ms everything that waits now is written. */
  untilWritten(now: number): number {
    return Math.max(0, Math.min(this.#last - now, longestWait));
  }
}

/** Of all objects in this process. */
const ofProcess = new WritePace();

/** In how many ms a batch that begins now is to be written. On the platform (no `boot`) objects share no disk. */
export function nextBatchIn(boot: string | null, now: number): number {
  return boot === null ? shortestWait : ofProcess.take(now);
}

/** In how many ms everything that objects of this process hold now is on the disk. */
export function allWrittenIn(now: number): number {
  return Math.max(shortestWait, ofProcess.untilWritten(now));
}
