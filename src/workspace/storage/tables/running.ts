/** The table of what keys and persons have spent: one row each, read when it is needed. */
import type { SavedNodeSum } from "../../rules/sums/node-sums.ts";

/** Undefined where the node has no sums. */
export function readNodeSum(sql: SqlStorage, node: string): SavedNodeSum | undefined {
  const [row] = sql.exec("SELECT value FROM running WHERE node = ?", node).toArray();
  // Written by writeNodeSum alone.
  return row === undefined ? undefined : (JSON.parse(String(row["value"])) as SavedNodeSum);
}

/** Replaces the node's sums. */
export function writeNodeSum(sql: SqlStorage, node: string, sum: SavedNodeSum): void {
  sql.exec(
    `INSERT INTO running (node, value) VALUES (?, ?)
     ON CONFLICT (node) DO UPDATE SET value = excluded.value`,
    node,
    JSON.stringify(sum),
  );
}

/** Changes nothing where the node has no sums. */
export function removeNodeSum(sql: SqlStorage, node: string): void {
  sql.exec("DELETE FROM running WHERE node = ?", node);
}
