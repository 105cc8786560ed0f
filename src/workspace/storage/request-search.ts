/** The request log by conditions: pages of it, and what the rows that match come to. */
import type {
  LoggedRow,
  RowConditions,
  RowFilter,
  RowPage,
  RowTotals,
} from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { meetsConditions } from "../rules/row-conditions.ts";
import { readSeq, type SeqSpan, slicesIn, wholeSpan } from "./request-log.ts";
import { mayHaveText, narrowingOf } from "./row-narrowing.ts";
import { sliceRows, type Turns } from "./slices.ts";

/** Characters of the rows of one page: an RPC call holds 32 MB. */
const longestPage = 6_000_000;
/** Rows that are read one by one before others run, and characters of them. */
const readAtOnce = { rows: 200, length: 400_000 };
/** Rows of one slice where their texts are searched: each may have 40,000 characters. */
const searchedRows = 50;
/** Bytes of rows and texts that the search for one page looks at: about a second's work. */
export const searchedAtOnce = 96_000_000;

/** What reading needs besides the table. */
export interface SearchContext {
  sql: SqlStorage;
  /** Of all readings of the log: each reads a slice when it is its turn, so that many are no harder on others than one. */
  turns: Turns;
  /** The record with the key's name of today. */
  named(record: RequestRecord): RequestRecord;
  /** Ids of the keys that are called so. */
  keysCalled(name: string): string[];
}

/** How much a search may look at, and where it ended because of that. */
interface SearchWork {
  /** Bytes. */
  left: number;
  endedAt?: number;
}

/**
 * Rows that match, newest first, without the texts unless they are asked for: as many as were asked for and fit into one
 * answer. `most`: bytes to search.
 */
export async function pageRows(
  context: SearchContext,
  filter: RowFilter,
  most = Infinity,
): Promise<RowPage> {
  const rows: LoggedRow[] = [];
  let length = 0;
  const work: SearchWork = { left: most };
  for await (const row of matchingRows(context, filter, work)) {
    length += row.length;
    const isFull = rows.length >= filter.limit || (length > longestPage && rows.length > 0);
    // One more than was asked for shows that there are more.
    if (isFull) return { rows, more: true };
    rows.push({ seq: row.seq, record: row.record });
  }
  const { endedAt: next } = work;
  return next === undefined ? { rows, more: false } : { rows, more: true, next };
}

/** What the rows that match come to. */
export async function addUpRows(
  context: SearchContext,
  conditions: RowConditions,
): Promise<RowTotals> {
  const totals = { requests: 0, cost: 0, input_tokens: 0, output_tokens: 0 };
  for await (const { record } of matchingRows(context, conditions, { left: Infinity })) {
    totals.requests += 1;
    totals.cost += record.cost ?? 0;
    totals.input_tokens += record.usage?.input_tokens ?? 0;
    totals.output_tokens += record.usage?.output_tokens ?? 0;
  }
  return totals;
}

interface ReadRow extends LoggedRow {
  /** Characters of it in the database. */
  length: number;
}

type Asked = RowConditions & Pick<RowFilter, "before" | "texts">;

/** Newest first. */
async function* matchingRows(
  context: SearchContext,
  filter: Asked,
  work: SearchWork,
): AsyncGenerator<ReadRow> {
  const { sql, turns, named } = context;
  const reading = { texts: filter.texts === true || filter.text !== undefined };
  const read = { rows: 0, length: 0 };
  const span = spanOf(sql, filter);
  for (const slice of slicesIn(span, sliceLength(filter))) {
    const { seqs, searched } = await turns.takeSlice(() => narrowed(context, slice, filter));
    work.left -= searched;
    // One by one: a row may be long, and a cursor that is left open locks its table.
    for (const seq of seqs) {
      if (read.rows >= readAtOnce.rows || read.length >= readAtOnce.length) {
        await turns.takeSlice(() => undefined);
        Object.assign(read, { rows: 0, length: 0 });
      }
      const found = readSeq(sql, seq, reading);
      if (found === undefined) continue;
      read.rows += 1;
      read.length += found.length;
      work.left -= filter.text === undefined ? 0 : found.length;
      const record = named(found.record);
      if (!meetsConditions(record, filter)) continue;
      yield {
        seq,
        length: found.length,
        record: filter.texts === true ? record : textless(record),
      };
    }
    if (work.left > 0 || slice.from === span.from) continue;
    work.endedAt = slice.from;
    return;
  }
}

function sliceLength({ text }: RowConditions): number {
  return text === undefined ? sliceRows : searchedRows;
}

function textless({ text: _text, ...record }: RequestRecord): RequestRecord {
  return record;
}

/** Rows of a slice that may match. */
interface NarrowedRows {
  /** Newest first. */
  seqs: number[];
  /** Bytes that were searched for the text. */
  searched: number;
}

function narrowed(
  { sql, keysCalled }: SearchContext,
  { from, to }: SeqSpan,
  conditions: RowConditions,
): NarrowedRows {
  const { key, text } = conditions;
  const { where, values } = narrowingOf(conditions, key === undefined ? [] : keysCalled(key));
  const has = mayHaveText(text ?? "");
  const query = `SELECT seq, ${has.where} AS found,
      octet_length(row) + COALESCE(octet_length(texts), octet_length(text), 0) AS length
    FROM requests WHERE seq >= ? AND seq < ? AND ${where} ORDER BY seq DESC`;
  const rows = sql.exec(query, ...has.values, from, to, ...values).toArray();
  return {
    seqs: rows.filter(({ found }) => found === 1).map(({ seq }) => Number(seq)),
    searched: text === undefined ? 0 : rows.reduce((sum, row) => sum + Number(row["length"]), 0),
  };
}

/** Rows stand in the order in which requests ended, and a request lasts no longer than this, in ms. */
const longestRequest = 24 * 3_600_000;

/** Where rows of that time can stand. */
function spanOf(
  sql: SqlStorage,
  { before, from, to }: Pick<RowFilter, "before" | "from" | "to">,
): SeqSpan {
  const whole = wholeSpan(sql, before);
  return {
    from: from === undefined ? whole.from : firstBegunAt(sql, whole, from - longestRequest),
    to: to === undefined ? whole.to : firstBegunAt(sql, whole, to + longestRequest),
  };
}

/** A row before which all stand that ended before that time. Their beginnings are in order but for the longest request. */
function firstBegunAt(sql: SqlStorage, { from, to }: SeqSpan, time: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { seq, begun } = rowFrom(sql, middle);
    if (begun < time) low = seq + 1;
    else high = middle;
  }
  return low;
}

/** The row of that number, or the next one: numbers may be missing. */
function rowFrom(sql: SqlStorage, from: number): { seq: number; begun: number } {
  const query = `SELECT seq, time, CASE WHEN time IS NULL THEN json_extract(row, '$.time') END AS said
    FROM requests WHERE seq >= ? ORDER BY seq LIMIT 1`;
  const [row] = sql.exec(query, from).toArray();
  if (row === undefined) return { seq: from, begun: Infinity };
  const { seq, time, said } = row;
  return { seq: Number(seq), begun: typeof time === "number" ? time : Date.parse(String(said)) };
}
