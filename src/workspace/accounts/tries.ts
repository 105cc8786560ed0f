/** The table of tries to sign in, by the address that they came from. */

/** Tries to sign in from one address, and the ms in which they count. */
const mostTries = 5;
const triesTime = 5 * 60_000;

/** Counts a try, before it is judged; milliseconds to wait when there were too many. */
export function countTry(sql: SqlStorage, bucket: string, now: number): number {
  sql.exec("DELETE FROM tries WHERE at <= ?", now - triesTime);
  const rows = sql.exec("SELECT at FROM tries WHERE bucket = ? ORDER BY at", bucket).toArray();
  if (rows.length >= mostTries) return Number(rows[0]?.["at"]) + triesTime - now;
  sql.exec("INSERT INTO tries (bucket, at) VALUES (?, ?)", bucket, now);
  return 0;
}

/** A try was right: those before it do not count. */
export function forgetTries(sql: SqlStorage, bucket: string): void {
  sql.exec("DELETE FROM tries WHERE bucket = ?", bucket);
}
