/** Bounds the time that a sender may take. */
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

/** The same reader, whose `read` throws TooSlow when the patience is over. `stop` it at the end. */
export function timedReader(reader: ByteReader, { idle, total }: Patience): TimedReader {
  const begun = Date.now();
  let heard = begun;
  let expire: (error: TooSlow) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    expire = reject;
  });
  // Nobody may be reading at the moment it rejects.
  late.catch(() => undefined);
  const wake = (): void => {
    const left = Math.min(heard + idle, begun + total) - Date.now();
    if (left <= 0) expire(new TooSlow());
    else timer = setTimeout(wake, left);
  };
  let timer = setTimeout(wake, Math.min(idle, total));
  return {
    async read(into) {
      const piece = await Promise.race([reader.read(into), late]);
      heard = Date.now();
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
