/** Forgets what the log holds for too long, and rows that are too many. */
import { readMeta, writeMeta } from "./tables/meta.ts";
import { newestSeq } from "./tables/request-log.ts";
import { sliceRows } from "./sql/slices.ts";

/** How long texts and rows are kept, in ms, and how many rows. */
export interface LogRetention {
  readonly texts: number;
  readonly rows: number;
  readonly mostRows: number;
}

/** Rows of the version before have their texts in another column. */
const textless = "(text IS NULL AND texts IS NULL)";

interface AgedRow {
  seq: number;
  hasText: boolean;
  /** Epoch ms; only of rows with a text. */
  time: number;
}

/** The log's age. Each slice runs in a transaction of the caller's. */
export class LogAge {
  readonly #sql: SqlStorage;
  readonly #retention: () => LogRetention;
  /** Number up to which no row has a text that is left to become too old. */
  #textsUpTo: number;
  /** The same as it was saved: passing rows without texts is not worth a written row. */
  #saved: number;

  constructor(sql: SqlStorage, retention: () => LogRetention) {
    this.#sql = sql;
    this.#retention = retention;
    this.#saved = Number(readMeta(sql, "texts") ?? 0);
    this.#textsUpTo = this.#saved;
  }

  /** One slice of what is due; false when nothing is. */
  forget(now: number): boolean {
    return this.#forgetTexts(now) || this.#forgetRows(now);
  }

  /** Epoch ms when the next text or row is too old; undefined in an empty log. To be asked when nothing is due. */
  next(): number | undefined {
    const { texts, rows } = this.#retention();
    const [text] = this.#rowsAfter(this.#textsUpTo, 1);
    const oldest = this.#timeOfOldest();
    const due = [
      ...(text?.hasText === true ? [text.time + texts] : []),
      ...(oldest === undefined ? [] : [oldest + rows]),
    ];
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Every row is passed once: those without a text at any age, the others when their text is forgotten. */
  #forgetTexts(now: number): boolean {
    const { texts } = this.#retention();
    const rows = this.#rowsAfter(this.#textsUpTo, sliceRows);
    const young = rows.findIndex(({ hasText, time }) => hasText && time + texts > now);
    const passed = young < 0 ? rows : rows.slice(0, young);
    const last = passed.at(-1);
    if (last === undefined) return false;
    if (passed.some(({ hasText }) => hasText)) this.#clearTexts(last.seq);
    this.#textsUpTo = last.seq;
    if (last.seq - this.#saved >= sliceRows) this.#save();
    return true;
  }

  #clearTexts(upTo: number): void {
    this.#sql.exec(
      `UPDATE requests SET text = NULL, texts = NULL WHERE seq > ? AND seq <= ? AND NOT ${textless}`,
      this.#textsUpTo,
      upTo,
    );
  }

  #save(): void {
    writeMeta(this.#sql, "texts", this.#textsUpTo);
    this.#saved = this.#textsUpTo;
  }

  #rowsAfter(seq: number, most: number): AgedRow[] {
    const query = `SELECT seq, CASE WHEN ${textless} THEN NULL ELSE json_extract(row, '$.time') END AS time
      FROM requests WHERE seq > ? ORDER BY seq LIMIT ?`;
    return Array.from(this.#sql.exec(query, seq, most), ({ seq: number, time }) => ({
      seq: Number(number),
      hasText: time !== null,
      time: epochOf(time),
    }));
  }

  #forgetRows(now: number): boolean {
    const { rows, mostRows } = this.#retention();
    const oldest = this.#timeOfOldest();
    if (oldest === undefined) return false;
    const query = "SELECT seq FROM requests ORDER BY seq LIMIT 1";
    const seq = Number(this.#sql.exec(query).one()["seq"]);
    const beyond = newestSeq(this.#sql) - mostRows;
    if (seq > beyond && oldest + rows > now) return false;
    const upTo = seq > beyond ? this.#lastOfAge(now - rows) : Math.min(beyond, seq + sliceRows);
    this.#sql.exec("DELETE FROM requests WHERE seq <= ?", upTo);
    return true;
  }

  /** Number of the last row before the first that is younger, within one slice from the oldest; that one is old. */
  #lastOfAge(before: number): number {
    const query = `SELECT seq, json_extract(row, '$.time') AS time FROM requests ORDER BY seq LIMIT ?`;
    const rows = this.#sql.exec(query, sliceRows).toArray();
    const young = rows.findIndex(({ time }) => epochOf(time) > before);
    return Number(rows.at(young < 0 ? -1 : young - 1)?.["seq"]);
  }

  #timeOfOldest(): number | undefined {
    const query = "SELECT json_extract(row, '$.time') AS time FROM requests ORDER BY seq LIMIT 1";
    const [row] = this.#sql.exec(query).toArray();
    return row === undefined ? undefined : epochOf(row["time"]);
  }
}

/** A time that cannot be read is as old as any. */
function epochOf(time: SqlStorageValue | undefined): number {
  const epoch = Date.parse(String(time));
  return Number.isNaN(epoch) ? 0 : epoch;
}
