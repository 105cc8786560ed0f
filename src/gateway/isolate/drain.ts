/** The end of this process, told beforehand: answers that still stream then say so, instead of breaking off. */
import type { Failure } from "../../core/failure.ts";
import type { Clock } from "../../lib/clock.ts";
import { allWrittenIn } from "../../workspace/storage/write-pace.ts";

export interface Drain {
  /** Answers that stream now and still do at `time` (epoch ms) end then, with an error event. */
  endAt(time: number): void;
  /** Whether the end was announced and is still awaited: nothing new should be sent here. */
  announced(): boolean;
  /** Why a request that arrived at `arrived` (epoch ms) ends now; undefined while it may go on. */
  cut(arrived: number): Failure | undefined;
  /** Resolves when everything booked so far is on disk, if the end was announced; otherwise immediately. */
  saved(): Promise<void>;
}

/** More than until the last batch is due, which takes a moment itself; ms. */
const batchTime = 500;
/** A process that still runs so long after its announced end was not ended after all; ms. */
const overdue = 5000;

export function drainOf(now: Clock): Drain {
  let end = Number.POSITIVE_INFINITY;
  const announced = (): boolean => Number.isFinite(end) && now() < end + overdue;
  return {
    endAt(time) {
      end = time;
    },
    announced,
    // A process that was not ended after all serves what comes later.
    cut: (arrived) => (now() >= end && arrived < end ? restart : undefined),
    async saved() {
      if (!announced()) return;
      const untilSaved = allWrittenIn(Date.now()) + batchTime;
      await new Promise((resolve) => setTimeout(resolve, untilSaved));
    },
  };
}

const restart: Failure = {
  cause: "stated",
  status: 503,
  message: "The gateway is restarting and ended this response. Send the request again.",
  ours: true,
};
