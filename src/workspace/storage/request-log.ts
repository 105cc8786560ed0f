/** The table of the request log: the newest rows, each with its record as JSON text. */
import type { LoggedRow, RowFilter } from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";

/** Rows of the request log that a workspace keeps. */
export const keptRows = 10_000;

/** Writes a row; its text stands in a column of its own, so that lists need not read it. */
export function appendRow(sql: SqlStorage, { seq, record }: LoggedRow): void {
  const { text, session: _session, observed: _observed, ...row } = record;
  sql.exec(
    "INSERT OR REPLACE INTO requests (seq, id, harness, status, model, requested, row, text) VALUES (?,?,?,?,?,?,?,?)",
    seq,
    record.id,
    record.harness,
    record.status,
    record.model,
    record.requested_model,
    JSON.stringify(row),
    text === undefined ? null : JSON.stringify(text),
  );
}

/** Forgets the rows that are too old, counted from the newest. */
export function trimRows(sql: SqlStorage, newest: number): void {
  sql.exec("DELETE FROM requests WHERE seq <= ?", newest - keptRows);
}

/** Number of the newest row; 0 before the first. */
export function newestSeq(sql: SqlStorage): number {
  return Number(sql.exec("SELECT COALESCE(MAX(seq), 0) AS seq FROM requests").one()["seq"]);
}

/** Whether the request has a row already: nothing is booked twice. */
export function hasRow(sql: SqlStorage, id: string): boolean {
  return sql.exec("SELECT 1 FROM requests WHERE id = ? LIMIT 1", id).toArray().length > 0;
}

/** Newest first, without the texts. */
export function listRows(sql: SqlStorage, filter: RowFilter): LoggedRow[] {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...given: (string | number)[]) => {
    where.push(condition);
    values.push(...given);
  };
  if (filter.before !== undefined) add("seq < ?", filter.before);
  if (filter.harness !== undefined) add("harness = ?", filter.harness);
  if (filter.status !== undefined) add("status >= ? AND status < ?", ...filter.status);
  if (filter.model !== undefined) add("(model = ? OR requested = ?)", filter.model, filter.model);
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const query = `SELECT seq, row FROM requests ${clause} ORDER BY seq DESC LIMIT ?`;
  return [...sql.exec(query, ...values, filter.limit)].map((row) => ({
    seq: Number(row["seq"]),
    record: readRow(row["row"]),
  }));
}

/** One row, with its texts where the harness keeps them. */
export function findRow(sql: SqlStorage, id: string): RequestRecord | undefined {
  const [row] = sql
    .exec("SELECT row, text FROM requests WHERE id = ? ORDER BY seq DESC LIMIT 1", id)
    .toArray();
  if (row === undefined) return undefined;
  const record = readRow(row["row"]);
  if (row["text"] === null) return record;
  // Written by appendRow above.
  return {
    ...record,
    text: JSON.parse(String(row["text"])) as { request: string; answer: string },
  };
}

function readRow(text: SqlStorageValue | undefined): RequestRecord {
  // Written by appendRow above.
  return JSON.parse(String(text)) as RequestRecord;
}
