/** The table of limits that blocked or were crossed: one row a limit and period, with a count. */
import type { BlockRecord } from "../../contract/reports.ts";
import { ownerOf } from "../../rules/limit-view.ts";

/** A block with the name of the node whose limit it is, which stands in the column `harness`. */
export type NamedBlock = Omit<BlockRecord, "harness" | "node" | "id"> & { name: string };

/** Writes a block, or the new count of one that is there. */
export function writeBlock(sql: SqlStorage, block: NamedBlock): void {
  sql.exec(
    `INSERT OR REPLACE INTO blocks (harness, metric, period, max, action, start, used, first, last, count)
     VALUES (?,?,?,?,?,?,?,?,?,?)`,
    block.name,
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
  { name, metric, period, max, action, start }: NamedBlock,
): void {
  sql.exec(
    `DELETE FROM blocks WHERE harness = ? AND metric = ? AND period = ? AND max = ? AND action = ? AND start = ?`,
    name,
    metric,
    period,
    max,
    action,
    start,
  );
}

/** Newest first. */
export function readBlocks(sql: SqlStorage, limit: number): NamedBlock[] {
  const rows = sql.exec(
    `SELECT harness AS name, metric, period, max, action, start, used, first, last, count
     FROM blocks ORDER BY last DESC LIMIT ?`,
    limit,
  );
  // Written by writeBlock above, whose columns have these names and types.
  return rows.toArray() as unknown as NamedBlock[];
}

/** As it is reported. */
export function blockRecord({ name, ...block }: NamedBlock): BlockRecord {
  return { ...ownerOf(name), ...block };
}
