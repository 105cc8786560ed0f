/** Asks the same provider once more, where that helps: a refused or reset connection, or a short pause that it asked for. */
import type { Failure } from "../core/failure.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { retryWord } from "./failures.ts";
import { after, type Ask, type Layer, type NoAnswer } from "./upstream.ts";

/** Calls of providers for one request, retries included. */
export const mostCalls = 6;
/** Longest `Retry-After` that is waited for, in seconds. */
export const longestPause = 5;

export const retry: Layer = (next) => async (ask) => {
  const since = Date.now();
  const first = await next(ask);
  if (first.kind !== "failed") return first;
  const pause = pauseBefore(first, ask);
  if (pause === undefined) return first;
  const attempted = [...ask.attempted, ...first.attempts];
  if (ask.mayCall?.(ask.candidates[0], attempted) === false) return first;
  if (pause > 0) await pauseFor(pause, ask);
  return after(first.attempts, await next({ ...ask, attempted, since }));
};

/** Ends early when the client leaves. */
function pauseFor(seconds: number, { departure }: Ask): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
    departure?.whenever(resolve);
  });
}

/** Seconds to wait before the second call; undefined where there is none. */
function pauseBefore({ failures, attempts }: NoAnswer, ask: Ask): number | undefined {
  const [{ failure }] = failures;
  const waiting = ask.candidates.length - 1;
  const calls = ask.attempted.length + attempts.length;
  // Every candidate that waits keeps a call; a connection is retried once a request.
  if (calls + 1 + waiting > mostCalls || wasRetried(ask)) return undefined;
  return pauseAfter(failure, waiting);
}

function pauseAfter(failure: Failure, waiting: number): number | undefined {
  if (failure.cause === "refused" || failure.cause === "reset") return 0;
  const { status, retryAfter, headers } = failure;
  if (headers?.[retryWord] === "false") return undefined;
  const asksToWait = (status === 429 || status === 503) && retryAfter !== undefined;
  // Another candidate answers sooner than a pause.
  return asksToWait && waiting === 0 && retryAfter <= longestPause ? retryAfter : undefined;
}

function wasRetried({ attempted, candidates: [model] }: Ask): boolean {
  const prefix = `${model.connection.id}/`;
  const calls = attempted.filter((attempt) => attempt.model.startsWith(prefix));
  return hasTwice(calls);
}

/** A model that stands there twice was asked again. */
function hasTwice(attempts: readonly AttemptRecord[]): boolean {
  return new Set(attempts.map(({ model }) => model)).size < attempts.length;
}
