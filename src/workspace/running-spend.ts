/** What is spent in the running periods: saved with every batch, summed anew where it was not or the zone changed. */
import type { WorkspaceState } from "./rules/state.ts";
import { firstMarks, type SumMarks } from "./rules/sums/sum-levels.ts";
import type { Turns } from "./storage/sql/slices.ts";
import { sumSpend } from "./storage/spend.ts";
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

  constructor(context: RunningSpendContext) {
    this.#context = context;
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
    const { spendKnown, harnesses, snapshot } = this.#context.state;
    if (spendKnown) return;
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
        await sumSpend({ sql, state, marks, now: Date.now() });
      });
    } finally {
      this.#summing = undefined;
    }
  }
}
