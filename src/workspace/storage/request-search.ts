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
import { recordOfRow, rowColumns, type SeqSpan, wholeSpan } from "./tables/request-log.ts";
import { mayHaveText, narrowingOf } from "./sql/row-narrowing.ts";
import { sliceRows, type Turns } from "./sql/slices.ts";

/** Characters of the rows of one page: an RPC call holds 32 MB. */
const longestPage = 6_000_000;
/** Rows that one slice takes from the database, and bytes of JSON that it reads. */
const readAtOnce = { rows: 50, length: 150_000 };
/** Rows of one slice where their texts are searched, and bytes beyond which the next slice has half as many. */
const searchedInSlice = { rows: 50, length: 400_000 };
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
  /** Ids of the keys in whose names that text is, in any letter case. */
  keysWith(text: string): string[];
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

type Asked = RowConditions & Pick<RowFilter, "before" | "texts"> & Partial<RowFilter>;

/** Newest first. */
async function* matchingRows(
  context: SearchContext,
  filter: Asked,
  work: SearchWork,
): AsyncGenerator<ReadRow> {
  const { sql, turns } = context;
  const span = spanOf(sql, filter);
  let length = filter.text === undefined ? sliceRows : searchedInSlice.rows;
  for (let { to } = span; to > span.from;) {
    const from = Math.max(span.from, to - length);
    const slice = await turns.takeSlice(() => readSlice(context, { from, to }, filter));
    yield* slice.rows;
    work.left -= slice.searched;
    for (let { unread } = slice; unread.length > 0;) {
      const more = await turns.takeSlice(() => readSome(context, unread, filter));
      yield* more.rows;
      ({ unread } = more);
    }
    if (slice.searched > searchedInSlice.length) length = Math.max(1, Math.floor(length / 2));
    to = slice.upTo;
    if (work.left > 0 || to === span.from) continue;
    work.endedAt = to;
    return;
  }
}

/** Some of the rows that were found, and those that wait for another slice; both newest first. */
interface SomeRows {
  rows: ReadRow[];
  unread: readonly NarrowedRow[];
}

/** What a slice found. */
interface FoundRows extends SomeRows {
  /** The slice ended before this row. */
  upTo: number;
  /** Bytes that were searched for the text. */
  searched: number;
}

function readSlice(context: SearchContext, span: SeqSpan, filter: Asked): FoundRows {
  const most = Math.min(readAtOnce.rows, (filter.limit ?? Infinity) + 1);
  const looked = { filter, most };
  const { text } = filter;
  const narrow =
    text === undefined ? narrowed(context, span, looked) : searchedRows(context, span, looked);
  const upTo = narrow.length < most ? span.from : (narrow.at(-1)?.seq ?? span.from);
  const found = narrow.filter(({ mayMatch }) => mayMatch);
  const searched = text === undefined ? 0 : narrow.reduce((sum, { length }) => sum + length, 0);
  return { ...readSome(context, found, filter), upTo, searched };
}

/** Reads as many as one slice may, at least one. */
function readSome(
  { sql, named }: SearchContext,
  found: readonly NarrowedRow[],
  filter: Asked,
): SomeRows {
  const rows: ReadRow[] = [];
  let [count, read] = [0, 0];
  for (const { seq, length, columns = readColumns(sql, seq) } of found) {
    if (count > 0 && read + length > readAtOnce.length) break;
    count += 1;
    read += length;
    const record = columns === undefined ? undefined : named(recordOfRow(columns));
    if (record === undefined || !meetsConditions(record, filter)) continue;
    rows.push({ seq, length, record: filter.texts === true ? record : textless(record) });
  }
  return { rows, unread: found.slice(count) };
}

function textless({ text: _text, ...record }: RequestRecord): RequestRecord {
  return record;
}

/** A row that may match. */
interface NarrowedRow {
  seq: number;
  /** Bytes. */
  length: number;
  /** Whether it may have the text that is looked for. */
  mayMatch: boolean;
  /** `row` and `text`; missing: to be read where it may match. */
  columns?: Columns;
}

type Columns = Readonly<Record<string, SqlStorageValue>>;

/** What is looked for, and in how many rows at most. */
interface Looked {
  filter: Asked;
  most: number;
}

/** Rows that may match, newest first. */
function narrowed(context: SearchContext, span: SeqSpan, { filter, most }: Looked): NarrowedRow[] {
  const { where, values } = whereOf(context, span, filter);
  const [columns, length] =
    filter.texts === true ? [rowColumns, bytesOfAll] : ["row, NULL AS text", "octet_length(row)"];
  const query = `SELECT seq, ${length} AS length, ${columns} FROM requests WHERE ${where} LIMIT ?`;
  const rows = sqlRows(context, query, [...values, most]);
  return rows.map(({ seq, length: bytes, ...read }) => ({
    seq: Number(seq),
    length: Number(bytes),
    mayMatch: true,
    columns: read,
  }));
}

/** The same where a text is looked for; rows that do not have it too, which cost as much. */
function searchedRows(
  context: SearchContext,
  span: SeqSpan,
  { filter, most }: Looked,
): NarrowedRow[] {
  const { where, values } = whereOf(context, span, filter);
  const { text = "" } = filter;
  const has = mayHaveText(text, context.keysWith(text));
  const query = `SELECT seq, ${has.where} AS found, ${bytesOfAll} AS length
    FROM requests WHERE ${where} LIMIT ?`;
  const rows = sqlRows(context, query, [...has.values, ...values, most]);
  return rows.map(({ seq, found, length }) => ({
    seq: Number(seq),
    length: Number(length),
    mayMatch: found === 1,
  }));
}

const bytesOfAll = "octet_length(row) + COALESCE(octet_length(texts), octet_length(text), 0)";

function whereOf(
  { keysCalled }: SearchContext,
  { from, to }: SeqSpan,
  filter: Asked,
): { where: string; values: (string | number)[] } {
  const { key } = filter;
  const { where, values } = narrowingOf(filter, key === undefined ? [] : keysCalled(key));
  return {
    where: `seq >= ? AND seq < ? AND ${where} ORDER BY seq DESC`,
    values: [from, to, ...values],
  };
}

/** At once: a cursor that is left open locks its table. */
function sqlRows(
  { sql }: SearchContext,
  query: string,
  values: readonly (string | number)[],
): Columns[] {
  return sql.exec(query, ...values).toArray();
}

/** Of one row; undefined where it was taken over since. */
function readColumns(sql: SqlStorage, seq: number): Columns | undefined {
  return sql.exec(`SELECT ${rowColumns} FROM requests WHERE seq = ?`, seq).toArray()[0];
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
