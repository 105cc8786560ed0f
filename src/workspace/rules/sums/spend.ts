/** What every harness has spent in the running hour, day, week and month. One truth: the ledger's roll-ups. */
import { periodNames, type Calendar, type PeriodName, type PeriodSpan } from "./period.ts";

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

/**
 * The harness's total of the period that holds `now`; a new period begins at zero. One before the running period, where
 * the clock was set back, is not known here: see `RunningSpend.follow`.
 */
export function spentIn(
  spend: Spend,
  calendar: Calendar,
  at: { harness: string; period: PeriodName; now: number },
): Running {
  return runningIn(periodsOf(spend, at.harness), at.period, calendar.span(at.period, at.now));
}

function periodsOf(spend: Spend, harness: string): Map<PeriodName, Running> {
  let periods = spend.get(harness);
  if (periods === undefined) spend.set(harness, (periods = new Map()));
  return periods;
}

function runningIn(
  periods: Map<PeriodName, Running>,
  period: PeriodName,
  { start, end }: PeriodSpan,
): Running {
  const known = periods.get(period);
  if (known !== undefined && known.start === start) return known;
  const fresh = { ...noAmount(), start, end };
  if (known === undefined || known.start < start) periods.set(period, fresh);
  return fresh;
}

/** Whether the time belongs to the span. */
export function isWithin(time: number, { start, end }: PeriodSpan): boolean {
  return time >= start && time < end;
}

/** What is booked: `time` is the instant that it belongs to. */
interface SpendEntry {
  calendar: Calendar;
  amount: Amount;
  time: number;
  now: number;
}

/** Books an amount; what belongs to another period does not touch the running one. */
export function book(spend: Spend, harness: string, entry: SpendEntry): void {
  const { calendar, amount, time, now } = entry;
  const periods = periodsOf(spend, harness);
  for (const period of periodNames) {
    runningIn(periods, period, calendar.span(period, now));
    const running = periods.get(period);
    if (running !== undefined && isWithin(time, running)) addTo(running, amount);
  }
}
