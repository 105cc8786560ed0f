/** What is spent in the running periods: saved with every batch, summed anew where it was not, the zone changed, or the clock went back. */
import type { WorkspaceState } from "./rules/state.ts";
import { firstMarks, hourLength, type SumMarks } from "./rules/sums/sum-levels.ts";
import type { Turns } from "./storage/sql/slices.ts";
import { newestBucket, sumSpend } from "./storage/spend.ts";
import { readMarks, writeMarks } from "./storage/tables/sums.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** The marks as they were saved. */
export function loadMarks(sql: SqlStorage): SumMarks {
  return readMarks(sql) ?? firstMarks(Date.now());
}

/** What summing needs. */
export interface RunningSpendContext {
  sql: SqlStorage;
  state: WorkspaceState;
  marks: SumMarks;
  turns: Turns;
  writes: WriteBehind;
}

/** Knows when the sums are whole. */
export class RunningSpend {
  readonly #context: RunningSpendContext;
  #summing: Promise<void> | undefined;
  /** Start of the hour that the clock showed last, epoch ms. */
  #hour: number;
  /** Start of the latest hour that the clock has shown, or that sums say it has. */
  #latest: number;
  #monthStale = false;

  constructor(context: RunningSpendContext) {
    this.#context = context;
    const { sql, state } = context;
    this.#hour = this.#hourAt(Date.now());
    const saved = Array.from(state.spend.values(), (periods) => periods.get("hour")?.start ?? 0);
    this.#latest = Math.max(newestBucket(sql), state.month.start, ...saved);
    if (this.#latest >= this.#hour + hourLength) this.#forget();
    this.#latest = Math.max(this.#latest, this.#hour);
  }

  /**
   * Sees what the clock shows. In an hour that it has shown before, because it was set back, or comes again to where it
   * was, totals in memory may be those of other periods: all are summed anew, so that every period has one budget, a
   * time in the future that was a mistake blocks nobody now, and nothing is forgotten.
   */
  follow(now: number): void {
    const hour = this.#hourAt(now);
    if (hour === this.#hour) return;
    this.#hour = hour;
    if (hour <= this.#latest) {
      this.#forget();
      this.begin();
    } else this.#latest = hour;
  }

  #hourAt(now: number): number {
    return this.#context.state.calendar.span("hour", now).start;
  }

  #forget(): void {
    this.#context.state.spendKnown = false;
    this.#monthStale = true;
  }

  /** Done when every sum is known. Throws when they could not be read. */
  async whole(): Promise<void> {
    while (!this.#context.state.spendKnown) await (this.#summing ??= this.#sum());
  }

  /** Whether every sum is known: it is but for moments after some starts. */
  get isWhole(): boolean {
    return this.#context.state.spendKnown;
  }

  /** Resolves when the sums that a request of the harness is checked against are known. */
  async known(harness: string): Promise<void> {
    const { spendKnown, harnesses, snapshot, monthlyRequests } = this.#context.state;
    if (spendKnown) return;
    if (this.#monthStale && monthlyRequests !== null) return await this.whole();
    const limits = [...(snapshot.config.limits ?? []), ...(harnesses.get(harness)?.limits ?? [])];
    if (limits.length > 0) await this.whole();
  }

  /** Sums what is missing, behind other work. */
  begin(): void {
    this.whole().catch((error: unknown) =>
      console.error(`the running periods could not be summed: ${String(error)}`),
    );
  }

  /** Periods and days begin elsewhere: those that are kept as hours are cut anew. */
  timezoneChanged(): void {
    const { sql, state, marks } = this.#context;
    writeMarks(sql, Object.assign(marks, { daysUpTo: marks.hoursFrom, staleDays: true }));
    state.spendKnown = false;
    this.begin();
  }

  async #sum(): Promise<void> {
    const { sql, state, marks, turns, writes } = this.#context;
    try {
      await turns.take(async () => {
        writes.flush();
        const now = Date.now();
        const hour = this.#hourAt(now);
        await sumSpend({ sql, state, marks, now, withMonth: this.#monthStale });
        // Set again meanwhile, they are summed again.
        if (hour !== this.#hourAt(Date.now())) state.spendKnown = false;
        else this.#monthStale = false;
      });
    } finally {
      this.#summing = undefined;
    }
  }
}
