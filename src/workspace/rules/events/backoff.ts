/** When a delivery that did not arrive is sent again, and what an attempt makes of a delivery. */

/** Milliseconds. */
export interface Backoff {
  /** After the first failure, the second …; the last one holds for all that follow. */
  readonly delays: readonly number[];
  /** From the event to the last attempt. */
  readonly life: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Eleven to twelve attempts within a day. */
export const webhookBackoff: Backoff = {
  delays: [
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
    8 * hour,
  ],
  life: 24 * hour,
};

/** Of a delay, at least this part: receivers that come back are not asked by all at once. */
const leastPart = 0.85;

/** A delivery that failed once more. Times are epoch ms. */
export interface FailedTry {
  /** With this one. */
  attempts: number;
  /** When the event happened. */
  begun: number;
  now: number;
  /** Milliseconds for which the receiver asked to be left alone. */
  retryAfter?: number | undefined;
  /** From 0 to 1. */
  random: number;
}

/** Epoch ms of the next attempt; undefined: there is none. */
export function nextTry(
  { attempts, begun, now, retryAfter = 0, random }: FailedTry,
  { delays, life }: Backoff,
): number | undefined {
  const longest = delays.at(-1) ?? life;
  const delay = delays[attempts - 1] ?? longest;
  const jittered = delay * (leastPart + (1 - leastPart) * random);
  const next = Math.round(now + Math.max(jittered, Math.min(retryAfter, longest)));
  const end = begun + life;
  if (next <= end) return next;
  // The last attempt comes at the end, unless the one before was about then.
  return end - now > longest / 8 ? end : undefined;
}

/** Milliseconds for which a webhook pauses after so many failures in a row, so that a dead one delays no other. */
export function restAfter(failures: number): number {
  return Math.min(minute, second * 2 ** Math.min(failures - 1, 6));
}
