/** The table of the request log: the newest rows, each with its record as JSON text. */
import type { LoggedRow } from "../contract/reports.ts";
import { shortenedRecord } from "../contract/record-limits.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { hourLength } from "../rules/sum-levels.ts";
import { sliceRows, type Turns } from "./slices.ts";

/** Rows of the request log that a workspace keeps. */
export const keptRows = 10_000;
/** Rows of one slice where each is read as JSON. */
const jsonRows = 100;

/**
 * Writes a row; its text stands in a column of its own, so that lists need not read it. One that the database does not
 * take is written short, with a note in its place: it must not keep others from being saved.
 */
export function appendRow(sql: SqlStorage, { seq, record }: LoggedRow): void {
  try {
    insertRow(sql, { seq, record });
  } catch (error) {
    console.error(`row ${seq} of the log was cut: ${String(error)}`);
    insertRow(sql, { seq, record: shortenedRecord(record) });
  }
}

/** What is written of a row, by the column. */
function columnsOf({ seq, record }: LoggedRow): Record<string, string | number | null> {
  const { text, session: _session, observed: _observed, ...row } = record;
  return {
    seq,
    id: record.id,
    harness: record.harness,
    status: record.status,
    model: record.model,
    requested: record.requested_model,
    row: JSON.stringify(row),
    // Of the version before, in a row that is taken over.
    text: null,
    key_id: record.key_id ?? null,
    person: record.person ?? null,
    ...describingColumns(record),
    texts: text === undefined ? null : JSON.stringify(text),
  };
}

/** By these rows are found and added up: `time` is epoch ms, `cost` USD, `tags` a JSON object. */
function describingColumns(record: RequestRecord): Record<string, string | number | null> {
  const time = Date.parse(record.time);
  return {
    time: Number.isNaN(time) ? null : time,
    outcome: record.outcome ?? null,
    provider: record.provider,
    cost: record.cost,
    input: record.usage?.input_tokens ?? null,
    output: record.usage?.output_tokens ?? null,
    session: record.session_id ?? null,
    agent: record.agent ?? null,
    role: record.role ?? null,
    tags: record.tags === undefined ? null : JSON.stringify(record.tags),
    key_name: record.key_name ?? null,
  };
}

/** A row with its texts; those of the version before stand in another column. */
export const rowColumns = "row, COALESCE(texts, text) AS text";

/** A full log's oldest row is taken over: forgetting it and adding another would be two written rows. */
function insertRow(sql: SqlStorage, row: LoggedRow): void {
  const values = columnsOf(row);
  const names = Object.keys(values);
  const set = names.map((name) => `${name} = ?`).join(", ");
  const given = Object.values(values);
  const taken = sql.exec(`UPDATE requests SET ${set} WHERE seq = ?`, ...given, row.seq - keptRows);
  if (taken.rowsWritten > 0) return;
  const places = names.map(() => "?").join(",");
  sql.exec(`INSERT INTO requests (${names.join(", ")}) VALUES (${places})`, ...given);
}

/** Number of the newest row; 0 before the first. */
export function newestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MAX(seq), 0) AS seq FROM requests").one()["seq"]);
}

function oldestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MIN(seq), 0) AS seq FROM requests").one()["seq"]);
}

/** Whether one of the newest rows is the request's: a settlement that comes twice comes within seconds. */
export function hasRecentRow(sql: SqlStorage, id: string): boolean {
  const from = newestSeq(sql) - sliceRows;
  return sql.exec("SELECT 1 FROM requests WHERE seq > ? AND id = ?", from, id).toArray().length > 0;
}

/** Numbers of rows; `from` inclusive, `to` exclusive. */
export interface SeqSpan {
  from: number;
  to: number;
}

/** The span in slices, newest first. */
export function* slicesIn({ from: oldest, to: end }: SeqSpan, length: number): Generator<SeqSpan> {
  for (let to = end; to > oldest; to -= length) yield { from: Math.max(oldest, to - length), to };
}

/** Where the log is read, and in whose turns. */
export interface LogReading {
  readonly sql: SqlStorage;
  readonly turns: Turns;
}

/** The same; others run between two. */
async function* slicesOf({ sql, turns }: LogReading, length = sliceRows): AsyncGenerator<SeqSpan> {
  for (const slice of slicesIn(wholeSpan(sql), length)) {
    await turns.pause();
    yield slice;
  }
}

/** The whole log, or what is older than that row. */
export function wholeSpan(sql: SqlStorage, before = Infinity): SeqSpan {
  return { from: oldestSeq(sql), to: Math.min(before, newestSeq(sql) + 1) };
}

/** One row, with its texts where the harness keeps them. */
export async function findRow(reading: LogReading, id: string): Promise<RequestRecord | undefined> {
  const { sql } = reading;
  for await (const { from, to } of slicesOf(reading)) {
    const query = `SELECT ${rowColumns} FROM requests
      WHERE seq >= ? AND seq < ? AND id = ? ORDER BY seq DESC LIMIT 1`;
    const [row] = sql.exec(query, from, to, id).toArray();
    if (row !== undefined) return loggedRecord(row);
  }
  return undefined;
}

/** The record of a row that was read with its columns `row` and `text`. */
export function loggedRecord(row: Readonly<Record<string, SqlStorageValue>>): RequestRecord {
  const record = readRow(row["row"]);
  if (row["text"] === null) return record;
  // Written by insertRow above.
  const text = JSON.parse(String(row["text"])) as { request: string; answer: string };
  return { ...record, text };
}

/** Whose requests are read, by when they began; epoch ms, `to` exclusive. */
interface RecordSpan {
  from: number;
  to: number;
  person?: string;
}

/**
 * Hands over the records of the requests that began in the span, the newest first. Epoch ms from which on all requests
 * are in the log; null where it has never forgotten one.
 */
export async function readRecords(
  reading: LogReading,
  span: RecordSpan,
  take: (record: RequestRecord) => void,
): Promise<number | null> {
  const { sql } = reading;
  for await (const slice of slicesOf(reading, jsonRows)) {
    // Rows stand in the order in which requests ended, which is an hour after their beginning at most.
    if (takeRecords(sql, { slice, span, take }) < span.from - hourLength) break;
  }
  return completeFrom(sql);
}

/** When the slice's last request in the order of the log began. */
function takeRecords(
  sql: SqlStorage,
  {
    slice,
    span,
    take,
  }: { slice: SeqSpan; span: RecordSpan; take: (record: RequestRecord) => void },
): number {
  const { from, to, person } = span;
  const cursor = sql.exec(
    `SELECT time, CASE WHEN (time IS NULL OR time >= ? AND time < ?)
       AND (? IS NULL OR person = ?) THEN row END AS row
     FROM requests WHERE seq >= ? AND seq < ? ORDER BY seq DESC`,
    from,
    to,
    person ?? null,
    person ?? null,
    slice.from,
    slice.to,
  );
  let began = Infinity;
  for (const { time, row } of cursor) {
    const record = row === null ? undefined : readRow(row);
    // Rows of the version before have no time of their own.
    began = time === null ? Date.parse(record?.time ?? "") : Number(time);
    if (record !== undefined && began >= from && began < to) take(record);
  }
  return began;
}

/** Whatever is no longer there had ended before the oldest row did. */
function completeFrom(sql: SqlStorage): number | null {
  const [row] = sql.exec("SELECT seq, row FROM requests ORDER BY seq LIMIT 1").toArray();
  if (row === undefined || Number(row["seq"]) === 1) return null;
  const { time, total_ms } = readRow(row["row"]);
  return Date.parse(time) + total_ms;
}

function readRow(text: SqlStorageValue | undefined): RequestRecord {
  // Written by insertRow above.
  return JSON.parse(String(text)) as RequestRecord;
}
