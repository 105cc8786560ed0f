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

/** Rows of one page where the question does not say, about 3 MB: an RPC call holds 32 MB. */
const mostSums = 20_000;

/** Rows of sums that one slice is meant to scan: histograms are joined on the way. */
const sumSliceRows = 400;

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
  readonly #reading = new Map<string, Promise<SumPage>>();

  constructor(context: SumReportContext) {
    this.#context = context;
  }

  /** A page, cut between two buckets. A single bucket of more rows than that goes whole. */
  async page(question: SumQuestion): Promise<SumPage> {
    return await this.#once({ ...question, most: question.most ?? mostSums });
  }

  /** All rows, oldest first. */
  async all(question: SumQuestion): Promise<SumRow[]> {
    return (await this.#once({ ...question, most: Infinity })).rows;
  }

  async #once(question: SumQuestion & { most: number }): Promise<SumPage> {
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
    const completeFrom = await turns.take(() =>
      readRecords({ sql, turns }, question, (row) => sums.add(row)),
    );
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

  async #read(question: SumQuestion & { most: number }): Promise<SumPage> {
    const { sql, state, marks, turns } = this.#context;
    await turns.pause();
    // One of its own: that of admission remembers today's boundaries.
    const calendar = calendarOf(state.calendar.timezone);
    const spans = levelSpans(question, marks, calendar).filter(
      ({ level }) => level !== "rollups" || hasOldSums(sql),
    );
    const bucketAt = (time: number): PeriodSpan => bucketSpan(question, calendar, time);
    const sums = new Map<string, SumRow>();
    let newest: number | undefined;
    const next = await walkSums(sql, {
      spans,
      sliceRows: sumSliceRows,
      pause: () => turns.pause(),
      endOf: (time) => bucketAt(time).end,
      endsBefore: (time) => sums.size >= question.most && bucketAt(time).start !== newest,
      read: (slice) => {
        const bucket = (newest = bucketAt(slice.from).start);
        const { rows, scanned } = readSums(sql, slice, { ...question, bucket });
        for (const row of rows) addToSums(sums, row);
        return scanned;
      },
    });
    return { rows: [...sums.values()].sort(inOrder), next: next ?? null };
  }
}
