/** The time that each phase of a call may take. */
import { TimedOut } from "../providers/connection/failures.ts";

export interface TimeLimit {
  /** From now on, so many seconds for this phase. `what` ends the sentence "The provider did not send …". */
  set(seconds: number, what: string): void;
  /** Rejects with `TimedOut` when the phase's time is over; the call is aborted then. */
  readonly expired: Promise<never>;
  stop(): void;
}

/** One timer for all phases: when it wakes too early for the phase that runs, it sleeps again. */
export function timeLimit(controller: AbortController): TimeLimit {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let due = 0;
  let phase = { what: "", seconds: 0 };
  let reject: (error: Error) => void = () => undefined;
  const expired = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  // Nobody may be waiting for it at the moment it rejects.
  expired.catch(() => undefined);
  let wakes = 0;
  const wake = (): void => {
    const left = due - Date.now();
    if (left > 0) return sleep(left);
    const over = new TimedOut(phase.what, phase.seconds);
    controller.abort(over);
    reject(over);
  };
  const sleep = (milliseconds: number): void => {
    wakes = Date.now() + milliseconds;
    timer = setTimeout(wake, milliseconds);
  };
  return {
    set(seconds, what) {
      due = Date.now() + seconds * 1000;
      phase = { what, seconds };
      if (timer !== null && wakes <= due) return;
      if (timer !== null) clearTimeout(timer);
      sleep(seconds * 1000);
    },
    expired,
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
