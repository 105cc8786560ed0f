/** The table of limits that blocked or were crossed: one row a limit and period, with a count. */
import type { BlockRecord } from "../contract/reports.ts";

/** Writes a block, or the new count of one that is there. */
export function writeBlock(sql: SqlStorage, block: BlockRecord): void {
  sql.exec(
    `INSERT OR REPLACE INTO blocks (harness, metric, period, max, action, start, used, first, last, count)
     VALUES (?,?,?,?,?,?,?,?,?,?)`,
    block.harness,
    block.metric,
    block.period,
    block.max,
    block.action,
    block.start,
    block.used,
    block.first,
    block.last,
    block.count,
  );
}

/** Forgets one block. */
export function removeBlock(
  sql: SqlStorage,
  { harness, metric, period, max, action, start }: BlockRecord,
): void {
  sql.exec(
    `DELETE FROM blocks WHERE harness = ? AND metric = ? AND period = ? AND max = ? AND action = ? AND start = ?`,
    harness,
    metric,
    period,
    max,
    action,
    start,
  );
}

/** Newest first. */
export function readBlocks(sql: SqlStorage, limit: number): BlockRecord[] {
  const rows = sql.exec(
    `SELECT harness, metric, period, max, action, start, used, first, last, count
     FROM blocks ORDER BY last DESC LIMIT ?`,
    limit,
  );
  // Written by writeBlock above, whose columns have these names and types.
  return rows.toArray() as unknown as BlockRecord[];
}
