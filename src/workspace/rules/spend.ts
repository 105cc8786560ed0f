/** What every harness has spent in the running hour, day, week and month. One truth: the ledger's roll-ups. */
import { periodNames, type Calendar, type PeriodName } from "./period.ts";

/** What limits count; cost in picodollars. */
export interface Amount {
  cost: number;
  tokens: number;
  requests: number;
}

/** The total of one period that runs. */
export interface Running extends Amount {
  start: number;
  end: number;
}

/** By harness. */
export type Spend = Map<string, Map<PeriodName, Running>>;

/** Nothing. */
export function noAmount(): Amount {
  return { cost: 0, tokens: 0, requests: 0 };
}

/** Adds the part to the sum. */
export function addTo(sum: Amount, part: Amount): void {
  sum.cost += part.cost;
  sum.tokens += part.tokens;
  sum.requests += part.requests;
}

/** The harness's total of the period that holds `now`; a new period begins at zero. */
export function spentIn(
  spend: Spend,
  calendar: Calendar,
  at: { harness: string; period: PeriodName; now: number },
): Running {
  let periods = spend.get(at.harness);
  if (periods === undefined) spend.set(at.harness, (periods = new Map()));
  const span = calendar.span(at.period, at.now);
  const known = periods.get(at.period);
  if (known !== undefined && known.start === span.start) return known;
  const fresh = { ...noAmount(), start: span.start, end: span.end };
  periods.set(at.period, fresh);
  return fresh;
}

/** Books an amount that belongs to the instant `time`; what belongs to an earlier period does not touch the running one. */
export function book(
  spend: Spend,
  calendar: Calendar,
  entry: { harness: string; amount: Amount; time: number; now: number },
): void {
  for (const period of periodNames) {
    const running = spentIn(spend, calendar, { harness: entry.harness, period, now: entry.now });
    if (entry.time >= running.start) addTo(running, entry.amount);
  }
}
