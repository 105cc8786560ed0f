/**
 * A sliding window as a log of times: at most `limit` requests in any `span` milliseconds, exactly.
 * A fixed window would let twice as many through around its edge.
 */
import type { RateLimit } from "../../policy/limits.ts";
import type { RateState } from "../contract/admission.ts";

/** The times of the requests in it. */
export interface Window extends RateLimit {
  /** Epoch ms, oldest first. */
  times: number[];
}

/** A window with the requests that it counted before. */
export function newWindow({ limit, span }: RateLimit, times: number[] = []): Window {
  return { limit, span, times };
}

/** Forgets what has left the window. Must run before anything is read from it. */
export function slide(window: Window, now: number): void {
  const { times, span } = window;
  const newest = times.at(-1);
  // A clock that was set back must not keep requests in the window for longer than the span.
  if (newest !== undefined && newest > now) window.times = times.map((time) => Math.min(time, now));
  let gone = 0;
  while (gone < window.times.length && now - (window.times[gone] ?? now) >= span) gone += 1;
  if (gone > 0) window.times.splice(0, gone);
}

/** Whether it lets no request more through. */
export function isFull(window: Window): boolean {
  return window.times.length >= window.limit;
}

/** Counts one request. */
export function countRequest(window: Window, now: number): void {
  window.times.push(now);
}

/** Takes one request of that time out again: it was refused elsewhere and counts nowhere. */
export function uncountRequest(window: Window, time: number): void {
  const index = window.times.lastIndexOf(time);
  if (index >= 0) window.times.splice(index, 1);
}

/** Whole seconds until one more request is allowed, 1 to 60. */
export function retryAfter(window: Window, now: number): number {
  const freeing = window.times[window.times.length - window.limit] ?? now;
  return wholeSeconds(freeing + window.span - now);
}

/** For `x-ratelimit-*`: how much is left, and when more is (none left) or all is (some left). */
export function rateState(window: Window, now: number): RateState {
  const { times, limit, span } = window;
  const remaining = Math.max(0, limit - times.length);
  const awaited = remaining === 0 ? times[times.length - limit] : times.at(-1);
  const reset = awaited === undefined ? 0 : Math.max(0, Math.ceil((awaited + span - now) / 1000));
  return { limit, remaining, reset };
}

function wholeSeconds(ms: number): number {
  return Math.min(60, Math.max(1, Math.ceil(ms / 1000)));
}
