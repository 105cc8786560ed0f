/** Work on the tables that no request waits for: folding sums and forgetting what is too old, in slices. */
import type { Alarm } from "./alarm.ts";
import { type Retention, sumsFrom } from "./retention.ts";
import { loadMarks } from "./running-spend.ts";
import type { WorkspaceState } from "./rules/state.ts";
import type { SumMarks } from "./rules/sums/sum-levels.ts";
import { trimAnswerLengths } from "./storage/tables/answer-lengths.ts";
import { EventAge } from "./storage/event-age.ts";
import { foldSlice, nextFold } from "./storage/folding.ts";
import { forgetOldReasoning, nextReasoningEnd } from "./storage/tables/reasoning.ts";
import { LogAge } from "./storage/log-age.ts";
import { pauseUpkeep, type Turns } from "./storage/sql/slices.ts";

/** Milliseconds from the first batch to the first run. */
const firstRun = 1000;
/** Milliseconds between two runs of a busy workspace. */
const between = 900_000;
/** An idle workspace is woken once an hour at most. */
const leastSleep = 3_600_000;

/** By which name upkeep wants to be woken. */
export const upkeepWish = "upkeep";

/** What upkeep works on. */
export interface UpkeepContext {
  storage: DurableObjectStorage;
  state: WorkspaceState;
  marks: SumMarks;
  turns: Turns;
  retention: () => Retention;
  alarm: Alarm;
}

/** Runs a while after a batch, and by an alarm where the workspace is idle. */
export class Upkeep {
  readonly #context: UpkeepContext;
  readonly #log: LogAge;
  readonly #events: EventAge;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastRun = 0;

  constructor(context: UpkeepContext) {
    this.#context = context;
    this.#log = new LogAge(context.storage.sql, context.retention);
    this.#events = new EventAge(context.storage.sql, context.retention);
  }

  /**
   * The object has begun. Objects of idle workspaces begin many times a day, and the first run reads the whole log: where
   * the alarm of an earlier run is about to ring, it is enough.
   */
  begin(): void {
    this.#begin().catch(logFailure);
  }

  async #begin(): Promise<void> {
    const { alarm, storage } = this.#context;
    const set = await storage.getAlarm();
    const now = Date.now();
    if (set === null || set > now + 2 * leastSleep) return this.remind();
    this.#lastRun = now;
    // Whoever sets the alarm anew has to know what it was set for.
    alarm.want(upkeepWish, set, leastSleep);
  }

  /** A batch was written. */
  remind(): void {
    if (this.#timer !== null || Date.now() - this.#lastRun < between) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.run().catch(logFailure);
    }, firstRun);
  }

  /** Less is to be kept than before: the next run comes soon. */
  hurry(): void {
    this.#lastRun = 0;
    this.remind();
  }

  /** Does all that is due, and sets the alarm for what comes next. */
  async run(): Promise<void> {
    this.#lastRun = Date.now();
    // A reader of sums gets its turn after every slice, pauses included.
    while (await this.#context.turns.take(async () => this.#inTransaction())) await pauseUpkeep();
    trimAnswerLengths(this.#context.storage.sql);
    await this.#setAlarm();
  }

  /** One slice; whether more may be due. Marks that were not saved are forgotten. */
  #inTransaction(): boolean {
    const { storage, marks } = this.#context;
    try {
      return storage.transactionSync(() => this.#slice());
    } catch (error) {
      Object.assign(marks, loadMarks(storage.sql));
      throw error;
    }
  }

  #slice(): boolean {
    const now = Date.now();
    const { sql } = this.#context.storage;
    return (
      foldSlice(this.#fold(now)) ||
      this.#log.forget(now) ||
      this.#events.forget(now) ||
      forgetOldReasoning(sql, now)
    );
  }

  #fold(now: number) {
    const { storage, state, marks, retention } = this.#context;
    const forgetBefore = sumsFrom(retention(), now);
    return { sql: storage.sql, marks, calendar: state.calendar, now, forgetBefore };
  }

  /** Where nothing is due any more, an alarm that is set rings for nothing. */
  async #setAlarm(): Promise<void> {
    const { alarm, storage } = this.#context;
    const now = Date.now();
    const times = [
      nextFold(this.#fold(now)),
      this.#log.next(),
      this.#events.next(),
      nextReasoningEnd(storage.sql),
    ];
    const due = Math.min(...times.map((time) => time ?? Infinity));
    if (due === Infinity) {
      // The first batch will make something due.
      this.#lastRun = 0;
      return;
    }
    alarm.want(upkeepWish, Math.max(due, now + leastSleep), leastSleep);
    await alarm.settle();
  }
}

function logFailure(error: unknown): void {
  console.error(`upkeep failed: ${String(error)}`);
}
