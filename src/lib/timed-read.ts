/** Bounds the time that a sender may take. */
import { SteadyTime } from "./clock.ts";
import type { ByteReader } from "./bytes.ts";
import type { RequestTimer } from "./request-timer.ts";

/** The sender was silent, or did not come to its end, for longer than it may. */
export class TooSlow extends Error {}

/** In milliseconds. */
export interface Patience {
  /** Longest time without a byte. */
  readonly idle: number;
  /** Longest time from now to the end. */
  readonly total: number;
}

export interface TimedReader extends ByteReader {
  /** Nobody reads any more: the timer ends. */
  stop(): void;
}

/**
 * The same reader, whose `read` throws TooSlow when the patience is over. `stop` it at the end.
 *
 * Each read is raced by hand: `Promise.race` against one lasting promise would keep every piece until that promise settles,
 * so a long upload would stay in memory whole.
 */
export function timedReader(reader: ByteReader, { idle, total }: Patience): TimedReader {
  const time = new SteadyTime();
  const begun = time.now();
  let heard = begun;
  let late = false;
  let giveUp: (() => void) | undefined;
  const wake = (): void => {
    const left = Math.min(heard + idle, begun + total) - time.now();
    if (left > 0) {
      timer = setTimeout(wake, left);
      return;
    }
    late = true;
    giveUp?.();
  };
  let timer = setTimeout(wake, Math.min(idle, total));
  return {
    async read(into) {
      if (late) throw new TooSlow();
      const piece = await new Promise<Uint8Array | undefined>((resolve, reject) => {
        giveUp = () => reject(new TooSlow());
        reader.read(into).then(resolve, reject);
      });
      giveUp = undefined;
      heard = time.now();
      return piece;
    },
    cancel: (reason) => reader.cancel(reason),
    stop: () => clearTimeout(timer),
  };
}

/** What the promise gives. Throws TooSlow when that takes longer than `patience` ms. */
export function inTime<T>(promise: Promise<T>, patience: number, timer: RequestTimer): Promise<T> {
  return new Promise((resolve, reject) => {
    const wake = timer.at(Date.now() + patience, () => reject(new TooSlow()));
    promise.then(resolve, reject).finally(() => wake.cancel());
  });
}
