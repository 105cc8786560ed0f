/** Answers questions about sums: the coarsest levels that are exact, slice by slice. */
import type { LogSumQuestion, LogSums, SumPage, SumQuestion, SumRow } from "./contract/reports.ts";
import { bucketSpan } from "./rules/bucket-span.ts";
import { LogSummary } from "./rules/log-sums.ts";
import { calendarOf, type PeriodSpan } from "./rules/period.ts";
import { addToSums, inOrder } from "./rules/sum-rows.ts";
import { levelSpans, type SumMarks } from "./rules/sum-levels.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { hasOldSums } from "./storage/folding.ts";
import type { Turns } from "./storage/slices.ts";
import { readRecords } from "./storage/request-log.ts";
import { readSums, walkSums } from "./storage/sums.ts";

/** Rows of one page, about 3 MB: an RPC call holds 32 MB. */
const mostSums = 20_000;

/** What reports are made from. */
export interface SumReportContext {
  sql: SqlStorage;
  state: WorkspaceState;
  marks: SumMarks;
  turns: Turns;
}

/** One question is read at a time; the same one, asked twice meanwhile, is read once. */
export class SumReports {
  readonly #context: SumReportContext;
  readonly #reading = new Map<string, Promise<SumRow[]>>();

  constructor(context: SumReportContext) {
    this.#context = context;
  }

  /** A page, cut between two buckets. */
  async page(question: SumQuestion): Promise<SumPage> {
    const rows = await this.all(question);
    if (rows.length <= mostSums) return { rows, next: null };
    const next = rows[mostSums]?.bucket ?? question.to;
    const page = rows.filter(({ bucket }) => bucket < next);
    // A single bucket of more rows than that goes whole.
    return page.length > 0 ? { rows: page, next } : { rows, next: null };
  }

  /** All rows, oldest first. */
  async all(question: SumQuestion): Promise<SumRow[]> {
    const name = JSON.stringify(question);
    const reading = this.#reading.get(name);
    if (reading !== undefined) return await reading;
    const started = this.#context.turns.take(() => this.#read(question));
    this.#reading.set(name, started);
    try {
      return await started;
    } finally {
      this.#reading.delete(name);
    }
  }

  /** Sums of the rows that the request log still has. */
  async ofLog(question: LogSumQuestion): Promise<LogSums> {
    const { sql, state, turns } = this.#context;
    const calendar = calendarOf(state.calendar.timezone);
    const sums = new LogSummary(question, calendar);
    const completeFrom = await turns.take(() => readRecords(sql, question, (row) => sums.add(row)));
    const { rows, totals, names } = sums.result();
    return { rows, totals, names: { ...this.#keyNames(question, rows), ...names }, completeFrom };
  }

  /** Rows of the version before do not name their key. */
  #keyNames({ group }: LogSumQuestion, rows: readonly SumRow[]): Record<string, string> {
    if (group !== "key") return {};
    const { keysById } = this.#context.state;
    const named = rows.map((row) => [row.group, keysById.get(row.group)?.name] as const);
    return Object.fromEntries(
      named.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  async #read(question: SumQuestion): Promise<SumRow[]> {
    const { sql, state, marks } = this.#context;
    // One of its own: that of admission remembers today's boundaries.
    const calendar = calendarOf(state.calendar.timezone);
    const spans = levelSpans(question, marks, calendar).filter(
      ({ level }) => level !== "rollups" || hasOldSums(sql),
    );
    const bucketAt = (time: number): PeriodSpan => bucketSpan(question, calendar, time);
    const sums = new Map<string, SumRow>();
    await walkSums(sql, {
      spans,
      endOf: (time) => bucketAt(time).end,
      read: (slice) => {
        const bucket = bucketAt(slice.from).start;
        const { rows, scanned } = readSums(sql, slice, {
          group: question.group,
          bucket,
          holder: question.holder,
          times: question.times,
        });
        for (const row of rows) addToSums(sums, row);
        return scanned;
      },
    });
    return [...sums.values()].sort(inOrder);
  }
}
