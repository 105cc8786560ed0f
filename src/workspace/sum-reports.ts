/** Answers questions about sums: the coarsest levels that are exact, slice by slice. */
import type { LogSumQuestion, LogSums, SumPage, SumQuestion, SumRow } from "./contract/reports.ts";
import { bucketSpan } from "./rules/sums/bucket-span.ts";
import { LogSummary } from "./rules/sums/log-sums.ts";
import { calendarOf, type PeriodSpan } from "./rules/sums/period.ts";
import { addToSums, inOrder } from "./rules/sums/sum-rows.ts";
import { levelSpans, type SumMarks } from "./rules/sums/sum-levels.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { hasOldSums } from "./storage/folding.ts";
import type { Turns } from "./storage/sql/slices.ts";
import { readRecords } from "./storage/tables/request-log.ts";
import { readSums, walkSums } from "./storage/tables/sums.ts";

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

/** Summaries of the log that are kept for their next pages, and how long after the last page of any, in ms. */
const mostSummaries = 8;
const keptSummaries = 10_000;

interface KeptSummary {
  readonly summary: LogSummary;
  readonly completeFrom: number | null;
}

/** One question is read at a time; the same one, asked twice meanwhile, is read once. */
export class SumReports {
  readonly #context: SumReportContext;
  readonly #reading = new Map<string, Promise<SumPage>>();
  /** Of the log, by their questions: those whose pages are being read. */
  readonly #summaries = new Map<string, KeptSummary>();
  #forgetting: ReturnType<typeof setTimeout> | null = null;

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

  /** Sums of the rows that the request log still has: a page of them, or all. */
  async ofLog(question: LogSumQuestion): Promise<LogSums> {
    const { most = Infinity, after, ...asked } = question;
    const name = JSON.stringify(asked);
    const kept = after === undefined ? undefined : this.#summaries.get(name);
    const { summary, completeFrom } = kept ?? (await this.#readLog(asked));
    const { rows, next } = summary.page({ after, most });
    if (next === undefined) this.#summaries.delete(name);
    else this.#keep(name, { summary, completeFrom });
    const totals = after === undefined ? summary.totals() : [];
    const names = { ...this.#keyNames(asked, summary.groups()), ...summary.names() };
    return { rows, totals, names, completeFrom, ...(next !== undefined && { next }) };
  }

  async #readLog(question: LogSumQuestion): Promise<KeptSummary> {
    const { sql, state, turns } = this.#context;
    const summary = new LogSummary(question, calendarOf(state.calendar.timezone));
    const completeFrom = await turns.take(() =>
      readRecords({ sql, turns }, question, (row) => summary.add(row)),
    );
    return { summary, completeFrom };
  }

  /** For the pages after the first; dropped when no longer requested. */
  #keep(name: string, kept: KeptSummary): void {
    this.#summaries.delete(name);
    this.#summaries.set(name, kept);
    const [oldest] = this.#summaries.keys();
    if (this.#summaries.size > mostSummaries && oldest !== undefined)
      this.#summaries.delete(oldest);
    if (this.#forgetting !== null) clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => this.#summaries.clear(), keptSummaries);
  }

  /** Rows of the version before do not name their key. */
  #keyNames({ group }: LogSumQuestion, groups: readonly string[]): Record<string, string> {
    if (group !== "key") return {};
    const { keysById } = this.#context.state;
    const named = groups.map((id) => [id, keysById.get(id)?.name] as const);
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
