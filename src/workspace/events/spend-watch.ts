/** Tells of a day that costs more than those before it. Looks behind each batch, and reads old days once a day. */
import type { Clock } from "../../lib/clock.ts";
import type { SumQuestion, SumRow } from "../contract/reports.ts";
import { toDollars } from "../rules/sums/cost.ts";
import { wholeWorkspace } from "../rules/nodes.ts";
import type { PeriodSpan } from "../rules/sums/period.ts";
import { spentIn } from "../rules/sums/spend.ts";
import type { WorkspaceState } from "../rules/state.ts";
import { comparedDays, mayBeUnusual, unusualAgainst } from "../rules/events/unusual-spend.ts";
import type { EventLog } from "./event-log.ts";
import type { Told } from "./told.ts";

/** Milliseconds between two readings of old days, where one fails. */
const between = 300_000;
const halfDay = 43_200_000;
const mark = "spend";

/** What it reads and writes. */
export interface SpendWatchContext {
  storage: DurableObjectStorage;
  state: WorkspaceState;
  told: Told;
  log: EventLog;
  now: Clock;
  /** Reads sums in slices. */
  sums: (question: SumQuestion) => Promise<SumRow[]>;
}

/** Reports it once a day. */
export class SpendWatch {
  readonly #context: SpendWatchContext;
  #read = 0;
  /** USD of each of the days before the one that starts there. */
  #before: { start: number; days: readonly number[] } | undefined;

  constructor(context: SpendWatchContext) {
    this.#context = context;
  }

  /** A batch was written. */
  remind(): void {
    const now = this.#context.now();
    if (!this.#mayTell(now)) return;
    const today = this.#context.state.calendar.span("day", now);
    if (this.#before?.start === today.start) {
      this.#compare(today, this.#before.days);
      return;
    }
    if (now - this.#read < between) return;
    this.#read = now;
    this.#look().catch((error: unknown) =>
      console.error(`the days before could not be read: ${String(error)}`),
    );
  }

  async #look(): Promise<void> {
    const { state, now } = this.#context;
    const today = state.calendar.span("day", now());
    this.#compare(today, await this.#daysBefore(today));
  }

  /** Today may have cost more while old days were read, or be over. */
  #compare(today: PeriodSpan, days: readonly number[]): void {
    const time = this.#context.now();
    if (time >= today.end || !this.#mayTell(time)) return;
    const cost = this.#costOf(time);
    const usual = unusualAgainst(cost, days);
    if (usual !== undefined) this.#tell({ today, cost, usual }, time);
  }

  #mayTell(now: number): boolean {
    const { state, told } = this.#context;
    return (
      state.spendKnown && mayBeUnusual(this.#costOf(now)) && now >= Number(told.get(mark) ?? 0)
    );
  }

  #costOf(now: number): number {
    const { spend, calendar } = this.#context.state;
    return toDollars(
      spentIn(spend, calendar, { harness: wholeWorkspace, period: "day", now }).cost,
    );
  }

  async #daysBefore({ start }: PeriodSpan): Promise<readonly number[]> {
    const { state, sums } = this.#context;
    // Days of 23 and of 25 hours have their middle in the day that is meant.
    const from = state.calendar.span("day", start - comparedDays * 2 * halfDay + halfDay).start;
    const costs = new Map<number, number>();
    for (const { bucket, cost } of await sums({ from, to: start, group: "tier", by: "day" }))
      costs.set(bucket, (costs.get(bucket) ?? 0) + cost);
    const days = Array.from(costs.values(), toDollars);
    this.#before = { start, days };
    return days;
  }

  #tell({ today, cost, usual }: { today: PeriodSpan; cost: number; usual: number }, time: number) {
    const { storage, state, told, log } = this.#context;
    const day = dateOf(today.start, state.calendar.timezone);
    storage.transactionSync(() => {
      told.set(mark, String(today.end))(storage.sql);
      log.add({ type: "spend.unusual", time, data: { day, cost, usual } });
    });
  }
}

/** `2026-03-29`, there. */
function dateOf(time: number, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(time);
}
