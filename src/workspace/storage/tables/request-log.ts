/** The table of the request log: the newest rows, each with its record as JSON text. */
import type { LoggedRow } from "../../contract/reports.ts";
import { shortenedRecord } from "../../contract/record-limits.ts";
import type { FeedbackChange } from "../../contract/feedback.ts";
import type { RequestRecord } from "../../contract/request-record.ts";
import { hourLength } from "../../rules/sums/sum-levels.ts";
import { sqlOfMembers } from "../sql/one-text.ts";
import { sliceRows, type Turns } from "../sql/slices.ts";

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

/** By these columns rows are found and added up: `time` is epoch ms, `tags` a JSON object. */
const describing = [
  "id",
  "harness",
  "status",
  "model",
  "requested",
  "key_id",
  "person",
  "time",
  "outcome",
  "provider",
  "input",
  "output",
  "session",
  "agent",
  "role",
  "tags",
  "key_name",
];

/** In the order of `describing`. */
function description(record: RequestRecord): (string | number | null | undefined)[] {
  const { tags, usage } = record;
  return [
    record.id,
    record.harness,
    record.status,
    record.model,
    record.requested_model,
    record.key_id,
    record.person,
    // Null where it is none.
    Date.parse(record.time),
    record.outcome,
    record.provider,
    usage?.input_tokens,
    usage?.output_tokens,
    record.session_id,
    record.agent,
    record.role,
    tags === undefined ? null : JSON.stringify(tags),
    record.key_name,
  ];
}

/** The values of `writtenColumns`; what describes the row goes as one text: see `storage/sql/one-text.ts`. `cost` is USD. */
function valuesOf({ seq, record }: LoggedRow): (string | number | null)[] {
  const { text, cost } = record;
  return [
    seq,
    JSON.stringify({
      ...record,
      text: undefined,
      session: undefined,
      observed: undefined,
      budget: undefined,
    }),
    text === undefined ? null : JSON.stringify(text),
    cost,
    JSON.stringify(description(record)),
  ];
}

/** A row with its texts; those of the version before stand in another column. */
export const rowColumns = "row, COALESCE(texts, text) AS text";

// The runtime finds a statement that it has compiled before by its text. `text` is of the version before.
const writtenColumns = ["seq", "row", "texts", "cost", "text", ...describing].join(", ");
const given = ["?1", "?2", "?3", "?4", "NULL", ...sqlOfMembers("?5", describing.length)].join(", ");
const takeOver = `UPDATE requests SET (${writtenColumns}) = (${given}) WHERE seq = ?6`;
const insert = `INSERT INTO requests (${writtenColumns}) VALUES (${given})`;

/** A full log's oldest row is taken over: forgetting it and adding another would be two written rows. */
function insertRow(sql: SqlStorage, row: LoggedRow): void {
  const values = valuesOf(row);
  const oldest = row.seq - keptRows;
  if (oldest > 0 && sql.exec(takeOver, ...values, oldest).rowsWritten > 0) return;
  sql.exec(insert, ...values);
}

/** Number of the newest row; 0 before the first. */
export function newestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MAX(seq), 0) AS seq FROM requests").one()["seq"]);
}

function oldestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MIN(seq), 0) AS seq FROM requests").one()["seq"]);
}

/** The span's newest rows without their texts, oldest first. */
export function readNewestRows(sql: SqlStorage, { from, to }: SeqSpan, most: number): LoggedRow[] {
  const query =
    "SELECT seq, row FROM requests WHERE seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?";
  const rows = sql.exec(query, from, to, Math.max(0, most)).toArray().reverse();
  return rows.map(({ seq, row }) => ({ seq: Number(seq), record: readRow(row) }));
}

/** The request's row, if it is among the newest: a settlement that comes twice comes within seconds. */
export function findRecentRow(sql: SqlStorage, id: string): LoggedRow | undefined {
  const from = newestSeq(sql) - sliceRows;
  const query = "SELECT seq, row FROM requests WHERE seq > ? AND id = ?";
  const [row] = sql.exec(query, from, id).toArray();
  return row && { seq: Number(row["seq"]), record: readRow(row["row"]) };
}

/** Takes a row out of the log. */
export function deleteRow(sql: SqlStorage, seq: number): void {
  sql.exec("DELETE FROM requests WHERE seq = ?", seq);
}

/** The rows behind the newest one that has a time in a column of its own: later ones were written by version 0.1.0. */
export function rowsWithoutTime(sql: SqlStorage): RequestRecord[] {
  const newest = "SELECT COALESCE(MAX(seq), 0) FROM requests WHERE time IS NOT NULL";
  const query = `SELECT row FROM requests WHERE seq > (${newest}) ORDER BY seq`;
  return Array.from(sql.exec(query), ({ row }) => readRow(row));
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
  return (await findLoggedRow(reading, id))?.record;
}

/** The same, with its number. */
export async function findLoggedRow(
  reading: LogReading,
  id: string,
): Promise<LoggedRow | undefined> {
  const { sql } = reading;
  for await (const { from, to } of slicesOf(reading)) {
    const query = `SELECT seq, ${rowColumns} FROM requests
      WHERE seq >= ? AND seq < ? AND id = ? ORDER BY seq DESC LIMIT 1`;
    const [row] = sql.exec(query, from, to, id).toArray();
    if (row !== undefined) return { seq: Number(row["seq"]), record: recordOfRow(row) };
  }
  return undefined;
}

/** Writes a rating into the request's row; returns the previous row, undefined if it is gone. */
export function rewriteFeedback(
  sql: SqlStorage,
  seq: number,
  { id, who, given: said }: FeedbackChange,
): RequestRecord | undefined {
  const query = "SELECT row FROM requests WHERE seq = ? AND id = ?";
  const [found] = sql.exec(query, seq, id).toArray();
  if (found === undefined) return undefined;
  const before = readRow(found["row"]);
  const { feedback: { [who]: _, ...others } = {}, ...record } = before;
  const feedback = { ...others, ...(said !== undefined && { [who]: said }) };
  const after = Object.keys(feedback).length === 0 ? record : { ...record, feedback };
  sql.exec("UPDATE requests SET row = ? WHERE seq = ?", JSON.stringify(after), seq);
  return before;
}

/** The record of a row that was read with its columns `row` and `text`. */
export function recordOfRow(row: Readonly<Record<string, SqlStorageValue>>): RequestRecord {
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
