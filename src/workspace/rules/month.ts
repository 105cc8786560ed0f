/**
 * The requests of the running month, for the quota of the plan. Months are those of UTC, whatever the workspace's time
 * zone is: its members choose that one, and would begin a month anew by changing it.
 */

/** The count of one month. */
export interface MonthCount {
  /** Of the month, epoch ms. */
  start: number;
  requests: number;
}

/** Requests that began at `time`. */
interface Begun {
  requests: number;
  time: number;
  now: number;
}

/** Beginning of the month of UTC that holds the time, epoch ms. */
export function monthStart(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Beginning of the month after the one that holds the time, epoch ms. */
export function monthAfter(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** No month is shorter, in ms. */
const shortestMonth = 28 * 86_400_000;

/** The count of the month that holds `now`: the given one, or a new one where that is over. */
export function monthAt(month: MonthCount, now: number): MonthCount {
  if (now >= month.start && now - month.start < shortestMonth) return month;
  const start = monthStart(now);
  return start > month.start ? { start, requests: 0 } : month;
}

/** The count with these requests; what began before the running month does not touch it. */
export function withRequests(month: MonthCount, { requests, time, now }: Begun): MonthCount {
  const running = monthAt(month, now);
  return time < running.start ? running : { ...running, requests: running.requests + requests };
}
