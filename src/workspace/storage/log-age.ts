/** Forgets what the log holds for too long: texts after 30 days, rows after thirteen months. */
import { keptDays } from "../rules/sum-levels.ts";
import { readMeta, writeMeta } from "./meta.ts";
import { keptRows, newestSeq } from "./request-log.ts";
import { sliceRows } from "./slices.ts";

/** Texts of requests and answers are kept for this time, in ms. */
export const keptTexts = 30 * 86_400_000;

interface AgedRow {
  seq: number;
  hasText: boolean;
  /** Epoch ms; only of rows with a text. */
  time: number;
}

/** The log's age. Each slice runs in a transaction of the caller's. */
export class LogAge {
  readonly #sql: SqlStorage;
  /** Number up to which no row has a text that is left to become too old. */
  #textsUpTo: number;
  /** The same as it was saved: passing rows without texts is not worth a written row. */
  #saved: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#saved = Number(readMeta(sql, "texts") ?? 0);
    this.#textsUpTo = this.#saved;
  }

  /** One slice of what is due; false when nothing is. */
  forget(now: number): boolean {
    return this.#forgetTexts(now) || this.#forgetRows(now);
  }

  /** Epoch ms when the next text or row is too old; undefined in an empty log. To be asked when nothing is due. */
  next(): number | undefined {
    const [text] = this.#rowsAfter(this.#textsUpTo, 1);
    if (text?.hasText === true) return text.time + keptTexts;
    const oldest = this.#timeOfOldest();
    return oldest === undefined ? undefined : oldest + keptDays;
  }

  /** Every row is passed once: those without a text at any age, the others when their text is forgotten. */
  #forgetTexts(now: number): boolean {
    const rows = this.#rowsAfter(this.#textsUpTo, sliceRows);
    const young = rows.findIndex(({ hasText, time }) => hasText && time + keptTexts > now);
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
      "UPDATE requests SET text = NULL WHERE seq > ? AND seq <= ? AND text IS NOT NULL",
      this.#textsUpTo,
      upTo,
    );
  }

  #save(): void {
    writeMeta(this.#sql, "texts", this.#textsUpTo);
    this.#saved = this.#textsUpTo;
  }

  #rowsAfter(seq: number, most: number): AgedRow[] {
    const query = `SELECT seq, CASE WHEN text IS NULL THEN NULL ELSE json_extract(row, '$.time') END AS time
      FROM requests WHERE seq > ? ORDER BY seq LIMIT ?`;
    return Array.from(this.#sql.exec(query, seq, most), ({ seq: number, time }) => ({
      seq: Number(number),
      hasText: time !== null,
      time: epochOf(time),
    }));
  }

  #forgetRows(now: number): boolean {
    const oldest = this.#timeOfOldest();
    if (oldest === undefined) return false;
    const query = "SELECT seq FROM requests ORDER BY seq LIMIT 1";
    const seq = Number(this.#sql.exec(query).one()["seq"]);
    const beyond = newestSeq(this.#sql) - keptRows;
    if (seq > beyond && oldest + keptDays > now) return false;
    // Of those that are too old one at a time: they come one at a time.
    const upTo = seq > beyond ? seq : Math.min(beyond, seq + sliceRows);
    this.#sql.exec("DELETE FROM requests WHERE seq <= ?", upTo);
    return true;
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
